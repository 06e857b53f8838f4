import { inflate } from '@service/intake/errors/decoding/inflate'
import { maskSecrets } from '@service/intake/errors/mask'
import { maskText } from '@service/intake/errors/mask-text'
import { parseJson } from '@service/intake/sanitize/decode'
import { validation } from '../../core/errors.ts'

/** A longer body is not kept. */
const maxKeptBodyLength = 64 * 1024

/** A body as a receiver takes it. */
export interface RawBody {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A body as it is stored. */
export interface StoredBody {
  readonly content_type: string | null
  /** Null when it is not kept. */
  readonly body: string | null
}

export const noBody: StoredBody = { content_type: null, body: null }

/** The decoded text with secrets masked. A body that is too long or is not UTF-8 is not kept. */
export function toStoredBody({ headers, body }: RawBody): StoredBody {
  try {
    const plain = inflate(body, headers['content-encoding'] ?? null, maxKeptBodyLength)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(plain)
    return { content_type: headers['content-type'] ?? null, body: mask(text) }
  } catch {
    return noBody
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
export function requireStoredBody(delivery: StoredBody): RawBody {
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
