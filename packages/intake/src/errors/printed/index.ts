import { readHead } from './heads.ts'
import type { PrintedLine } from './line.ts'
import { readLogfmt } from './logfmt.ts'
import { readColumns, readLevelFirst, readTimed } from './timed.ts'

// Lines that programs print for people, with their time, level and source in front of the sentence. Shippers of logs hand
// them on as they are. The head is taken off, because it differs from line to line.

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

/** The line without what a program prints in front of it; null when nothing does. Some print what another printed. */
export const readPrintedLine = (text: string): PrintedLine | null => {
  const outer = readOnce(text)
  if (outer === null || !/^\[?\d/.test(outer.message)) return outer
  return readOnce(outer.message) ?? outer
}
