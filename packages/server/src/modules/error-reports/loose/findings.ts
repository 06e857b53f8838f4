import { splitLocation } from '../frame.ts'
import { has, isObject, type JsonObject, pick, textOf } from '../json.ts'
import type { Findings } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { firstText, joinedText, looksThrown, readErrorObject } from './error-object.ts'
import { callerKeys, classKeys, errorKeys, fileKeys, lineKeys, messageKeys, nestingKeys, stackKeys } from './keys.ts'
import { readSurroundings } from './surroundings.ts'

const isError = (value: unknown) => isObject(value) || (Array.isArray(value) && value.length > 0)

/** The error inside of a report. Objects and lists first: a text `error` beside an `err` object is only its title. */
const errorOf = (report: JsonObject): Findings => {
  const held = errorKeys.find((key) => isError(pick(report, key)))
  if (held !== undefined) return readErrorObject(report[held])
  const named = errorKeys.find((key) => textOf(pick(report, key)) !== null)
  if (named === undefined) return {}
  const found = readErrorObject(report[named])
  // "Forbidden" under `error` is the name of a status; under `exception` it is a class.
  const isPhrase =
    !/exception|thrown|throwable/i.test(named) && typeof found.exception === 'string' && !looksThrown(found.exception)
  return isPhrase ? { message: report[named] } : found
}

const classOf = (report: JsonObject): string | null =>
  textOf(pick(report, ...classKeys)) ??
  [report['name'], report['type']].map(textOf).find((text) => text !== null && looksThrown(text)) ??
  null

/** `{errors: {field: ["is required"]}}`, or the fields at the top, when that is all a report says. */
const validationOf = (report: JsonObject): string | null => {
  const fields = isObject(report['errors']) ? report['errors'] : report
  const lists = Object.entries(fields)
    .slice(0, 50)
    .filter(
      ([, value]) => Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string'),
    )
  if (lists.length === 0) return joinedText(report['errors'])
  return lists.map(([field, texts]) => `${field}: ${joinedText(texts) ?? ''}`).join('; ')
}

/** Where the report says it happened. `source` is a file only beside a line: it names services, too. */
const placeOf = (report: JsonObject): Findings => {
  const line = pick(report, ...lineKeys)
  const file = pick(report, ...fileKeys) ?? (line === undefined ? undefined : pick(report, 'source', 'script'))
  if (textOf(file) === null) return { line }
  return line === undefined ? splitLocation(file) : { file, line }
}

/** Where a line was logged stands in for the place of the error when nothing else tells it. */
const callerOf = (report: JsonObject): Findings => {
  const caller = pick(report, ...callerKeys) ?? (isObject(report['source']) ? report['source'] : undefined)
  const split = splitLocation(isObject(caller) ? pick(caller, ...fileKeys) : caller)
  const line = split.line ?? pick(isObject(caller) ? caller : report, ...lineKeys)
  return split.file === null || line === undefined || !/[./\\]/.test(split.file) ? {} : { file: split.file, line }
}

/** A report that says nothing itself and holds one that does. */
const insideOf = (report: JsonObject): JsonObject | null => {
  if ([...errorKeys, ...stackKeys].some((key) => has(report, key)) || firstText(report, messageKeys) !== null)
    return null
  const inside = nestingKeys.map((key) => report[key]).find((value) => isObject(value) && says(value))
  return isObject(inside) ? inside : null
}

const says = (report: JsonObject): boolean =>
  firstText(report, messageKeys) !== null || errorKeys.some((key) => pick(report, key) !== undefined)

/** The second over the first, where it says something. */
const over = (first: Findings, second: Findings): Findings => {
  const said = Object.entries(second).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return { ...first, ...Object.fromEntries(said) }
}

/** A message may hold the whole stack, headline included. */
const messageAndStack = (report: JsonObject): Findings => {
  const message = firstText(report, messageKeys)
  const reading = message?.includes('\n') ? readStack(message) : null
  if (reading === null || reading.frames.length === 0) return { message }
  return { message: reading.message ?? message, exception: reading.exception, stack: message }
}

/** Reads a report of unknown origin: what its error object says, then what stands beside it. */
export const looseFindings = (report: JsonObject): Findings => {
  const inside = insideOf(report)
  if (inside !== null) return over({ ...readSurroundings(report), ...placeOf(report) }, looseFindings(inside))
  const { stack, frames = [] } = readErrorObject({ stack: pick(report, ...stackKeys) })
  const error = errorOf(report)
  const own = over(over(messageAndStack(report), { stack, frames }), { exception: classOf(report), ...placeOf(report) })
  const surroundings = readSurroundings(report)
  // A text beside a message only repeats it; an error object knows better than the logger's sentence.
  const { message, ...rest } = error
  const isHeld = errorKeys.some((key) => isError(pick(report, key)))
  const found = over(over(surroundings, rest), over(own, isHeld ? { message } : {}))
  const status = surroundings.status ?? error.status
  const complete = { ...found, status, message: found.message ?? message ?? validationOf(report) }
  const placed = complete.file != null || (complete.frames?.length ?? 0) > 0 || readStack(complete.stack) !== null
  return placed ? complete : over(complete, callerOf(report))
}
