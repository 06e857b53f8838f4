import { hasValue } from '../../paths/paths.ts'
import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { type Frame, toFrame } from '../frame.ts'
import { keysIn, pick, pickFrom, toObjects, toStatus, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { stackHeader } from '../stacks/stack-reader.ts'
import { causeKeys, classKeys, errorKeys, frameKeys, messageKeys, stackKeys } from './names.ts'
import { isClassName, looksThrown, readTitle } from './title.ts'

// An error in JSON of any sender: message, class, frames, and causes are read by their usual names.

const maxFrames = 100
const maxCauses = 20

/** Frames have few names, and the first ones in the lists are the most common. */
const valueIn = (frame: JsonRecord, keys: readonly string[]): unknown => {
  for (const key of keys) {
    const value = frame[key]
    if (value !== undefined && hasValue(value) && Object.hasOwn(frame, key)) return value
  }
  return undefined
}

const isOwn = (frame: JsonRecord): unknown =>
  typeof frame['library_frame'] === 'boolean' ? !frame['library_frame'] : valueIn(frame, frameKeys.inApp)

const isPython = (frame: JsonRecord): boolean => toText(valueIn(frame, frameKeys.file))?.endsWith('.py') === true

type Order = 'oldest' | 'newest'

/** Frames as objects, the newest first. Python and Sentry list the oldest call first, as set in the table. */
export const readFrames = (stack: unknown, order?: Order): Frame[] => {
  const listed = isRecord(stack) ? pick(stack, 'frames') : stack
  if (!Array.isArray(listed)) return []
  const found = toObjects(listed)
  const isOldestFirst = order === undefined ? found.some(isPython) : order === 'oldest'
  const newest = isOldestFirst ? found.slice(-maxFrames).reverse() : found.slice(0, maxFrames)
  return newest.map((frame) =>
    toFrame({
      file: valueIn(frame, frameKeys.file),
      line: valueIn(frame, frameKeys.line),
      function: valueIn(frame, frameKeys.function),
      module: valueIn(frame, frameKeys.module),
      inApp: isOwn(frame),
    }),
  )
}

/** FastAPI reports the location of an error in the body: `body.items.0.name: Field required`. */
const locationOf = (entry: JsonRecord): string =>
  Array.isArray(entry['loc']) ? `${entry['loc'].map((step) => toText(step)).join('.')}: ` : ''

/** Joins several messages (one per field). A message in an object belongs to that object. */
export const joinedText = (value: unknown): string | null => {
  if (isRecord(value)) {
    const text = toText(pick(value, 'message', 'msg', 'formatted', 'rendered', 'value', 'text', 'detail', 'title'))
    return text === null ? null : locationOf(value) + text
  }
  if (!Array.isArray(value)) return toText(value)
  const texts = value.slice(0, 50).map((entry) => (Array.isArray(entry) ? null : joinedText(entry)))
  return toText(texts.filter((text) => text !== null).join('; '))
}

export const firstText = (source: JsonRecord, keys: readonly string[]): string | null => {
  for (const key of keysIn(source, keys)) {
    const text = isRecord(source[key]) ? null : joinedText(source[key])
    if (text !== null) return text
  }
  return null
}

/** In PHP, a number is the kind of an error, not its name. */
const classesIn = (error: JsonRecord): readonly string[] =>
  keysIn(error, classKeys)
    .map((key) => toText(error[key]))
    .filter((text) => text !== null)
    .filter((text) => !/^\d{1,15}$/.test(text))

/** Of several names, prefers the one that looks like a class: `{type: 'BUILT_IN_ERROR', name: 'TypeError'}`. */
const classIn = (error: JsonRecord): string | null => {
  const names = classesIn(error)
  return names.find(looksThrown) ?? names[0] ?? null
}

const findInnerError = (error: JsonRecord): JsonRecord | undefined =>
  keysIn(error, errorKeys)
    .map((key) => error[key])
    .find(isRecord)

type FoundCause = { readonly exception: unknown; readonly message: unknown }

const toCause = (given: JsonRecord): FoundCause => {
  const cause = findInnerError(given) ?? given
  return { exception: classesIn(cause)[0], message: firstText(cause, messageKeys) }
}

export const readCauses = (error: JsonRecord): FoundCause[] => {
  const causes: FoundCause[] = []
  let next = pickFrom(error, causeKeys)
  while (next !== undefined && causes.length < maxCauses) {
    if (Array.isArray(next)) causes.push(...toObjects(next).slice(0, maxCauses).map(toCause))
    else if (isRecord(next)) causes.push(toCause(next))
    else if (typeof next === 'string') causes.push(stackHeader(next.slice(0, 2_000)))
    next = pickFrom(next, causeKeys)
  }
  return causes
}

const statusKeys = ['statusCode', 'status_code', 'status', 'httpStatus'] as const

/** `code` may be any name or number; only one that can be an HTTP error status counts as a status. */
const statusIn = (error: JsonRecord): number | null => {
  const named = toStatus(pickFrom(error, statusKeys))
  const code = named ?? toStatus(error['code'])
  return named ?? (code !== null && code >= 400 ? code : null)
}

/** tRPC and GraphQL put details of an error below it. */
const extended = (error: JsonRecord, keys: readonly string[]): unknown =>
  pickFrom(error, keys) ?? pickFrom(pick(error, 'data', 'extensions', 'meta', 'innererror', 'properties'), keys)

/** Node's system errors lose their message when they are serialized as JSON. */
const systemCall = (error: JsonRecord): string | null => {
  const [syscall, code] = [toText(error['syscall']), toText(error['code'])]
  if (syscall === null || code === null) return null
  const address = [toText(pick(error, 'address', 'hostname', 'path')), toText(error['port'])]
  return [syscall, code, address.filter((part) => part !== null).join(':')].join(' ').trim()
}

const fromObject = (error: JsonRecord, order?: Order): RecordDraft => {
  const inner = findInnerError(error)
  const message = firstText(error, messageKeys) ?? joinedText(error['message']) ?? systemCall(error)
  const stack = extended(error, stackKeys)
  const frames = readFrames(stack, order)
  if (inner !== undefined && firstText(error, messageKeys) === null) {
    const found = readErrorObject(inner, order)
    return found.frames?.length || toText(found.stack) !== null
      ? found
      : { ...found, frames, stack: frames.length > 0 ? null : stack }
  }
  return {
    message,
    exception: classIn(error),
    frames,
    stack: frames.length > 0 ? null : stack,
    causes: readCauses(error),
    file: valueIn(error, ['file', 'fileName', 'filename', 'File']),
    line: valueIn(error, ['line', 'lineNumber', 'lineno', 'Line']),
    status: statusIn(error) ?? extended(error, statusKeys),
    severity: pick(error, 'level', 'severity'),
  }
}

/** Lograge and others write `["RuntimeError", "boom"]`; others a list of errors, of which the first was raised. */
const fromList = (list: readonly unknown[], order?: Order): RecordDraft => {
  const [first, second] = list
  if (isRecord(first)) {
    const found = fromObject(first, order)
    return found.causes?.length ? found : { ...found, causes: toObjects(list).slice(1, maxCauses).map(toCause) }
  }
  const isPair = list.length === 2 && typeof first === 'string' && isClassName(first)
  return isPair ? { exception: first, message: second } : { stack: list }
}

/** Reads an error that is text, an object, or a list. */
export const readErrorObject = (error: unknown, order?: Order): RecordDraft => {
  if (Array.isArray(error)) return fromList(error, order)
  if (isRecord(error)) return fromObject(error, order)
  const text = toText(error)
  return text === null ? {} : readTitle(text)
}
