import type { JsonRecord } from '../../sanitize/json-path.ts'
import { type ReportLimits, tooLarge } from './decode-error.ts'

/** Lines of a stack belong to the sentence above them; Python prints its sentence below. */
const continues = /^(?:\s|Caused by: |Stack trace:|#\d{1,4} |Traceback \(most recent call last\))/
const belowPython = /^[\w.]{1,200}(?:: |$)/

const isBelowPython = (entry: string, line: string): boolean =>
  entry.includes('Traceback (most recent call last)') &&
  /\n\s[^\n]{0,1000}$/.test(entry.slice(-1_000)) &&
  belowPython.test(line)

/** Splits printed text into reports, one per line. */
export const readTextLines = (text: string, limits: ReportLimits): readonly JsonRecord[] => {
  const entries: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const above = entries.at(-1)
    if (above !== undefined && (continues.test(line) || isBelowPython(above, line)))
      entries[entries.length - 1] = `${above}\n${line}`
    else entries.push(line)
    if (entries.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} lines.`)
  }
  return entries.map((log) => ({ log }))
}
