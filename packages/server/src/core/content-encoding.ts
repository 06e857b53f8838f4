import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { ApiError, validation } from './errors.ts'

export interface BodyLimits {
  /** The largest body as it is sent. */
  readonly sentBytes?: number | undefined
  /** The largest body after decompression; by default the same. */
  readonly decompressedBytes?: number | undefined
}

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const [gunzipped, inflated, inflatedRaw] = [promisify(gunzip), promisify(inflate), promisify(inflateRaw)]
const brotliDecompressed = promisify(brotliDecompress)

/** The coding requires a zlib header, but many clients omit it. */
const deflate: Decompress = (bytes, options) => {
  const [first = 0, second = 0] = bytes
  const hasHeader = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  return hasHeader ? inflated(bytes, options) : inflatedRaw(bytes, options)
}

const codings: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', gunzipped],
  ['x-gzip', gunzipped],
  ['deflate', deflate],
  ['br', (bytes, { maxOutputLength }) => brotliDecompressed(bytes, { maxOutputLength })],
])

/** Each layer multiplies the work of a decompression bomb. */
const maxLayers = 2

/**
 * Undoes the `Content-Encoding` of a body, in zlib's threads. It stops at `limit` bytes, so that a decompression bomb
 * never expands. 415 for other codings names those that are read (RFC 9110 §15.5.16).
 */
export async function decompress(
  bytes: Uint8Array,
  { contentEncoding, limit }: { readonly contentEncoding: string | null; readonly limit: number },
): Promise<Uint8Array> {
  const names = parseNames(contentEncoding)
  const layers = names.map((name) => codings.get(name)).toReversed()
  if (layers.length > maxLayers || layers.includes(undefined)) throw unsupported()
  if (bytes.length === 0) return bytes
  let decompressed = bytes
  for (const layer of layers) {
    if (layer === undefined) throw unsupported()
    decompressed = await layer(decompressed, { maxOutputLength: limit }).catch((fault: unknown) => refuse(fault, limit))
  }
  return decompressed
}

const parseNames = (contentEncoding: string | null): string[] =>
  contentEncoding === null
    ? []
    : contentEncoding
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && name !== 'identity')

export const unknownCodingMessage =
  'The Content-Encoding of a request body must be gzip, deflate, or br, or two of them. Otherwise, send the body uncompressed.'

const unsupported = () =>
  new ApiError('unsupported_media_type', unknownCodingMessage, {
    headers: { 'accept-encoding': 'gzip, deflate, br' },
  })

function refuse(fault: unknown, limit: number): never {
  if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_BUFFER_TOO_LARGE')
    throw new ApiError('payload_too_large', `The decompressed request body must not be larger than ${limit} bytes.`)
  throw validation({ body: ['The request body is not compressed as its Content-Encoding header says.'] })
}
