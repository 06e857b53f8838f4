import { inflate } from '@service/intake/errors/decoding/inflate'
import { maskSecrets } from '@service/intake/errors/mask'
import { maskText } from '@service/intake/errors/mask-text'
import { parseJson } from '@service/intake/sanitize/decode'
import { validation } from '../../core/errors.ts'

/** Longer bodies are not stored. */
const maxBodyBytes = 64 * 1024

/** A request body in the form that a receiver reads. */
export interface RawBody {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A body as it is stored. */
export interface StoredBody {
  readonly content_type: string | null
  /** Null if it is not stored. */
  readonly body: string | null
}

export const emptyBody: StoredBody = { content_type: null, body: null }

/** The decoded text with secrets masked. A body that is too long or not UTF-8 is not stored. */
export function toStoredBody({ headers, body }: RawBody): StoredBody {
  try {
    const plain = inflate(body, headers['content-encoding'] ?? null, maxBodyBytes)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(plain)
    return { content_type: headers['content-type'] ?? null, body: mask(text) }
  } catch {
    return emptyBody
  }
}

/** Returns the text unchanged if nothing is masked, because serializing JSON would round long numbers. */
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

/** The stored body of a delivery, in the form that its receiver reads. */
export function requireStoredBody(delivery: StoredBody): RawBody {
  if (delivery.body === null)
    throw validation({ delivery_id: ['The body of this delivery is not stored. Ask the sender to send it again.'] })
  const headers = delivery.content_type === null ? {} : { 'content-type': delivery.content_type }
  return { headers, body: Buffer.from(delivery.body) }
}

interface PostedBody {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly base64?: boolean | undefined
}

/** The body of an `explain` request, in the form that a receiver reads. */
export function toRawBody({ body, headers = {}, base64 = false }: PostedBody): RawBody {
  requireHeaders(headers)
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { headers: Object.fromEntries(lowerCase), body: bytesOf(body, base64) }
}

/** Refuses header names and values that HTTP does not allow. */
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
