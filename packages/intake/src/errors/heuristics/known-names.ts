import { isObject, type JsonObject, keysIn, lineOf, pick, pickOf, textOf } from '../json.ts'
import { readLogText } from '../log-text.ts'
import type { RecordDraft } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { firstText, joinedText, readErrorObject, systemCall } from './error-object.ts'
import { classKeys, errorKeys, holdersOfErrors, messageKeys, nestingKeys, stackKeys, thrownKeys } from './keys.ts'
import { readRequestContext } from './request-context.ts'
import { readCaller, readSourceLocation } from './source-location.ts'
import { knownNamesOf } from './spelling.ts'
import { isClassName, looksThrown, readTitle } from './title.ts'
import { readValidation } from './validation.ts'

const isHeld = (value: unknown) => isObject(value) || (Array.isArray(value) && value.length > 0)

const heldIn = (holder: unknown): RecordDraft | null => {
  const key = keysIn(holder, errorKeys).find((candidate) => isHeld(pick(holder, candidate)))
  return key === undefined ? null : readErrorObject(pick(holder, key))
}

/**
 * An error that stands in the report as an object or a list knows more than the sentence beside it. Loggers put it below
 * what else was handed to them: `context.exception`, `fields.error`.
 */
const heldError = (report: JsonObject): RecordDraft | null => {
  const own = heldIn(report)
  if (own !== null || keysIn(report, errorKeys).length > 0) return own
  for (const holder of keysIn(report, holdersOfErrors)) {
    const found = heldIn(pick(report, holder))
    if (found !== null && readsAsThrown(found)) return found
  }
  return null
}

/** `details.reason` may be a list of anything. What was thrown has a class or a stack. */
const readsAsThrown = ({ exception, stack, frames = [] }: RecordDraft): boolean =>
  textOf(exception) !== null || textOf(stack) !== null || frames.length > 0

/** Whether all that an error says is what a system call came to: the sentence beside it says it better. */
const isOnlyCall = (report: JsonObject, message: unknown): boolean =>
  textOf(message) !== null &&
  keysIn(report, errorKeys).some((key) => isObject(report[key]) && systemCall(report[key]) === message)

/** An error that is only named. */
const namedError = (report: JsonObject): RecordDraft => {
  const key = keysIn(report, errorKeys).find((candidate) => textOf(pick(report, candidate)) !== null)
  const text = key === undefined ? null : textOf(report[key])
  if (key === undefined || text === null) return {}
  const found = readTitle(text)
  if (/exception|thrown|throwable/i.test(key)) {
    // Whatever an `exception` says beside a message is the exception's name.
    const isName =
      found.exception === undefined && found.stack === undefined && pick(report, 'message', 'msg') !== undefined
    return isName ? { exception: text } : found
  }
  // "Forbidden" under `error` is the name of a status.
  return typeof found.exception === 'string' && !looksThrown(found.exception) ? { message: text } : found
}

/** `class` may be who logged the line, in a namespace of its own: the stack tells what was thrown. */
const classNamed = (report: JsonObject): string | null => {
  const text = textOf(pickOf(report, classKeys))
  if (text === null || text !== textOf(report['class']) || looksThrown(text)) return text
  return looksThrown(readStack(pickOf(report, stackKeys))?.exception ?? '') ? null : text
}

const classOf = (report: JsonObject): string | null =>
  classNamed(report) ??
  [report['name'], report['type']].map(textOf).find((text) => text !== null && looksThrown(text)) ??
  nameThatIsCode(report) ??
  nameBesideStack(report)

/** AWS's clients name an error by its code. */
const nameThatIsCode = (report: JsonObject): string | null => {
  const name = textOf(report['name'])
  return name !== null && isClassName(name) && [report['code'], report['Code']].includes(name) ? name : null
}

/** An error is named beside its stack, which does not repeat the name, or was made before the error was named. */
const nameBesideStack = (report: JsonObject): string | null => {
  const name = textOf(report['name'])
  if (name === null || !isClassName(name)) return null
  const stack = readStack(pickOf(report, stackKeys))
  if (stack === null || stack.frames.length === 0) return null
  // A logger's name stands beside its process.
  const isBare = stack.exception === 'Error' && pick(report, 'pid') === undefined
  return stack.exception === null || isBare ? name : null
}

/** LogDNA calls a printed line `line`; elsewhere that is a number. */
const printedLine = ({ line }: JsonObject): string | null => {
  const text = lineOf(line) === null ? textOf(line) : null
  return text?.trim().includes(' ') ? text : null
}

const messageKeysButValue = messageKeys.filter((key) => key !== 'value')

/** A value without a word in it is what was measured. */
const saidIn = (report: JsonObject): string | null => {
  const text = firstText(report, messageKeys)
  if (text === null || text !== textOf(report['value']) || /\p{L}/u.test(text)) return text
  return firstText(report, messageKeysButValue)
}

