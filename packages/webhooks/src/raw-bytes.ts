import type { RawBody } from './options.ts'
import { encodeUtf8 } from './runtime.ts'
import { refuse } from './webhook-error.ts'

// A byte order mark is part of what was signed, and an invalid sequence must not silently become another text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes that the signature covers: a view, never a copy, never decoded and encoded again. */
export function toBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return encodeUtf8(body)
  if (body instanceof Uint8Array) return body
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  return refuse('body_parsed', 500, 'Pass the raw body, as it was before any parser.')
}

/** JSON of bytes or text. */
export function parseJson(body: RawBody): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body))
  } catch {
    return refuse('invalid_json', 400, 'The body is not JSON in UTF-8.')
  }
}
