import { stopwatchMs } from './clock.ts'
import { ApiError } from './errors.ts'

/** One JSON object per line. The sentence says what happened, the fields say to whom. */
export interface Log {
  info(sentence: string, fields?: LogFields): void
  warn(sentence: string, fields?: LogFields): void
  error(sentence: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, unknown>>
type Level = keyof Log

/** Writes lines through `write`, gathered per turn of the event loop so that a busy server makes few system calls. */
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

/** For embedders who did not ask for a log: only our own faults are shown. */
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

/** What an unknown thrown value may safely say in a log. */
export function describeFault(fault: unknown): LogFields {
  if (!(fault instanceof Error)) return { fault: String(fault) }
  if (fault instanceof ApiError) return { fault: fault.message, code: fault.code }
  return { fault: fault.message, stack: fault.stack, ...('code' in fault ? { code: fault.code } : {}) }
}

const quietMs = 10_000

/** Counts refusals by their sentence and warns of each at most every ten seconds: a line for each would be load upon load. */
export function burstLog(log: Pick<Log, 'warn'>): (sentence: string) => void {
  const bursts = new Map<string, { warnedAt: number; untold: number }>()
  return (sentence) => {
    const burst = bursts.get(sentence) ?? { warnedAt: Number.NEGATIVE_INFINITY, untold: 0 }
    bursts.set(sentence, burst)
    burst.untold += 1
    if (stopwatchMs() - burst.warnedAt < quietMs) return
    log.warn(`Requests are refused with 503. ${sentence}`, { refused: burst.untold })
    burst.warnedAt = stopwatchMs()
    burst.untold = 0
  }
}
