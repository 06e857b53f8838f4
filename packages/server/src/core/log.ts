import { stopwatchMs } from './clock.ts'
import { ApiError } from './errors.ts'

/** The sentence says what happened; the fields identify what it happened to. */
export interface Log {
  info(sentence: string, fields?: LogFields): void
  warn(sentence: string, fields?: LogFields): void
  error(sentence: string, fields?: LogFields): void
}

/** Fields of a log line, as JSON values. */
export type LogFields = Readonly<Record<string, unknown>>
type Level = keyof Log

type Format = (line: {
  readonly at: Date
  readonly level: Level
  readonly message: string
  readonly fields: LogFields
}) => string

interface LineLog {
  readonly format: Format
  readonly write: (lines: string) => void
  readonly now: () => Date
}

/** Writes lines through `write`, batched per event-loop turn to save system calls. */
export function lineLog({ format, write, now }: LineLog): Log {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    write(lines)
  }
  const line =
    (level: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (waiting === '') setImmediate(flush)
      waiting += `${format({ at: now(), level, message, fields })}\n`
    }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** For log collectors. */
export const toJsonLine: Format = ({ at, level, message, fields }) =>
  JSON.stringify({ time: at.toISOString(), level, message, ...fields })

/** For people at a terminal: `18:51:53.123 warn  The sentence. field=value`. A stack trace follows on its own lines. */
export const toTextLine: Format = ({ at, level, message, fields: { stack, ...fields } }) => {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${toWord(value)}`],
  )
  const line = [at.toISOString().slice(11, 23), level.padEnd(5), toPrintable(message), ...pairs].join(' ')
  return typeof stack === 'string' ? [line, ...stack.split('\n').map(toPrintable)].join('\n') : line
}

/** Control characters in data must not reach the terminal. */
const toPrintable = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')

function toWord(value: unknown): string {
  const text = toPrintable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text)
}

/** Writes to stderr. */
export const stderrLog = (format: Format): Log =>
  lineLog({ format, write: (lines) => void process.stderr.write(lines), now: () => new Date() })

/** The default log for embedders: shows only server faults. */
export function quietLog(): Log {
  const nothing = () => undefined
  return { ...stderrLog(toJsonLine), info: nothing, warn: nothing }
}

/** The loggable fields of an unknown thrown value. */
export function describeFault(fault: unknown): LogFields {
  if (!(fault instanceof Error)) return { fault: String(fault) }
  if (fault instanceof ApiError) return { fault: fault.message, code: fault.code }
  return { fault: fault.message, stack: fault.stack, ...('code' in fault ? { code: fault.code } : {}) }
}

/** The shortest time between two lines about the same kind of refusal. */
export const warnIntervalMs = 10_000

/** Counts refusals by message and logs each at most every ten seconds, because a line per refusal would add load. */
export function rateLimitedWarnings(log: Pick<Log, 'warn'>): (sentence: string, detail?: string) => void {
  const bursts = new Map<string, { warnedAt: number; untold: number }>()
  return (sentence, detail = '') => {
    const burst = bursts.get(sentence) ?? { warnedAt: Number.NEGATIVE_INFINITY, untold: 0 }
    bursts.set(sentence, burst)
    burst.untold += 1
    if (stopwatchMs() - burst.warnedAt < warnIntervalMs) return
    log.warn(`Requests are refused with 503. ${sentence}${detail}`, { refused: burst.untold })
    burst.warnedAt = stopwatchMs()
    burst.untold = 0
  }
}
