import type { RawBody } from './options.ts'
import { textToBytes } from './runtime.ts'
import { refuse } from './webhook-error.ts'

// A byte order mark is part of the signed text, and an invalid sequence must not silently become another text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the bytes that the signature covers, as a view without copying or re-encoding. */
export function toBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return textToBytes(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  return refuse('body_parsed', { hint: 'pass the raw body', status: 500 })
}

/** Parses JSON from bytes or text. */
export function parseJson(body: RawBody): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body))
  } catch {
    return refuse('invalid_json', { hint: 'not JSON in UTF-8', status: 400 })
  }
}
