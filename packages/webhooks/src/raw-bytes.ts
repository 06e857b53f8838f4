import type { RawBody } from './options.ts'
import { refuse } from './webhook-error.ts'

const encoder = new TextEncoder()
// A byte order mark is part of what was signed, and an invalid sequence must not silently become another text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes that the signature covers: a view, never a copy, never decoded and encoded again. */
export function toBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  if (body instanceof Uint8Array) return body
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  return refuse('body_parsed', 500, 'The body is no string and no bytes. Pass what came over the wire, before any parser.')
}

/** JSON of bytes or text. */
export function parseJson(body: RawBody): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body))
  } catch {
    return refuse('invalid_json', 400, 'The body is no JSON in UTF-8.')
  }
}
