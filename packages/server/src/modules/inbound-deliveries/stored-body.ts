import { defaultLimits } from '@service/intake/errors/decoding/decode-error'
import { inflate } from '@service/intake/errors/decoding/inflate'
import { maskBody } from '@service/intake/errors/mask-body'
import { decompress } from '../../core/content-encoding.ts'
import { validation } from '../../core/errors.ts'

/** Longer bodies are not stored. */
const maxBodyBytes = 64 * 1024
/** What error reports, which may be the largest, may have after decompression. */
const maxExplainedBytes = defaultLimits.inflatedBytes

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

/** Terminals name the employee by these fields, which are secrets elsewhere. */
const identifiers = /^(?:pin|card_?(?:no|number))$/i

/** A punch with the employee that it names. Only names of fields and texts differ between the two. */
function withIdentifiers(safe: unknown, sent: unknown): unknown {
  if (Array.isArray(safe)) return safe.map((item, index) => withIdentifiers(item, Object(sent)[index]))
  if (typeof safe !== 'object' || safe === null) return safe
  const entries = Object.entries(safe).map(([key, value]): [string, unknown] => {
    const original = Object(sent)[key]
    const isNamed = identifiers.test(key) && (typeof original === 'string' || typeof original === 'number')
    return [key, isNamed ? original : withIdentifiers(value, original)]
  })
  return Object.fromEntries(entries)
}

/** The decoded text with secrets masked. A body that is too long, not UTF-8, or cannot be masked is not stored. */
export function toStoredBody({ headers, body }: RawBody, integration: string): StoredBody {
  try {
    const plain = inflate(body, maxBodyBytes)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(plain)
    const content_type = headers['content-type'] ?? null
    const safe = maskBody(text, content_type ?? '')
    const isPunch = integration === 'attendance' && safe !== text
    const kept = isPunch ? JSON.stringify(withIdentifiers(JSON.parse(safe), JSON.parse(text))) : safe
    return { content_type, body: kept.replaceAll('\0', '\uFFFD') }
  } catch {
    return emptyBody
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
export async function toRawBody({ body, headers = {}, base64 = false }: PostedBody): Promise<RawBody> {
  requireHeaders(headers)
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const { 'content-encoding': contentEncoding = null, ...others } = Object.fromEntries(lowerCase)
  const limit = maxExplainedBytes
  return { headers: others, body: await decompress(toBytes(body, base64), { contentEncoding, limit }) }
}

/** Refuses header names and values that HTTP does not allow. */
function requireHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    new Headers(headers)
  } catch {
    throw validation({ headers: ['The headers field must have names and values that HTTP allows.'] })
  }
}

function toBytes(body: unknown, isBase64: boolean): Uint8Array {
  if (typeof body !== 'string') return Buffer.from(toJsonText(body))
  return Buffer.from(body, isBase64 ? 'base64' : 'utf8')
}

/** JSON that nests thousands of levels can be parsed, but not written. */
function toJsonText(body: unknown): string {
  try {
    return JSON.stringify(body) ?? ''
  } catch (fault) {
    throw fault instanceof RangeError ? validation({ body: ['The body field nests too deep.'] }) : fault
  }
}
