import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { severityName } from './severity.ts'

// Lines that programs print for people, with their time, level and source in front of the sentence. Shippers of logs hand
// them on as they are. What stands in front is taken off, because it differs from line to line.

export type PrintedLine = {
  readonly message: string
  readonly severity: ErrorLevel | null
  readonly file: string | null
  readonly line: string | null
}

const levelIn = (token: string): ErrorLevel | null => {
  const name = severityName(token)
  return errorLevels.find((level) => level === name) ?? null
}

/** `E0101 10:00:00.123456       1 reflector.go:138] `, as Go's klog and glog write it. */
const klog = /^([EWIF])\d{4} \d\d:\d\d:\d\d\.\d{1,9} {1,10}\d{1,10} ([\w./-]{1,200}):(\d{1,7})\] /

const readKlog = (text: string): PrintedLine | null => {
  const [head, letter = '', file, line] = klog.exec(text) ?? []
  if (head === undefined) return null
  return {
    message: text.slice(head.length),
    severity: levelIn(letter),
    file: file ?? null,
    line: line ?? null,
  }
}

/** `<11>Jan  1 10:00:00 web-1 sshd[812]: ` and `<11>1 2026-01-01T10:00:00Z web-1 sshd 812 - - `: RFC 3164 and 5424. */
const syslog =
  /^<(\d{1,3})>(?:1 \S{1,60} \S{1,255} \S{1,48} \S{1,128} \S{1,32} (?:-|\[[^\]]{0,1000}\])|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,255} (?:(?=CEF:|LEEF:)|[^\s:[]{1,48}(?:\[\d{1,10}\])?:)) ?/

const readSyslog = (text: string): PrintedLine | null => {
  const [head, priority] = syslog.exec(text) ?? []
  if (head === undefined) return null
  const message = text.slice(head.length)
  const event = readCef(message) ?? readLeef(message)
  const severity = levelIn(severityName(Number(priority) % 8, 'syslog') ?? '')
  return { message: event?.message ?? message, severity: event?.severity ?? severity, file: null, line: null }
}

/** `CEF:0|vendor|product|version|id|name|severity|`, with severities from 0 to 10. */
const cef = /^CEF:\d\|(?:[^|]{0,200}\|){4}([^|]{1,500})\|(\d{1,2}|[A-Za-z-]{1,12})\|/
const cefRanks: Readonly<Record<string, number>> = { low: 0, medium: 4, high: 7, 'very-high': 9 }
const cefLevel = (severity: string): ErrorLevel | null => {
  const rank = cefRanks[severity.toLowerCase()] ?? Number(severity)
  if (Number.isNaN(rank)) return null
  if (rank >= 9) return 'critical'
  if (rank >= 7) return 'error'
  return rank >= 4 ? 'warning' : 'info'
}

const readCef = (text: string): PrintedLine | null => {
  const [, message, severity = ''] = cef.exec(text) ?? []
  return message === undefined ? null : { message, severity: cefLevel(severity), file: null, line: null }
}

/** `LEEF:2.0|vendor|product|version|id|^|sev=8^msg=…`; without a sign of its own tabs stand between the attributes. */
const leef =
  /^LEEF:[12]\.0\|[^|]{0,200}\|([^|]{0,200})\|[^|]{0,100}\|([^|]{1,200})\|(?:(0?x[\dA-Fa-f]{1,4}|[^|=\w])\|)?/
const mostAttributes = 60
const leefMessages = ['msg', 'message', 'reason', 'desc', 'description'] as const

const leefSign = (given: string | undefined): string => {
  if (given === undefined) return '\t'
  return given.length === 1 ? given : String.fromCharCode(Number.parseInt(given.replace(/^0?x/, ''), 16))
}

const readLeef = (text: string): PrintedLine | null => {
  const [head, product = '', id = '', sign] = leef.exec(text) ?? []
  if (head === undefined) return null
  const attributes = new Map(
    text
      .slice(head.length)
      .split(leefSign(sign), mostAttributes)
      .map((attribute) => {
        const equals = attribute.indexOf('=')
        return [attribute.slice(0, Math.max(0, equals)).trim(), attribute.slice(equals + 1).trim()] as const
      }),
  )
  const said = leefMessages.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== '')
  const severity = attributes.get('sev')
  return {
    message: said ?? `${product}: ${id}`,
    severity: severity === undefined || severity === '' ? null : cefLevel(severity),
    file: null,
    line: null,
  }
}

