import { type FrameKeys, readFrames } from '../formats/format.ts'
import type { Frame } from '../frame.ts'
import { isObject, type JsonObject, listOf, objectsOf, pick, textOf } from '../json.ts'
import type { Findings } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { headline } from '../stacks/reading.ts'
import { causeKeys, classKeysOfErrors, fileKeys, lineKeys, messageKeys, stackKeys } from './keys.ts'

// An error in JSON whose writer we do not know: the names that languages, frameworks and loggers give to the same things.

const frameKeys: Omit<FrameKeys, 'first'> = {
  file: [...fileKeys, 'path', 'source', 'abs_path', 'url'],
  line: lineKeys,
  function: ['function', 'method', 'methodName', 'method_name', 'func', 'function_name', 'functionName', 'name', 'fn'],
  inApp: (frame) => pick(frame, 'in_app', 'inApp', 'inProject', 'application_frame'),
}

const isPython = (frame: JsonObject) =>
  textOf(pick(frame, 'filename', 'file', 'pathname', 'path'))?.endsWith('.py') === true

/** Python alone lists the oldest call first. */
const framesOf = (stack: unknown): Frame[] => {
  const listed = isObject(stack) ? pick(stack, 'frames') : stack
  if (!Array.isArray(listed)) return []
  return readFrames(listed, { ...frameKeys, first: objectsOf(listed).some(isPython) ? 'oldest' : 'newest' })
}

/** Several messages (one for each field) read as one. */
export const joinedText = (value: unknown): string | null => {
  if (!Array.isArray(value)) return textOf(value)
  const texts = value
    .slice(0, 50)
    .map((entry) => textOf(entry) ?? textOf(pick(entry, 'message', 'msg', 'detail', 'title')))
  return textOf(texts.filter((text) => text !== null).join('; '))
}

export const firstText = (source: JsonObject, keys: readonly string[]): string | null => {
  for (const key of keys) {
    const text = joinedText(pick(source, key))
    if (text !== null) return text
  }
  return null
}

const mostCauses = 20

const causesOf = (error: JsonObject): { exception: unknown; message: unknown }[] => {
  const causes: { exception: unknown; message: unknown }[] = []
  for (
    let next = pick(error, ...causeKeys);
    next !== undefined && causes.length < mostCauses;
    next = pick(next, ...causeKeys)
  ) {
    if (isObject(next))
      causes.push({ exception: firstText(next, classKeysOfErrors), message: firstText(next, messageKeys) })
    else if (typeof next === 'string') causes.push(headline(next.slice(0, 2_000)))
  }
  return causes
}

/** What Ruby's `inspect` makes of an exception: `#<Redis::TimeoutError: no answer>`. */
const inspected = /^#<([A-Z][\w:]{0,250})(?:: ([\s\S]*))?>$/

/** A class by its look: no blanks, and a capital letter or a namespace in it. */
export const isClassName = (text: string): boolean =>
  text.length <= 250 &&
  /^[\w$\\.:*/@<>`]+$/.test(text) &&
  /[A-Z]|\\|\w\.\w|::/.test(text) &&
  !/^https?:|[:.]$/.test(text)

/** A class that is surely one. "Unauthorized" may be a class, and is more often the name of a status. */
export const looksThrown = (text: string): boolean =>
  isClassName(text) && /(?:Error|Exception|Fault|Failure|Warning|Throwable)$|\\|::/.test(text)

/** `TypeError: x is null`, a class alone, or a whole stack. */
const fromText = (text: string): Findings => {
  const ruby = inspected.exec(text.slice(0, 65_535))
  if (ruby) return { exception: ruby[1], message: ruby[2] }
  if (text.includes('\n')) return readStack(text) === null ? { message: text } : { stack: text }
  const title = headline(text)
  if (title.exception !== null && title.message !== null && looksThrown(title.exception)) return title
  return isClassName(text) ? { exception: text } : { message: text }
}

/** Lograge and others write `["RuntimeError", "boom"]`; structlog a list of errors, the one that was raised first. */
const fromList = (list: readonly unknown[]): Findings => {
  const [first, second] = list
  if (isObject(first)) {
    const [, ...causes] = objectsOf(list)
    const found = fromObject(first)
    return found.causes?.length
      ? found
      : {
          ...found,
          causes: causes.map((cause) => ({
            exception: firstText(cause, classKeysOfErrors),
            message: firstText(cause, messageKeys),
          })),
        }
  }
  if (list.length === 2 && typeof first === 'string' && isClassName(first)) return { exception: first, message: second }
  return { stack: list }
}

const fromObject = (error: JsonObject): Findings => {
  const stack = pick(error, ...stackKeys)
  const frames = framesOf(stack)
  const file = pick(error, ...fileKeys)
  return {
    message: firstText(error, messageKeys),
    exception: firstText(error, classKeysOfErrors),
    ...(file === undefined ? {} : { file, line: pick(error, ...lineKeys) }),
    frames,
    stack: frames.length > 0 ? null : stack,
    causes: causesOf(error),
    status: pick(error, 'statusCode', 'status_code', 'status'),
  }
}

/** Reads whatever stands where an error should: text, an object, or a list. */
export const readErrorObject = (error: unknown): Findings => {
  if (Array.isArray(error)) return fromList(listOf(error))
  if (isObject(error)) return fromObject(error)
  const text = textOf(error)
  return text === null ? {} : fromText(text)
}
