import { isObject, type JsonObject, pickOf, statusOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { severityName } from '../severity.ts'
import { readStack } from '../stacks/index.ts'
import { firstText, readErrorObject } from './error-object.ts'
import { extractFacts } from './extract-facts.ts'
import { namesError } from './failure-words.ts'
import { classKeysOfErrors, messageKeys, stackKeys } from './keys.ts'
import { hasPlace, layered, readKnownNames } from './known-names.ts'
import { isErrorsMessage, isSaidBetter } from './rank-message.ts'
import { isGraded } from './rank-severity.ts'
import { withKnownSpelling } from './spelling.ts'
import { classAndMessage, looksThrown } from './title.ts'
import { type Place, placesIn } from './walk.ts'

/** Whether a class of errors or a stack was found. */
export const isThrown = ({ exception, stack, frames = [] }: RecordDraft): boolean =>
  looksThrown(textOf(exception) ?? '') || textOf(stack) !== null || frames.length > 0

const keysOfThrown = [...classKeysOfErrors, ...stackKeys]

/** An error that stands below names that nobody foresaw. */
const errorAnywhere = (places: readonly Place[]): RecordDraft | null => {
  for (const { value, depth } of places) {
    if (depth === 0 || !isObject(value)) continue
    const object = withKnownSpelling(value)
    if (firstText(object, messageKeys) === null || pickOf(object, keysOfThrown) === undefined) continue
    const found = readErrorObject(object)
    if (isThrown(found)) return found
  }
  return null
}

/** A word below is any value, where the report says a sentence. */
const unlessWord = (error: RecordDraft | null, { message }: RecordDraft): RecordDraft => {
  const isWord = textOf(message) !== null && /^[\w.:-]{1,100}$/.test(textOf(error?.message) ?? '')
  return error !== null && isWord ? { ...error, message: null } : (error ?? {})
}

/** `order.failed` names the note, not what went wrong. */
const namesOnly = (report: JsonObject, message: unknown): boolean =>
  typeof message === 'string' &&
  /^[\w.:-]{1,100}$/.test(message) &&
  ['event', 'event_name', 'type', 'action', 'event_type', 'eventType'].some((key) => report[key] === message)

/** The whole stack is no sentence; what it says is read from it. */
const sentenceOf = ({ message, stack }: RecordDraft): unknown =>
  message === stack && readStack(stack)?.message != null ? null : message

/** `severity: permanent` beside `log_level: error` grades something else. */
const isUnknown = (severity: unknown): boolean => typeof severity === 'string' && !isGraded(severityName(severity))

/** Who calls something an error means it, whatever kind of note it is and however the request was answered. */
const gradeIn = (report: JsonObject, { severity, status }: RecordDraft, isError: boolean): unknown => {
  if (!isError) return severity
  const isKind = severity !== null && severityName(report['type']) === severity
  return isKind || severity === null ? gradeOfAnswer(status) : severity
}

const gradeOfAnswer = (status: unknown): string | null => ((statusOf(status) ?? 500) < 400 ? 'error' : null)

/** Reads a report of unknown origin: first by the names that are known, and the rest by what its names have in common. */
export const guessRecord = (report: JsonObject, places: readonly Place[] = placesIn(report)): RecordDraft => {
  const found = readKnownNames(report)
  const extracted = extractFacts(places)
  const error = isThrown(found) || hasPlace(found) ? null : errorAnywhere(places)
  const place = hasPlace(found) || error !== null ? { file: null, line: null, frames: [], stack: null } : {}
  const isReplaced =
    extracted.message !== null && (namesOnly(report, found.message) || isSaidBetter(places, found.message))
  const said = readStack(found.stack)
  const message = said?.message == null ? sentenceOf(extracted) : null
  const exception = said?.exception == null ? extracted.exception : null
  const isError = namesError(report) || isErrorsMessage(places, found.message ?? extracted.message)
  const severity = isUnknown(found.severity) ? extracted.severity : null
  const complete = withTitle(
    layered(
      {
        ...extracted,
        message,
        exception,
        ...place,
        severity: gradeIn(report, { ...extracted, status: found.status ?? extracted.status }, isError),
      },
      isReplaced ? { ...found, message: null } : found,
      unlessWord(error, found),
      {
        severity,
      },
    ),
  )
  return isPythons(complete) ? { ...complete, severityScale: 'python' } : complete
}

/** 40 is an error in Python and a warning elsewhere: what was thrown tells who counts. */
const isPythons = ({ stack, severity }: RecordDraft): boolean =>
  typeof stack === 'string' &&
  stack.includes('Traceback (most recent call last)') &&
  /^[1-5]0$/.test(textOf(severity) ?? '')

/** Names that every class of errors could have. */
const bareClass = /^(?:Error|Exception|Throwable|Failure|Fault)$/i

/** `NullReferenceException: no cart` as the message, where the report names no class, or no better one. */
export const withTitle = (found: RecordDraft): RecordDraft => {
  const [message, exception] = [textOf(found.message), textOf(found.exception)]
  if (message === null || message.includes('\n') || (exception !== null && !bareClass.test(exception))) return found
  const title = classAndMessage(message)
  if (title.exception === null || title.message === null || !looksThrown(title.exception)) return found
  return bareClass.test(title.exception) ? found : { ...found, ...title }
}
