import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { severityName } from '../severity.ts'

/** A line without its printed head. */
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
