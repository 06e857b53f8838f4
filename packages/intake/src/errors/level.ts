import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { describesFailure } from './guess/failure-words.ts'
import type { ErrorRecord } from './record.ts'

// Decides which reports open a ticket, from the record alone, for all formats.

/** Reports below this level are dropped, unless the workspace sets a level or the report has the documented format. */
const lowestCounted: ErrorLevel = 'warning'

/** Words of other scales. `low` and `p4` mean urgency, so such an error is still an error. */
const levelOfWord: ReadonlyMap<string, ErrorLevel> = new Map([
  ...['none', 'ok', 'success', 'up'].map((word) => [word, 'info'] as const),
  ...['urgent', 'blocker', 'highest', 'p0', 'p1', 'sev0', 'sev1'].map((word) => [word, 'critical'] as const),
])

const isLevel = (word: string): word is ErrorLevel => errorLevels.some((level) => level === word)

/** Whether the status belongs to an HTTP request of the record. */
const isOfRequest = ({ message, method, url }: ErrorRecord): boolean =>
  message === null || method !== null || url !== null || /^[A-Z]{3,7} |requests?\b|response/i.test(message)

/** A line about a successful request. A failure may also have status 200, so the text must not describe one. */
const isSuccess = (record: ErrorRecord): boolean => {
  const { status, exception, frames, message } = record
  const isAnswered = status !== null && status < 400 && isOfRequest(record)
  return isAnswered && exception === null && frames.length === 0 && !describesFailure(message)
}

/** The level of a report. Without a known severity, it is an error. */
export const levelOf = (record: ErrorRecord): ErrorLevel => {
  const { severity } = record
  if (severity === null) return isSuccess(record) ? 'info' : 'error'
  if (isLevel(severity)) return severity
  // Alert rules that always fire have severity `none`. Without labels there is no alert rule.
  if (severity === 'none' && record.labels === null && describesFailure(record.message)) return 'error'
  return levelOfWord.get(severity) ?? 'error'
}

const isAtLeast = (record: ErrorRecord, level: ErrorLevel): boolean =>
  errorLevels.indexOf(levelOf(record)) >= errorLevels.indexOf(level)

export type GradedReport = {
  readonly record: ErrorRecord
  /** Whether it has the documented flat format. */
  readonly isDocumented: boolean
}

/** Whether a report opens a ticket. A documented one always does, unless the workspace has set a level. */
export const opensTicket = ({ record, isDocumented }: GradedReport, minLevel: ErrorLevel | null): boolean => {
  if (record.recovered) return false
  return minLevel === null ? isDocumented || isAtLeast(record, lowestCounted) : isAtLeast(record, minLevel)
}

/** Whether a report is counted at all. A recovery is counted on its ticket. */
export const isCounted = (report: GradedReport, minLevel: ErrorLevel | null): boolean =>
  report.record.recovered || opensTicket(report, minLevel) || isAtLeast(report.record, lowestCounted)

/** Whether a body of an unknown format says that nothing is wrong. */
export const isBelowTicketLevel = (record: ErrorRecord): boolean =>
  record.recovered || !isAtLeast(record, lowestCounted)