const mostPairs = 40
const pair = /([A-Za-z_][\w.@-]{0,60})=("(?:[^"\\]|\\.){0,2000}"|[^\s"]{0,500})(?:\s|$)/y

/** `level=error msg="no cart" caller=cart.go:12`, when the whole line is written so. */
const pairsOf = (text: string): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>()
  pair.lastIndex = 0
  while (pairs.size < mostPairs) {
    const [, key, value] = pair.exec(text) ?? []
    if (key === undefined || value === undefined) break
    pairs.set(key, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value)
  }
  return pairs
}

const readLogfmt = (text: string): PrintedLine | null => {
  if (!/^[A-Za-z_]\w{0,30}=/.test(text)) return null
  const pairs = pairsOf(text)
  const severity = levelIn(pairs.get('level') ?? pairs.get('lvl') ?? pairs.get('severity') ?? '')
  const message = pairs.get('msg') ?? pairs.get('message') ?? pairs.get('error') ?? pairs.get('err')
  if (message === undefined || severity === null) return null
  const [file = null, line = null] = (pairs.get('caller') ?? '').split(':')
  return { message, severity, file: line === null ? null : file, line }
}

/** A time in front, in brackets or not; Ruby's Logger has a letter before it. */
const time =
  /^(?:[A-Z], )?\[?(?:(?:(?:\d{4}|\d\d)[-/]\d\d[-/]\d\d|\d{1,2}[-/][A-Z][a-z]{2}[-/]\d{4}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d)(?:, |[T :]))?\d\d:\d\d(?::\d\d)?(?:\.\d{1,9} \d{4})?[^\s|\]]{0,20}(?: UTC| #\d{1,8}|\.\d{1,9} #\d{1,8})?\]?/
const tokensRead = 6
const longestHead = 160
/** A level is written in capitals, or in brackets; a thread or a process may stand beside it. */
const levelToken =
  /^(?:[[(|<]{0,2}(?:[\w-]{1,40}\/)?([A-Z]{3,11})(?:\/[\w-]{1,40})?[\])|>]{0,2}:?|\[(?:\w{1,30}:)?([A-Za-z]{3,11})\]:?)$/

/** What stands between the level and the sentence: process, thread, logger. */
const source =
  /^(?:(?:-- :|--|\d{1,8} ---|\||:|-)\s{1,4})?(?:\[[^\]]{0,80}\]\s{1,4}){0,3}(?:[\w.$/]{1,120}\s{0,40}(?: - |: | \| ))?/

/** The class of an error stands before a colon, too, and stays. */
const withoutSource = (text: string): string => {
  const [head = ''] = source.exec(text) ?? []
  return /(?:Error|Exception): $/.test(head) ? text : text.slice(head.length)
}

const readTimed = (text: string): PrintedLine | null => {
  const head = time.exec(text)?.[0]
  if (head === undefined) return null
  const line = text.slice(head.length)
  let from = 0
  for (const token of line
    .slice(0, longestHead)
    .split(/(?<=\s)/)
    .slice(0, tokensRead)) {
    from += token.length
    const [, capital, bracketed] = levelToken.exec(token.trim()) ?? []
    const severity = levelIn(capital ?? bracketed ?? '')
    if (severity === null) continue
    return placed(line.slice(from), severity)
  }
  return null
}

/** `ERROR [main] 2026-01-01 10:00:00,123 Cart.java:42 - `, with the level first. */
const levelFirst = /^([A-Z]{4,9}):?\s{1,4}(?:\[[^\]]{0,80}\]\s{1,4})?(?=\d)/

const readLevelFirst = (text: string): PrintedLine | null => {
  const [head = '', level = ''] = levelFirst.exec(text) ?? []
  const severity = levelIn(level)
  const rest = text.slice(head.length)
  const at = time.exec(rest)?.[0]
  return severity === null || at === undefined ? null : placed(rest.slice(at.length), severity)
}