/** Programs print the level in front, and so it stands in what collects their lines; a sentence may begin with the word. */
const levelInFront = /^(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL) {1,4}\S/
const levelOfLine = (report: JsonObject, message: string | null): string | null =>
  message !== null && [report['log'], report['line']].includes(message)
    ? (levelInFront.exec(message)?.[1] ?? null)
    : null

/** A message may hold the whole stack, headline included. */
const readMessage = (report: JsonObject): RecordDraft => {
  const message =
    saidIn(report) ??
    joinedText(pick(report, 'message', 'detail', 'error_message')) ??
    printedLine(report) ??
    systemCall(report)
  const reading = message?.includes('\n') ? readStack(message) : null
  if (reading === null || reading.frames.length === 0) return { message, severity: levelOfLine(report, message) }
  const severity = message === null ? null : readLogText(message)?.severity
  return { message: reading.message ?? message, exception: reading.exception, stack: message, severity }
}

const says = (report: JsonObject): boolean =>
  firstText(report, messageKeys) !== null ||
  pickOf(report, errorKeys) !== undefined ||
  (isObject(report['message']) && says(report['message']))

/** `error_occurred` under `event` names what was sent; a sentence there is the message. */
const saysNoMore = (report: JsonObject): boolean => {
  const said = firstText(report, messageKeys)
  return said === null || (/^[\w.:-]{1,100}$/.test(said) && [report['event'], report['event_name']].includes(said))
}

const deepestNesting = 3

/** A report that says nothing itself and holds one that does. */
const insideOf = (report: JsonObject, depth = 0): JsonObject | null => {
  if (depth >= deepestNesting || keysIn(report, thrownKeys).length > 0) return null
  if (!saysNoMore(report)) return null
  const held = keysIn(report, nestingKeys)
    .map((key) => report[key])
    .filter(isObject)
  return held.find((one) => says(one) || insideOf(one, depth + 1) !== null) ?? null
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

/** The later over the earlier, where it says something. */
export const layered = (...layers: readonly RecordDraft[]): RecordDraft => {
  const found: Record<string, unknown> = {}
  for (const layer of layers) {
    const fields: Readonly<Record<string, unknown>> = layer
    for (const field in fields) if (isSaid(fields[field])) found[field] = fields[field]
  }
  return found
}

/** Trackers that tell of an error put its project and its address into it. A path there may be a file's. */
const around = (report: JsonObject): RecordDraft => {
  const error = keysIn(report, errorKeys)
    .map((key) => report[key])
    .find(isObject)
  if (error === undefined) return {}
  const { url, app } = readRequestContext(error)
  return { app, ...(/^https?:/.test(textOf(url) ?? '') ? { url } : {}) }
}

export const hasPlace = (found: RecordDraft): boolean =>
  textOf(found.file) !== null || (found.frames?.length ?? 0) > 0 || (readStack(found.stack)?.frames.length ?? 0) > 0

/** Beside an error that has a class, `class` may be who logged it. */
const classBeside = (thrown: unknown, named: unknown): unknown =>
  looksThrown(textOf(thrown) ?? '') && !looksThrown(textOf(named) ?? '') ? thrown : null

/** What the names tell that are known: its error object, what stands beside it, and what surrounds both. */
export const readKnownNames = (given: JsonObject): RecordDraft => {
  const report = knownNamesOf(given)
  const surroundings = layered(around(report), readRequestContext(report))
  const inside = insideOf(report)
  if (inside) return layered(surroundings, readSourceLocation(report), readKnownNames(inside))
  const held = heldError(report)
  const { message, ...error } = held ?? namedError(report)
  const {
    stack,
    frames = [],
    causes = [],
  } = readErrorObject({
    stack: pickOf(report, stackKeys),
    cause: pick(report, 'cause', 'previous', 'innerException', 'InnerException'),
  })
  const own = layered(
    readMessage(report),
    { stack, frames, causes, exception: classOf(report) },
    readSourceLocation(report),
  )
  // `err: "TypeError: no cart"` says more than what is noted beside it.
  const isTitled = textOf(error.exception) !== null && pick(report, 'message', 'msg') === undefined
  const titled = isTitled ? { message } : {}
  const found = layered(
    { message: readValidation(given) },
    { message },
    surroundings,
    error,
    own,
    held === null
      ? titled
      : {
          message: isOnlyCall(report, message) ? null : message,
          exception: classBeside(held.exception, own.exception),
        },
  )
  const complete = {
    ...found,
    status: surroundings.status ?? error.status,
    severity: surroundings.severity ?? error.severity ?? found.severity,
  }
  return hasPlace(complete) ? complete : layered(complete, readCaller(report))
}
