import type { ErrorLevel } from '@service/contract/values'
import { levelIn, type PrintedLine, saidBehind } from './line.ts'

// Loggers whose lines have a look of their own.

/** `E0101 10:00:00.123456       1 reflector.go:138] `, as Go's klog and glog write it. */
const klog = /^([EWIF])\d{4} \d\d:\d\d:\d\d\.\d{1,9} {1,10}\d{1,10} ([\w./-]{1,200}):(\d{1,7})\] /

export const readKlog = (text: string): PrintedLine | null => {
  const [head, letter = '', file, line] = klog.exec(text) ?? []
  if (head === undefined) return null
  return {
    message: text.slice(head.length),
    severity: levelIn(letter),
    file: file ?? null,
    line: line ?? null,
  }
}

/** `Jan 01, 2026 10:00:00 AM shop.Cart pay` with `SEVERE: ` on the line below it, as java.util.logging prints. */
const twoLines = /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d\s?[AP]M [^\n]{1,300}\n([A-Z]{4,7}): /

export const readTwoLines = (text: string): PrintedLine | null => {
  const [head, level = ''] = twoLines.exec(text) ?? []
  return saidBehind(text, head, level)
}

/** `01-01 10:00:00.123  1234  1235 E AndroidRuntime: `, as Android's logcat prints it. */
const logcat = /^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s{1,8}\d{1,8}\s{1,8}\d{1,8} ([VDIWEF]) [^:\n]{1,80}: /

export const readLogcat = (text: string): PrintedLine | null => {
  const [head, letter = ''] = logcat.exec(text) ?? []
  return saidBehind(text, head, letter)
}

/** `[Nest] 7  - 01/01/2026, 10:00:00 AM   ERROR [CartService] `, as Nest prints it. */
const nest = /^\[Nest\] \d{1,8}\s{1,4}- [\d/.]{6,10}, [\d:.]{4,12}(?: [AP]M)?\s{1,8}([A-Z]{3,7}) (?:\[[^\]]{1,80}\] )?/

export const readNest = (text: string): PrintedLine | null => {
  const [head, level = ''] = nest.exec(text) ?? []
  return saidBehind(text, head, level)
}

/** `=ERROR REPORT==== 1-Jan-2026::10:00:00 === `, as Erlang prints it. */
const erlangReport = /^=([A-Z]{4,9}) REPORT={4} \S{1,40} ={3}\s/

export const readErlangReport = (text: string): PrintedLine | null => {
  const [head, level = ''] = erlangReport.exec(text) ?? []
  return saidBehind(text, head, level)
}

/** `ERROR:shop.cart:` of Python, `fail: Shop.Cart[0] ` of .NET's console. */
const namedHead = /^(?:([A-Z]{4,9}):[\w.]{1,120}:|(trce|dbug|info|warn|fail|crit): [\w.`]{1,200}\[\d{1,9}\]\s{1,10})/

export const readNamed = (text: string): PrintedLine | null => {
  const [head, capital, short] = namedHead.exec(text) ?? []
  return saidBehind(text, head, capital ?? short ?? '')
}

/** `1:M 01 Jan 2026 10:00:00.123 * `, as Redis prints it: process, role, time and a sign for the level. */
const redis = /^\d{1,10}:[MCSX] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3} ([.*#-]) /
const levelOfSign: Readonly<Record<string, ErrorLevel>> = { '.': 'debug', '-': 'info', '*': 'notice' }

/** `#` is for warnings and for all that is worse: only those that say so are warnings. */
export const readRedis = (text: string): PrintedLine | null => {
  const [head, sign = ''] = redis.exec(text) ?? []
  if (head === undefined) return null
  const message = text.slice(head.length)
  const severity = levelOfSign[sign] ?? (message.startsWith('WARNING') ? 'warning' : null)
  return { message, severity, file: null, line: null }
}
