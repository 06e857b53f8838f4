import { excessOf } from './json-excess.ts'
import { isRecord, type JsonRecord } from './json-path.ts'

/** The only error that parsing inbound data throws. Its message is safe to show to the sender. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
  readonly kind = 'unreadable'
}

const maxNesting = 128
const maxValues = 1_000_000

/** Parses any JSON value. NUL and lone surrogates are valid JSON; they are removed when text is extracted. */
export const parseJson = (json: string, most = maxValues): unknown => {
  const excess = excessOf(json, { depth: maxNesting, values: most })
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

export const decodeJson = (body: Uint8Array): unknown => parseJson(decodeText(body))

export const requireRecord = (value: unknown): JsonRecord => {
  if (!isRecord(value)) throw new UnreadableBody('The body must be a JSON object.')
  return value
}
