import { severityName } from '../severity.ts'
import { levelIn, type PrintedLine } from './line.ts'
import { readCef, readLeef } from './security-events.ts'

/** `<11>Jan  1 10:00:00 web-1 sshd[812]: ` and `<11>1 2026-01-01T10:00:00Z web-1 sshd 812 - - `: RFC 3164 and 5424. */
const syslog =
  /^<(\d{1,3})>(?:1 \S{1,60} \S{1,255} \S{1,48} \S{1,128} \S{1,32} (?:-|\[[^\]]{0,1000}\])|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,255} (?:(?=CEF:|LEEF:)|[^\s:[]{1,48}(?:\[\d{1,10}\])?:)) ?/

export const readSyslog = (text: string): PrintedLine | null => {
  const [head, priority] = syslog.exec(text) ?? []
  if (head === undefined) return null
  const message = text.slice(head.length)
  const event = readCef(message) ?? readLeef(message)
  const severity = levelIn(severityName(Number(priority) % 8, 'syslog') ?? '')
  return { message: event?.message ?? message, severity: event?.severity ?? severity, file: null, line: null }
}

/** The same as it stands in a file of a log: RFC 3164 without its priority. */
const withoutPriority = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?!\d)\S{1,255} [\w./-]{1,48}(?:\[\d{1,10}\])?: /

export const readSyslogFile = (text: string): PrintedLine | null => {
  const head = withoutPriority.exec(text)?.[0]
  return head === undefined ? null : { message: text.slice(head.length), severity: null, file: null, line: null }
}
