import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { severityName } from '../severity.ts'

/** A line without what the program that printed it put in front of the sentence. */
export type PrintedLine = {
  readonly message: string
  readonly severity: ErrorLevel | null
  readonly file: string | null
  readonly line: string | null
}

export const levelIn = (token: string): ErrorLevel | null => {
  const name = severityName(token)
  return errorLevels.find((level) => level === name) ?? null
}

/** What stands behind a head that names a level; null when it names none. */
export const saidBehind = (text: string, head: string | undefined, level: string): PrintedLine | null => {
  const severity = levelIn(level)
  return head === undefined || severity === null
    ? null
    : { message: text.slice(head.length).trim(), severity, file: null, line: null }
}
