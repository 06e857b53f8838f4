import { stopwatchMs } from '../core/clock.ts'
import { describeStartFault } from './start-fault.ts'

/** Balancers that check `/readyz` every second or notice a refused connection need no longer delay. */
export const drainDelayMs = 1_000

/** How long what is still open may keep a stopped process. */
const maxIdleMs = 5_000

/** Package managers that forward Ctrl-C deliver one key press twice. */
const doublePressMs = 500

/**
 * SIGTERM, SIGHUP (the terminal was closed), and Ctrl-C finish in-flight requests and exit with 0. Only SIGTERM and
 * SIGHUP come from something that may still send requests here, so only they wait before the port closes. Ctrl-C
 * during a stop exits immediately; the others are ignored then, because orchestrators repeat them. Returns a function
 * that stops for another reason.
 */
export function stopOnSignal(stop: (delayMs?: number) => Promise<void>, delayMs: number): (waitMs: number) => void {
  let beganAt: number | undefined
  const begin = (waitMs: number) => {
    if (beganAt !== undefined) return
    beganAt = stopwatchMs()
    stop(waitMs).then(
      // The process ends by itself, so that programs loaded before it, such as an SDK for traces, finish on `beforeExit`.
      () => void setTimeout(() => process.exit(0), maxIdleMs).unref(),
      (fault: unknown) => {
        process.stderr.write(`${describeStartFault(fault)}\n`)
        process.exit(1)
      },
    )
  }
  const onInterrupt = () => {
    if (beganAt !== undefined && stopwatchMs() - beganAt > doublePressMs) process.exit(130)
    begin(0)
  }
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => begin(delayMs))
  process.on('SIGINT', onInterrupt)
  return begin
}
