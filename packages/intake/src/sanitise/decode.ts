import { excessOf } from './json-excess.ts'
import { isRecord, type JsonRecord } from './json-path.ts'

/** The one error that reading what others send may throw. Its message is safe to show to the sender. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
  readonly kind = 'unreadable'
}

const deepestNesting = 128
const mostValues = 1_000_000

/** Any JSON value. NUL and lone surrogates are legal in JSON; they are cleaned where a text is taken out. */
export const parseJson = (json: string, most = mostValues): unknown => {
  const excess = excessOf(json, { depth: deepestNesting, values: most })
  if (excess === 'depth') throw new UnreadableBody('The body is nested too deeply.')
  if (excess === 'values') throw new UnreadableBody(`The body holds more than ${most} values.`)
  try {
    return JSON.parse(json)
  } catch {
    throw new UnreadableBody('The body is not valid JSON.')
  }
}

/** A byte order mark is dropped and bytes that are not UTF-8 become U+FFFD: one bad author name must not lose a delivery. */
export const decodeText = (body: Uint8Array): string => new TextDecoder().decode(body)

export const decodeJson = (body: Uint8Array): unknown => parseJson(decodeText(body))

export const requireRecord = (value: unknown): JsonRecord => {
  if (!isRecord(value)) throw new UnreadableBody('The body must be a JSON object.')
  return value
}
