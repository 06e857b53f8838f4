import { isRecord, type JsonRecord } from './json-path.ts'

/** The one error that reading what others send may throw. Its message is safe to show to the sender. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
  readonly kind = 'unreadable'
}

const deepestNesting = 128

/** What JSON costs in memory grows with its values, not with its bytes: 24 MB of `{}` would become a gigabyte. */
const mostValues = 1_000_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

const steps = new Int8Array(0x80)
steps['['.charCodeAt(0)] = 1
steps['{'.charCodeAt(0)] = 1
steps[']'.charCodeAt(0)] = -1
steps['}'.charCodeAt(0)] = -1

/** The index just after the string that begins at `start`. `indexOf` leaps over long commit messages at memory speed. */
const skipString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (end !== -1) {
    let slashes = 0
    while (json.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end + 1
    end = json.indexOf('"', end + 1)
  }
  return json.length
}

/**
 * Counts brackets and commas before anything is built: a body of 25 MiB of `[` would otherwise become millions of arrays,
 * and whoever walks or prints the result later would run out of stack.
 */
const requireModest = (json: string, most: number): void => {
  let depth = 0
  let values = 0
  for (let index = 0; index < json.length; ) {
    const code = json.charCodeAt(index)
    if (code === quote) {
      index = skipString(json, index)
      continue
    }
    const step = steps[code] ?? 0
    depth += step
    if (step === 1 || code === comma) values += 1
    if (depth > deepestNesting) throw new UnreadableBody('The body is nested too deeply.')
    if (values > most) throw new UnreadableBody(`The body holds more than ${most} values.`)
    index += 1
  }
}

/** Any JSON value. NUL and lone surrogates are legal in JSON; they are cleaned where a text is taken out. */
export const parseJson = (json: string, most = mostValues): unknown => {
  requireModest(json, most)
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
