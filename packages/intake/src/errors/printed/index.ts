import type { PrintedLine } from './line.ts'
import { readHead } from './log-prefixes.ts'
import { readLogfmt } from './logfmt.ts'
import { readColumns, readLevelFirst, readTimed } from './timed.ts'

// Printed log lines, with time, level, and source before the sentence. Log shippers forward them unchanged. The head is
// removed, because it differs from line to line.

const readers = [readHead, readLogfmt, readColumns, readLevelFirst, readTimed]

const mayBe =
  /^(?:\[?\d|[A-Z]{4,9} |\[[A-Z]{4,9}\s{0,2}\] \d|\[Nest\] |[A-Z][a-z]{2} (?:\d{1,2}, \d|[ \d]\d \d)|\[[A-Z][a-z]{2} |[A-Z]{4,9}:|(?:trce|dbug|info|warn|fail|crit): |[A-Z], \[|[EWIF]\d{4} |<\d|=[A-Z]{4,9} REPORT|[A-Za-z_]\w{0,30}=)/

const readOnce = (text: string): PrintedLine | null => {
  if (!mayBe.test(text)) return null
  for (const read of readers) {
    const line = read(text)
    if (line !== null) return line
  }
  return null
}

/** Removes the printed head of a line; null if there is none. Heads may be nested. */
export const readPrintedLine = (text: string): PrintedLine | null => {
  const outer = readOnce(text)
  if (outer === null || !/^\[?\d/.test(outer.message)) return outer
  return readOnce(outer.message) ?? outer
}
