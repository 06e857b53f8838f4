import { type FrameKeys, readFrames } from '../formats/format.ts'
import type { Frame } from '../frame.ts'
import { isObject, type JsonObject, keysIn, objectsOf, pick, pickOf, statusOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { stackHeader } from '../stacks/stack-reader.ts'
import { causeKeys, classKeysOfErrors, errorKeys, fileKeys, messageKeys, stackKeys } from './keys.ts'
import { readSourceLocation } from './source-location.ts'
import { isClassName, looksThrown, readTitle } from './title.ts'

// An error in JSON whose writer we do not know.

const frameKeys: Omit<FrameKeys, 'first'> = {
  file: [...fileKeys, 'path', 'source', 'abs_path', 'url'],
  line: ['line', 'lineno', 'lineNumber', 'line_number', 'LineNumber', 'lineNo', 'line_no'],
  function: ['function', 'method', 'methodName', 'method_name', 'func', 'function_name', 'functionName', 'name', 'fn'],
  module: ['className', 'class_name', 'classname', 'declaringClass', 'module'],
  inApp: (frame) => pick(frame, 'in_app', 'inApp', 'inProject', 'application_frame'),
}

const isPython = (frame: JsonObject) => textOf(pick(frame, ...frameKeys.file))?.endsWith('.py') === true

/** Python alone lists the oldest call first. */
const framesOf = (stack: unknown): Frame[] => {
  const listed = isObject(stack) ? pick(stack, 'frames') : stack
  if (!Array.isArray(listed)) return []
  return readFrames(listed, { ...frameKeys, first: objectsOf(listed).some(isPython) ? 'oldest' : 'newest' })
}

/** Several messages (one for each field) read as one; a message in an object is that object's. */
export const joinedText = (value: unknown): string | null => {
  if (isObject(value))
    return textOf(pick(value, 'message', 'msg', 'formatted', 'rendered', 'value', 'text', 'detail', 'title'))
  if (!Array.isArray(value)) return textOf(value)
  const texts = value.slice(0, 50).map((entry) => (Array.isArray(entry) ? null : joinedText(entry)))
  return textOf(texts.filter((text) => text !== null).join('; '))
}

const textAt = (source: JsonObject, key: string): string | null => {
  const value = pick(source, key)
  return isObject(value) ? null : joinedText(value)
}

export const firstText = (source: JsonObject, keys: readonly string[]): string | null => {
  for (const key of keysIn(source, keys)) {
    const text = textAt(source, key)
    if (text !== null) return text
  }
  return null
}

type FoundCause = { readonly exception: unknown; readonly message: unknown }

const toCause = (cause: JsonObject): FoundCause => ({
  exception: classesIn(cause)[0],
  message: firstText(cause, messageKeys),
})

const mostCauses = 20

const causesOf = (error: JsonObject): FoundCause[] => {
  const causes: FoundCause[] = []
  let next = pickOf(error, causeKeys)
  while (next !== undefined && causes.length < mostCauses) {
    if (isObject(next)) causes.push(toCause(next))
    else if (typeof next === 'string') causes.push(stackHeader(next.slice(0, 2_000)))
    next = pickOf(next, causeKeys)
  }
  return causes
}

/** `code` is the name or number of anything; only what can be the status of a failed answer counts as one. */
const statusIn = (error: JsonObject): number | null => {
  const named = [error['statusCode'], error['status_code'], error['status'], error['httpStatus']].map(statusOf)
  const code = statusOf(error['code'])
  return named.find((status) => status !== null) ?? (code !== null && code >= 400 ? code : null)
}

/** tRPC and GraphQL put what they know of an error below it. */
const extended = (error: JsonObject, keys: readonly string[]): unknown =>
  pickOf(error, keys) ?? pickOf(pick(error, 'data', 'extensions', 'meta', 'innererror', 'properties'), keys)

/** A number is PHP's for the kind of an error, and no name. */
const classesIn = (error: JsonObject): readonly string[] =>
  keysIn(error, classKeysOfErrors)
    .map((key) => textOf(error[key]))
    .filter((text) => text !== null)
    .filter((text) => !/^\d{1,15}$/.test(text))

/** Of several names the one that looks like a class: `{type: 'BUILT_IN_ERROR', name: 'TypeError'}`. */
const classIn = (error: JsonObject): string | null => {
  const names = classesIn(error)
  return names.find(looksThrown) ?? names[0] ?? null
}

/** Errors of Node's system calls lose their sentence when they are written as JSON. */
export const systemCall = (error: JsonObject): string | null => {
  const [syscall, code] = [textOf(error['syscall']), textOf(error['code'])]
  if (syscall === null || code === null) return null
  const address = textOf(pick(error, 'address', 'hostname', 'path'))
  const port = textOf(error['port'])
  return [syscall, code, [address, port].filter((part) => part !== null).join(':')].join(' ').trim()
}

const extendedStatus = ['httpStatus'] as const

/** Google's APIs name an error by its canonical code, beside the status of the answer. */
const canonicalCode =
  /^(?:CANCELLED|UNKNOWN|INVALID_ARGUMENT|DEADLINE_EXCEEDED|NOT_FOUND|ALREADY_EXISTS|PERMISSION_DENIED|UNAUTHENTICATED|RESOURCE_EXHAUSTED|FAILED_PRECONDITION|ABORTED|OUT_OF_RANGE|UNIMPLEMENTED|INTERNAL|UNAVAILABLE|DATA_LOSS)$/
const canonicalName = ({ code, status }: JsonObject): string | null =>
  typeof code === 'number' && canonicalCode.test(textOf(status) ?? '') ? textOf(status) : null

const fromObject = (error: JsonObject): RecordDraft => {
  const inner = keysIn(error, errorKeys)
    .map((key) => error[key])
    .find(isObject)
  if (inner !== undefined && firstText(error, messageKeys) === null) return readErrorObject(inner)
  const stack = extended(error, stackKeys)
  const frames = framesOf(stack)
  const place = readSourceLocation(error)
  return {
    message: firstText(error, messageKeys) ?? joinedText(error['message']) ?? systemCall(error),
    exception: classIn(error) ?? canonicalName(error),
    ...(place.file === undefined ? {} : place),
    frames,
    stack: frames.length > 0 ? null : stack,
    causes: causesOf(error),
    status: statusIn(error) ?? extended(error, extendedStatus),
    severity: pick(error, 'level', 'severity'),
  }
}

/** Lograge and others write `["RuntimeError", "boom"]`; structlog a list of errors, the one that was raised first. */
const fromList = (list: readonly unknown[]): RecordDraft => {
  const [first, second] = list
  if (isObject(first)) {
    const found = fromObject(first)
    return found.causes?.length ? found : { ...found, causes: objectsOf(list).slice(1, mostCauses).map(toCause) }
  }
  const isPair = list.length === 2 && typeof first === 'string' && isClassName(first)
  return isPair ? { exception: first, message: second } : { stack: list }
}

/** Reads whatever stands where an error should: text, an object, or a list. */
export const readErrorObject = (error: unknown): RecordDraft => {
  if (Array.isArray(error)) return fromList(error)
  if (isObject(error)) return fromObject(error)
  const text = textOf(error)
  return text === null ? {} : readTitle(text)
}
