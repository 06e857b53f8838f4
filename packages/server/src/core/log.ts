import { stopwatchMs } from './clock.ts'
import { ApiError } from './errors.ts'

/** One JSON object per line. The sentence says what happened; the fields identify what it happened to. */
export interface Log {
  info(sentence: string, fields?: LogFields): void
  warn(sentence: string, fields?: LogFields): void
  error(sentence: string, fields?: LogFields): void
}

/** Fields of a log line, as JSON values. */
export type LogFields = Readonly<Record<string, unknown>>
type Level = keyof Log

/** Writes lines through `write`, batched per event-loop turn to save system calls. */
export function jsonLog(write: (lines: string) => void, now: () => Date): Log {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    write(lines)
  }
  const line = (level: Level) => (message: string, fields?: LogFields) => {
    if (waiting === '') setImmediate(flush)
    waiting += `${JSON.stringify({ time: now().toISOString(), level, message, ...fields })}\n`
  }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** The default log for embedders: shows only server faults. */
export function quietLog(): Log {
  const nothing = () => undefined
  return {
    ...jsonLog(
      (lines) => process.stderr.write(lines),
      () => new Date(),
    ),
    info: nothing,
    warn: nothing,
  }
}

/** The loggable fields of an unknown thrown value. */
export function describeFault(fault: unknown): LogFields {
  if (!(fault instanceof Error)) return { fault: String(fault) }
  if (fault instanceof ApiError) return { fault: fault.message, code: fault.code }
  return { fault: fault.message, stack: fault.stack, ...('code' in fault ? { code: fault.code } : {}) }
}

const warnIntervalMs = 10_000

/** Counts refusals by message and logs each at most every ten seconds, because a line per refusal would add load. */
export function rateLimitedWarnings(log: Pick<Log, 'warn'>): (sentence: string) => void {
  const bursts = new Map<string, { warnedAt: number; untold: number }>()
  return (sentence) => {
    const burst = bursts.get(sentence) ?? { warnedAt: Number.NEGATIVE_INFINITY, untold: 0 }
    bursts.set(sentence, burst)
    burst.untold += 1
    if (stopwatchMs() - burst.warnedAt < warnIntervalMs) return
    log.warn(`Requests are refused with 503. ${sentence}`, { refused: burst.untold })
    burst.warnedAt = stopwatchMs()
    burst.untold = 0
  }
}