const placeFirst = /^\s{0,4}([\w./-]{1,200}\.\w{1,6}):(\d{1,7})(?: -|:|\])?\s{1,4}/

/** The sentence may have the place where it was logged in front, as the level had. */
const placed = (given: string, severity: ErrorLevel): PrintedLine => {
  const [head = '', file = null, line = null] = placeFirst.exec(given) ?? []
  const rest = given.slice(head.length).trimStart()
  const message = file === null ? withoutSource(rest) : rest
  return { message: message === '' ? rest : message, severity, file, line }
}

/** Columns between tabs, as Go's zap prints them: time, level, logger, caller, sentence, fields in JSON. */
const readColumns = (text: string): PrintedLine | null => {
  const [head = ''] = text.split('\n', 1)
  const [at = '', level = '', ...others] = head.split('\t', mostColumns)
  const severity = levelIn(level.trim())
  if (others.length === 0 || severity === null || !time.test(at)) return null
  const caller = others.map((column) => callerColumn.exec(column)).find((match) => match !== null)
  const said = others.filter((column) => !column.startsWith('{') && !callerColumn.test(column))
  const message = said.find((column) => column.includes(' ')) ?? said.at(-1) ?? head
  return { message, severity, file: caller?.[1] ?? null, line: caller?.[2] ?? null }
}
const mostColumns = 8
const callerColumn = /^([\w./@-]{1,200}\.\w{1,6}):(\d{1,7})$/

/** `Jan 01, 2026 10:00:00 AM shop.Cart pay` with `SEVERE: ` on the line below it, as java.util.logging prints. */
const twoLines = /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d\s?[AP]M [^\n]{1,300}\n([A-Z]{4,7}): /

const readTwoLines = (text: string): PrintedLine | null => {
  const [head, level = ''] = twoLines.exec(text) ?? []
  const severity = levelIn(level)
  return head === undefined || severity === null
    ? null
    : { message: text.slice(head.length), severity, file: null, line: null }
}

/** `01-01 10:00:00.123  1234  1235 E AndroidRuntime: `, as Android's logcat prints it. */
const logcat = /^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s{1,8}\d{1,8}\s{1,8}\d{1,8} ([VDIWEF]) [^:\n]{1,80}: /

const readLogcat = (text: string): PrintedLine | null => {
  const [head, letter = ''] = logcat.exec(text) ?? []
  return head === undefined
    ? null
    : { message: text.slice(head.length), severity: levelIn(letter), file: null, line: null }
}

/** `ERROR:shop.cart:` of Python, `fail: Shop.Cart[0] ` of .NET's console. */
const namedHead = /^(?:([A-Z]{4,9}):[\w.]{1,120}:|(trce|dbug|info|warn|fail|crit): [\w.`]{1,200}\[\d{1,9}\]\s{1,10})/

const readNamed = (text: string): PrintedLine | null => {
  const [head, capital, short] = namedHead.exec(text) ?? []
  const severity = levelIn(capital ?? short ?? '')
  return head === undefined || severity === null
    ? null
    : { message: text.slice(head.length).trim(), severity, file: null, line: null }
}

const mayBe =
  /^(?:\[?\d|[A-Z]{4,9} |[A-Z][a-z]{2} \d{1,2}, \d|\[[A-Z][a-z]{2} |[A-Z]{4,9}:|(?:trce|dbug|info|warn|fail|crit): |[A-Z], \[|[EWIF]\d{4} |<\d|CEF:|LEEF:|[A-Za-z_]\w{0,30}=)/

/** The line without what a program prints in front of it; null when nothing does. */
export const readPrintedLine = (text: string): PrintedLine | null =>
  mayBe.test(text)
    ? (readKlog(text) ??
      readSyslog(text) ??
      readCef(text) ??
      readLeef(text) ??
      readLogfmt(text) ??
      readNamed(text) ??
      readColumns(text) ??
      readLogcat(text) ??
      readTwoLines(text) ??
      readLevelFirst(text) ??
      readTimed(text))
    : null
