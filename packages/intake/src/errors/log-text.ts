import { type ErrorLevel, errorLevels } from '@service/contract/values'
import { readPrintedLine } from './printed/index.ts'
import { stackHeader } from './stacks/stack-reader.ts'

// Log lines of PHP and its frameworks, with class, message, and location in one sentence.

/** A parsed log line. */
export type LogText = {
  readonly message: string
  readonly exception: string | null
  readonly file: string | null
  readonly line: string | null
  readonly severity: ErrorLevel | null
}

const maxReadLength = 4_096

/** `[2026-11-20T10:00:00+00:00] request.CRITICAL: …`, as Monolog writes it. */
const monologHead = /^\[\d{4}-\d\d-\d\d[^\]]{0,40}\] [\w-]{1,60}\.([A-Z]{4,9}): /
/** `[20-Nov-2026 10:00:00 UTC] `, from PHP's own log. */
const phpDate = /^\[\d{1,2}-[A-Z][a-z]{2}-\d{4}[^\]]{0,40}\] /
const phpHead = /^(?:PHP )?(?:(?:Recoverable )?Fatal error|Parse error|Compile Error|Core error): {1,2}/
const phpLocation = / in (\/[^\n]{1,600}?|[A-Za-z]:\\[^\n]{1,600}?)(?::| on line )(\d{1,9})$/
const uncaught = /^Uncaught ([A-Za-z_\\][\w\\]{0,250}): /
const symfony = /^Uncaught PHP Exception ([\w\\]{1,250}): "([\s\S]{0,3000})" at (\S{1,600}) line (\d{1,9})/
/** Monolog's context: JSON in which an exception is written as text. */
const thrownInContext = / \{"exception":"\[object\] \(([\w\\]{1,250})\(code: [^)]{0,40}\): /
const locationInContext = / at ([^\s()]{1,600}):(\d{1,9})\)/

const toLevel = (word: string | undefined): ErrorLevel | null =>
  errorLevels.find((level) => level === (word === 'WARN' ? 'warning' : word?.toLowerCase())) ?? null

const unescaped = (name: string): string => name.replaceAll('\\\\', '\\')

const readSymfony = (text: string) => {
  const [, exception, message = '', file, line] = symfony.exec(text) ?? []
  return exception === undefined || file === undefined ? null : { message, exception, file, line: line ?? null }
}

/** `error_get_last()` returns the line without its head. The location at the end identifies it. */
const readPhp = (text: string) => {
  const head = phpHead.exec(text)
  if (head === null && !uncaught.test(text)) return null
  const body = text
    .slice(head?.[0].length ?? 0)
    .split('\n', 1)
    .join('')
  const location = phpLocation.exec(body)
  if (head === null && location === null) return null
  const sentence = location === null ? body : body.slice(0, location.index)
  const thrown = uncaught.exec(sentence)
  return {
    message: thrown === null ? sentence : sentence.slice(thrown[0].length),
    exception: thrown?.[1] ?? null,
    file: location?.[1] ?? null,
    line: location?.[2] ?? null,
  }
}

/** The sentence before Monolog's context, and the exception in that context. */
const readContext = (text: string) => {
  const context = thrownInContext.exec(text)
  if (context === null) return null
  const location = locationInContext.exec(text.slice(context.index))
  return {
    message: text.slice(0, context.index),
    exception: unescaped(context[1] ?? ''),
    file: location?.[1] ?? null,
    line: location?.[2] ?? null,
  }
}

/** `[ERROR] …`, as AWS's runtimes and many scripts print it, and `ERROR: …`. */
const levelHead = /^(?:\[([A-Z]{4,9})\][\s:]|([A-Z]{4,9}): )/

/** The lines that AWS Lambda logs around each invocation. */
const aroundCall = /^(?:START|END|REPORT|INIT_START)\s(?:RequestId|Runtime Version): /
const callFailed = /\bStatus: (?:timeout|error)\b/

/** The level at the start of a sentence, which keeps it. */
const readLevel = (text: string) => {
  if (aroundCall.test(text) && !callFailed.test(text))
    return { message: text, exception: null, file: null, line: null, severity: 'info' as const }
  const [, inBrackets, beforeColon] = levelHead.exec(text) ?? []
  const severity = toLevel(inBrackets ?? beforeColon)
  return severity === null ? null : { message: text, exception: null, file: null, line: null, severity }
}

/** Whether a text may be such a line. A cheap check, because most messages are not. */
const mayBeLogLine = (text: string): boolean =>
  /^(?:\[[\dA-Z]|[A-Z]{4,9}: |(?:START|END|REPORT|INIT_START)\s|PHP |Fatal error|Parse error|Uncaught [A-Z\\])/.test(
    text,
  )

export const readLogText = (text: string): LogText | null => readFrameworkLine(text) ?? readPrinted(text)

const readPrinted = (message: string): LogText | null => {
  const line = readPrintedLine(message.slice(0, maxReadLength).trim())
  if (line === null) return null
  const title = stackHeader(line.message)
  const isThrown = title.message !== null && /(?:Error|Exception)$/.test(title.exception ?? '')
  return {
    ...line,
    exception: null,
    ...(isThrown ? title : {}),
    message: (isThrown ? title.message : null) ?? line.message,
  }
}

const readFrameworkLine = (message: string): LogText | null => {
  if (!mayBeLogLine(message)) return null
  const text = message.slice(0, maxReadLength).trim()
  const level = readLevel(text)
  if (level !== null) return level
  const head = monologHead.exec(text)
  const severity = toLevel(head?.[1])
  const line = text.slice(head?.[0].length ?? 0).replace(phpDate, '')
  const found = readSymfony(line) ?? readPhp(line) ?? readContext(line)
  if (found !== null) return { ...found, severity }
  return head === null ? null : { message: withoutContext(line), exception: null, file: null, line: null, severity }
}

/** Removes empty contexts: `the message [] []`. */
const withoutContext = (line: string): string => line.replace(/(?: (?:\[\]|\{\})){1,2}$/, '')
