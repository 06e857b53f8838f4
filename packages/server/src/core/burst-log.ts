import type { Log } from './log.ts'
import { stopwatchMs } from './real-timers.ts'

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
