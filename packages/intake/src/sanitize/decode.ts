import { isUtf8 } from 'node:buffer'
import { findExceededLimit } from './json-excess.ts'
import { isRecord, type JsonRecord } from './json-path.ts'

type Kind = 'unreadable' | 'too_large'

/** The only error that reading inbound data throws. Its message is safe to show to the sender. The server maps it to an HTTP status. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
  readonly kind: Kind

  constructor(message: string, kind: Kind = 'unreadable') {
    super(message)
    this.kind = kind
  }
}

const maxNesting = 128
const maxValues = 1_000_000

/** Parses any JSON value. NUL and lone surrogates are valid JSON; they are removed when text is extracted. */
export const parseJson = (json: string, most = maxValues): unknown => {
  const excess = findExceededLimit(json, { depth: maxNesting, values: most })
  if (excess === 'depth') throw new UnreadableBody('The body is nested too deeply.')
  if (excess === 'values') throw new UnreadableBody(`The body holds more than ${most} values.`)
  try {
    return JSON.parse(json)
  } catch {
    throw new UnreadableBody('The body is not valid JSON.')
  }
}

/** Drops a byte order mark. Replaces invalid UTF-8 with U+FFFD, so that one bad author name loses no delivery. */
export const decodeText = (body: Uint8Array): string => new TextDecoder().decode(body)

/** Labels that programs set without being asked, also for UTF-8. */
const defaultCharsets = /^(?:utf-?8|iso-?8859-?1|latin1|windows-1252|us-ascii|ascii)$/i

const createDecoder = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

/**
 * Text of a sender that may not use UTF-8: with a byte order mark, in the charset of its content type, or else in
 * windows-1252. Text with other characters of UTF-8 is UTF-8 that was damaged.
 */
export const decodeForeignText = (body: Uint8Array, contentType: string | null): string => {
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le').decode(body)
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be').decode(body)
  const charset = /charset="?([\w-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  if (!defaultCharsets.test(charset)) return createDecoder(charset).decode(body)
  const text = decodeText(body)
  const isDamaged = !isUtf8(body) && /[\u0080-\uFFFC]/.test(text)
  return isUtf8(body) || isDamaged ? text : new TextDecoder('windows-1252').decode(body)
}

export const decodeJson = (body: Uint8Array, contentType: string | null): unknown =>
  parseJson(decodeForeignText(body, contentType))

export const requireRecord = (value: unknown): JsonRecord => {
  if (!isRecord(value)) throw new UnreadableBody('The body must be a JSON object.')
  return value
}
