import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { keysIn, pick, toStatus, toText } from '../json.ts'
import { nameTest } from '../memoize.ts'
import type { RecordDraft } from '../record.ts'
import { severityName } from '../severity.ts'
import { readStack } from '../stacks/index.ts'
import { firstText, readCauses, readErrorObject } from './error-object.ts'
import { findFacts } from './facts.ts'
import { namesError } from './failure-words.ts'
import { isErrorsMessage } from './message.ts'
import { classKeys, errorKeys, messageKeys, stackKeys } from './names.ts'
import { isClassName, looksThrown, readTitle } from './title.ts'
import { type ReportNode, walkReport } from './walk.ts'

/** Whether a class of errors or a stack was found. */
export const isThrown = ({ exception, stack, frames = [] }: RecordDraft): boolean =>
  looksThrown(toText(exception) ?? '') || toText(stack) !== null || Array.isArray(stack) || frames.length > 0

const isError = nameTest(
  /^(?:errors?|exceptions?|err|exc|thrown|throwable|exceptionobject|failure|reason|x|originalerror|lasterror)$/,
)
const thrownKeys = [...classKeys, ...stackKeys]

/** An error object or a list of errors is more specific than a message next to it. */
const findErrorObject = (report: JsonRecord, nodes: readonly ReportNode[]): RecordDraft | null => {
  for (const { key, value, depth, isListed } of nodes) {
    const isHeld = isRecord(value) || (Array.isArray(value) && value.length > 0)
    if (depth === 0 || isListed || !isHeld || !isError(key)) continue
    const found = readErrorObject(value)
    const reads = depth === 1 && isRecord(value) ? (found.message ?? found.exception) : found.exception
    if (isThrown(found) || toText(reads) !== null) return found
  }
  return titledError(report) ?? (isThrown(readErrorObject(report)) ? null : errorAnywhere(nodes))
}

/** `err: "TypeError: no cart"` is more specific than the log message next to it. */
const titledError = (report: JsonRecord): RecordDraft | null => {
  for (const key of keysIn(report, errorKeys)) {
    const { exception, message } = typeof report[key] === 'string' ? readTitle(report[key]) : {}
    if (!looksThrown(toText(exception) ?? '')) continue
    return { exception, message: toText(pick(report, 'message', 'msg')) === null ? message : null }
  }
  return null
}

/** An error under any name: an object with a message and a class or a stack. */
const errorAnywhere = (nodes: readonly ReportNode[]): RecordDraft | null => {
  for (const { value, depth } of nodes) {
    if (depth === 0 || !isRecord(value) || keysIn(value, thrownKeys).length === 0) continue
    if (firstText(value, messageKeys) === null) continue
    const found = readErrorObject(value)
    if (isThrown(found)) return found
  }
  return null
}

const isWord = (text: unknown): boolean => /^[\w.:-]{1,100}$/.test(toText(text) ?? '')
/** The result of a system call. The message next to it is better. */
const isCall = (text: unknown): boolean => /^[a-z]{2,20} E[A-Z]{2,20}(?: |$)/.test(toText(text) ?? '')

const chooseMessage = (errorMessage: unknown, reportMessage: unknown): unknown => {
  if (toText(errorMessage) === null) return reportMessage
  return toText(reportMessage) !== null &&
    (isWord(errorMessage) || isCall(errorMessage)) &&
    reportMessage !== errorMessage
    ? reportMessage
    : errorMessage
}

/** The name is next to a stack that does not repeat it, or that was captured before the error was named. */
const nameBesideStack = (report: JsonRecord, stack: unknown): string | null => {
  const name = toText(report['name'])
  if (name === null || !isClassName(name) || toText(report['pid']) !== null) return null
  const reading = readStack(stack)
  if (reading === null || reading.frames.length === 0) return null
  return reading.exception === null || reading.exception === 'Error' ? name : null
}

/** A text under `exception` next to a message is the name of the exception. */
const namedBeside = (report: JsonRecord, message: unknown): string | null => {
  const name = toText(report['exception'])
  return name === null || name === message || name.includes('\n') || /: /.test(name) ? null : name
}

const chooseClass = (report: JsonRecord, error: RecordDraft, facts: RecordDraft): unknown => {
  const [own, found] = [toText(error.exception), toText(facts.exception)]
  if (own !== null) return own
  const isLogger = found !== null && toText(report['class']) === found && !looksThrown(found)
  const named = found === null || found === 'Error' ? nameBesideStack(report, facts.stack ?? error.stack) : null
  return named ?? (isLogger ? null : found) ?? namedBeside(report, facts.message)
}

const chooseLocation = (error: RecordDraft, facts: RecordDraft): RecordDraft => {
  const hasLocation = (error.frames?.length ?? 0) > 0 || (readStack(error.stack)?.frames.length ?? 0) > 0
  const { file, line, frames = [], stack } = hasLocation ? error : facts
  return { file, line, frames, stack: stack ?? error.stack }
}

/** What a report calls an error is one, regardless of its kind and of the request's status. */
const chooseSeverity = (report: JsonRecord, { severity, status }: RecordDraft, isCalledError: boolean): unknown => {
  if (!isCalledError) return severity
  const isKind = toText(severity) !== null && severityName(report['type']) === severity
  return isKind || toText(severity) === null ? gradeOfAnswer(status) : severity
}

const gradeOfAnswer = (status: unknown): string | null => ((toStatus(status) ?? 500) < 400 ? 'error' : null)

/** 40 is an error in Python and a warning elsewhere. A Python traceback settles it. */
const isPythons = ({ stack, severity }: RecordDraft): boolean =>
  typeof stack === 'string' &&
  stack.includes('Traceback (most recent call last)') &&
  /^[1-5]0$/.test(toText(severity) ?? '')

/** Node loggers write their name next to the process id and the host. Elsewhere a name may be anything. */
const nameOfLogger = (report: JsonRecord): unknown =>
  toText(report['pid']) !== null && toText(report['hostname']) !== null ? report['name'] : undefined

/** Programs print the level before a line, and log collectors keep it there. */
const levelInFront = /^(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL) {1,4}\S/
const levelOfLine = (report: JsonRecord, message: unknown): string | undefined =>
  [report['log'], report['line']].includes(message) ? levelInFront.exec(toText(message) ?? '')?.[1] : undefined

/** Reads a report of an unknown format by its common field names. */
export const guessRecord = (report: JsonRecord, nodes: readonly ReportNode[] = walkReport(report)): RecordDraft => {
  const facts = findFacts(nodes)
  const error = findErrorObject(report, nodes) ?? {}
  const message = chooseMessage(error.message, facts.message)
  const status = facts.status ?? error.status
  const severity = facts.severity ?? error.severity ?? levelOfLine(report, message) ?? pick(report, 'severity', 'level')
  const isCalledError = namesError(report) || isErrorsMessage(nodes, message)
  const found: RecordDraft = {
    ...facts,
    ...chooseLocation(error, facts),
    message,
    exception: chooseClass(report, error, facts),
    causes: error.causes?.length ? error.causes : readCauses(report),
    app: facts.app ?? nameOfLogger(report),
    status,
    severity: chooseSeverity(report, { severity, status }, isCalledError),
  }
  return isPythons(found) ? { ...found, severityScale: 'python' } : found
}
