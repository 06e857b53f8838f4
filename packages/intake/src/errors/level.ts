import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { describesFailure } from './heuristics/failure-words.ts'
import type { ErrorRecord } from './record.ts'

// Which reports open a ticket. Whatever the format, the answer is made here and of the record alone.

/** What below a warning nobody wants to read about later: it is dropped, unless the workspace asks for it. */
const lowestKept: ErrorLevel = 'warning'

/** Words of other scales. An error of low importance is an error still: `low` and `p4` say how pressing it is. */
const levelOfWord: Readonly<Record<string, ErrorLevel>> = {
  none: 'info',
  ok: 'info',
  success: 'info',
  up: 'info',
  urgent: 'critical',
  blocker: 'critical',
  highest: 'critical',
  p0: 'critical',
  p1: 'critical',
  sev0: 'critical',
  sev1: 'critical',
}

const isLevel = (word: string): word is ErrorLevel => errorLevels.some((level) => level === word)

/** Others may note how something was answered, too. */
const isOfRequest = ({ message, method, url }: ErrorRecord): boolean =>
  message === null || method !== null || url !== null || /^[A-Z]{3,7} |requests?\b|response/i.test(message)

/** A line of an access log, of a request that did what it should. What failed may have been answered with 200 all the same. */
const isSuccess = (record: ErrorRecord): boolean => {
  const { status, exception, frames, message } = record
  const isAnswered = status !== null && status < 400 && isOfRequest(record)
  return isAnswered && exception === null && frames.length === 0 && !describesFailure(message)
}

/** How bad it is. A report that does not say, or says it in words of its own, is an error: that is what the route is for. */
export const levelOf = (record: ErrorRecord): ErrorLevel => {
  const { severity } = record
  if (severity === null) return isSuccess(record) ? 'info' : 'error'
  if (isLevel(severity)) return severity
  // Rules that always fire are of no severity. Where no rule fired, what says that something went wrong is an error.
  if (severity === 'none' && record.labels === null && describesFailure(record.message)) return 'error'
  return (Object.hasOwn(levelOfWord, severity) ? levelOfWord[severity] : undefined) ?? 'error'
}

/** Whether a report is at least as bad as the level. */
export const isAtLeast = (record: ErrorRecord, level: ErrorLevel): boolean =>
  errorLevels.indexOf(levelOf(record)) >= errorLevels.indexOf(level)

/** Whether a report is counted at all where tickets are opened from a level on. What is over is counted on its ticket. */
export const isKept = (record: ErrorRecord, minLevel: ErrorLevel): boolean =>
  record.recovered || isAtLeast(record, minLevel) || isAtLeast(record, lowestKept)
