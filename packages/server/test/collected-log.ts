import type { Log, LogFields } from '../src/index.ts'

export interface LogLine {
  readonly level: keyof Log
  readonly sentence: string
  readonly fields: LogFields
}

/** A log that collects its lines. */
export function collectedLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const level =
    (name: keyof Log) =>
    (sentence: string, fields: LogFields = {}) => {
      lines.push({ level: name, sentence, fields })
    }
  return { lines, info: level('info'), warn: level('warn'), error: level('error') }
}
