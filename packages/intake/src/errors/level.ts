import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { describesFailure } from './guess/failure-words.ts'
import type { ErrorRecord } from './record.ts'

// Which reports open a ticket. Whatever the format, the answer is made here and of the record alone.

/** Reports below this level are dropped, unless the workspace asks for them or they are documented ones. */
const lowestKept: ErrorLevel = 'warning'

/** Words of other scales. An error of low importance is an error still: `low` and `p4` say how pressing it is. */
const levelOfWord: ReadonlyMap<string, ErrorLevel> = new Map([
  ...['none', 'ok', 'success', 'up'].map((word) => [word, 'info'] as const),
  ...['urgent', 'blocker', 'highest', 'p0', 'p1', 'sev0', 'sev1'].map((word) => [word, 'critical'] as const),
])

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
  return levelOfWord.get(severity) ?? 'error'
}

const isAtLeast = (record: ErrorRecord, level: ErrorLevel): boolean =>
  errorLevels.indexOf(levelOf(record)) >= errorLevels.indexOf(level)

export type GradedReport = {
  readonly record: ErrorRecord
  /** Whether it came in the flat shape that the platform documents. */
  readonly isDocumented: boolean
}

/** Whether a report opens a ticket. A documented one always does, unless the workspace has set a level. */
export const opensTicket = ({ record, isDocumented }: GradedReport, minLevel: ErrorLevel | null): boolean => {
  if (record.recovered) return false
  return minLevel === null ? isDocumented || isAtLeast(record, lowestKept) : isAtLeast(record, minLevel)
}

/** Whether a report is counted at all. What is over is counted on its ticket. */
export const isKept = (report: GradedReport, minLevel: ErrorLevel | null): boolean =>
  report.record.recovered || opensTicket(report, minLevel) || isAtLeast(report.record, lowestKept)

/** Whether a body of an unknown format says that nothing is wrong. */
export const isQuiet = (record: ErrorRecord): boolean => record.recovered || !isAtLeast(record, lowestKept)
