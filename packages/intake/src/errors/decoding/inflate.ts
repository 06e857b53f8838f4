import { gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { tooLarge, unreadable } from './decode-error.ts'

type Inflate = (body: Uint8Array, options: ZlibOptions) => Uint8Array

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

/** Some clients (PostHog, old Sentry) compress without a header, so the first bytes decide. */
const sniffed = (body: Uint8Array): Inflate | null => {
  const [first, second = 0] = body
  if (first === 0x1f && second === 0x8b) return gunzipSync
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? inflateSync : null
}

/** Decompresses what starts like gzip or zlib. It stops at the limit, so a decompression bomb cannot exceed it. */
export const inflate = (body: Uint8Array, limit: number): Uint8Array => {
  if (body.length > limit) throw tooLarge('The body is too large.')
  const hidden = sniffed(body)
  if (hidden === null) return body
  try {
    return hidden(body, { maxOutputLength: limit })
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge('The body is too large when it is unpacked.')
    throw unreadable('The body starts like gzip or zlib but cannot be unpacked.')
  }
}
