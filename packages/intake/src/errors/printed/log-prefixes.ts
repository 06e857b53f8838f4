import { severityName } from '../severity.ts'
import { levelIn, type PrintedLine } from './line.ts'

// The heads of specific loggers, one expression each. `priority` is a syslog number, `sign` a Redis log level.

const heads: readonly RegExp[] = [
  // `E0101 10:00:00.123456       1 reflector.go:138] `: Go's klog and glog.
  /^(?<level>[EWIF])\d{4} \d\d:\d\d:\d\d\.\d{1,9} {1,10}\d{1,10} (?<file>[\w./-]{1,200}):(?<line>\d{1,7})\] /,
  // `<11>Jan  1 10:00:00 web-1 sshd[812]: ` and `<11>1 2026-01-01T10:00:00Z web-1 sshd 812 - - `: RFC 3164 and 5424.
  /^<(?<priority>\d{1,3})>(?:1 \S{1,60} \S{1,255} \S{1,48} \S{1,128} \S{1,32} (?:-|\[[^\]]{0,1000}\])|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,255} [^\s:[]{1,48}(?:\[\d{1,10}\])?:) ?/,
  // The same in a log file, without the priority.
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?!\d)\S{1,255} [\w./-]{1,48}(?:\[\d{1,10}\])?: /,
  // `1:M 01 Jan 2026 10:00:00.123 * `: Redis. `#` marks warnings and anything worse.
  /^\d{1,10}:[MCSX] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3} (?:(?<sign>[.*-])|#(?= (?<level>WARNING)?)) /,
  // `ERROR:shop.cart:` of Python, `fail: Shop.Cart[0] ` of .NET's console.
  /^(?:(?<level>[A-Z]{4,9}):[\w.]{1,120}:|(?<word>trce|dbug|info|warn|fail|crit): [\w.`]{1,200}\[\d{1,9}\]\s{1,10})/,
  // `=ERROR REPORT==== 1-Jan-2026::10:00:00 === `: Erlang.
  /^=(?<level>[A-Z]{4,9}) REPORT={4} \S{1,40} ={3}\s/,
  // `[Nest] 7  - 01/01/2026, 10:00:00 AM   ERROR [CartService] `
  /^\[Nest\] \d{1,8}\s{1,4}- [\d/.]{6,10}, [\d:.]{4,12}(?: [AP]M)?\s{1,8}(?<level>[A-Z]{3,7}) (?:\[[^\]]{1,80}\] )?/,
  // `01-01 10:00:00.123  1234  1235 E AndroidRuntime: `: Android's logcat.
  /^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s{1,8}\d{1,8}\s{1,8}\d{1,8} (?<level>[VDIWEF]) [^:\n]{1,80}: /,
  // `Jan 01, 2026 10:00:00 AM shop.Cart pay` with `SEVERE: ` on the line below it: java.util.logging.
  /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d\s?[AP]M [^\n]{1,300}\n(?<level>[A-Z]{4,7}): /,
]

const levelOfSign: Readonly<Record<string, string>> = { '.': 'debug', '-': 'info', '*': 'notice' }

const toSeverity = ({ level, word, priority, sign }: Readonly<Record<string, string | undefined>>) => {
  if (priority !== undefined) return levelIn(severityName(Number(priority) % 8, 'syslog') ?? '')
  return levelIn(level ?? word ?? levelOfSign[sign ?? ''] ?? '')
}

/** Removes the head of a line; null if there is none, or if it has no level. */
export const readHead = (text: string): PrintedLine | null => {
  for (const pattern of heads) {
    const match = pattern.exec(text)
    if (match === null) continue
    const groups = match.groups ?? {}
    const severity = toSeverity(groups)
    if (severity === null && (groups['level'] ?? groups['word']) !== undefined) continue
    const message = text.slice(match[0].length).trim()
    return { message, severity, file: groups['file'] ?? null, line: groups['line'] ?? null }
  }
  return null
}
