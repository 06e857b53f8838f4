import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { maskSecrets } from '@service/intake/errors/mask'
import { maskText } from '@service/intake/errors/mask-text'
import { parseJson } from '@service/intake/sanitise/decode'
import { validation } from '../../core/errors.ts'

/** A longer body is not kept. */
const longestKeptBody = 64 * 1024

/** A body as a receiver takes it. */
export interface RawBody {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What is stored of a body: its decoded text with secrets masked. Null when it is too long or not text. */
export function toKeptBody({ headers, body }: RawBody): string | null {
  const plain = decompress(body, headers['content-encoding'])
  if (plain === null || plain.length > longestKeptBody) return null
  try {
    return mask(new TextDecoder('utf-8', { fatal: true }).decode(plain))
  } catch {
    return null
  }
}

function decompress(body: Uint8Array, encoding = ''): Uint8Array | null {
  const options = { maxOutputLength: longestKeptBody }
  try {
    if (encoding === 'br') return brotliDecompressSync(body, options)
    if (encoding === 'deflate') return inflateSync(body, options)
    const isGzip = encoding === 'gzip' || (body[0] === 0x1f && body[1] === 0x8b)
    return isGzip ? gunzipSync(body, options) : body
  } catch {
    return null
  }
}

/** The same text where nothing is masked, because writing JSON again would round long numbers. */
function mask(text: string): string {
  const json = tryToParse(text)
  if (json === undefined) return maskText(text).replaceAll('\0', '\uFFFD')
  const masked = maskSecrets(json)
  return masked === json ? text : JSON.stringify(masked)
}

function tryToParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The stored body of a delivery, as its receiver would get it. */
export function requireKept(delivery: { readonly body: string | null; readonly content_type: string | null }): RawBody {
  if (delivery.body === null)
    throw validation({ delivery_id: ['The body of this delivery is not kept. Ask the sender to send it again.'] })
  const headers = delivery.content_type === null ? {} : { 'content-type': delivery.content_type }
  return { headers, body: Buffer.from(delivery.body) }
}

interface PostedBody {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly base64?: boolean | undefined
}

/** A body of a call of `explain`, as its receiver would get it. */
export function toRawBody({ body, headers = {}, base64 = false }: PostedBody): RawBody {
  requireHeaders(headers)
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { headers: Object.fromEntries(lowerCase), body: bytesOf(body, base64) }
}

/** Refuses names and values that no HTTP request can carry. */
function requireHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    new Headers(headers)
  } catch {
    throw validation({ headers: ['The headers field must have names and values that HTTP allows.'] })
  }
}

function bytesOf(body: unknown, isBase64: boolean): Uint8Array {
  if (typeof body !== 'string') return Buffer.from(JSON.stringify(body) ?? '')
  return Buffer.from(body, isBase64 ? 'base64' : 'utf8')
}
