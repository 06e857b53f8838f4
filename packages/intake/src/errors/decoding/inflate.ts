import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { tooLarge, unreadable } from './decode-error.ts'

type Inflate = (body: Uint8Array, options: ZlibOptions) => Uint8Array

/** "deflate" requires a zlib header, but many clients omit it. Retries only for that mistake. */
const deflate: Inflate = (body, options) => {
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && ((body[0] ?? 0) * 256 + (body[1] ?? 0)) % 31 === 0
  return hasHeader ? inflateSync(body, options) : inflateRawSync(body, options)
}

const codings: Readonly<Record<string, Inflate>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate,
  br: (body, options) => brotliDecompressSync(body, options),
}

/** No sender uses more than two layers; each layer multiplies the work of a decompression bomb. */
const maxLayers = 2

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

/** zlib works in small chunks and stops at the limit, so a decompression bomb cannot exceed it. */
const inflateOnce = (body: Uint8Array, inflate: Inflate, limit: number): Uint8Array => {
  try {
    return inflate(body, { maxOutputLength: limit })
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge('The body is too large when it is unpacked.')
    throw unreadable('The body is not compressed the way its Content-Encoding says.')
  }
}

const codingsOf = (header: string | null): string[] =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')

/** Some clients (PostHog, old Sentry) compress without a header, so the first bytes decide. */
const sniffed = (body: Uint8Array): Inflate | null => {
  const [first, second = 0] = body
  if (first === 0x1f && second === 0x8b) return gunzipSync
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? inflateSync : null
}

export const inflate = (body: Uint8Array, contentEncoding: string | null, limit: number): Uint8Array => {
  if (body.length > limit) throw tooLarge('The body is too large.')
  const layers = codingsOf(contentEncoding)
  if (layers.length > maxLayers) throw unreadable('The body is compressed more often than is sensible.')
  let bytes = body
  for (const layer of layers.reverse()) {
    const coding = Object.hasOwn(codings, layer) ? codings[layer] : undefined
    if (coding === undefined) throw unreadable('The Content-Encoding must be gzip, deflate or br.')
    bytes = inflateOnce(bytes, coding, limit)
  }
  const hidden = layers.length === 0 ? sniffed(bytes) : null
  return hidden === null ? bytes : inflateOnce(bytes, hidden, limit)
}
