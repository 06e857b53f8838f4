import { AsyncLocalStorage } from 'node:async_hooks'
import type { App } from '../context.ts'
import { after, stopwatchMs } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import { describeFault, warnIntervalMs } from '../core/log.ts'

export interface Iteration {
  /** Work was done, so there may be more. */
  readonly didWork: boolean
  /** The latest time of the next iteration, in milliseconds from now; without it, the loop waits to be woken. */
  readonly nextRunInMs?: number
}

/** Runs iterations one at a time while they do work, then sleeps until it is woken or a timer fires. */
export interface RunLoop {
  wake(): void
  /** Resolves when the loop sleeps; rejects if an iteration fails. */
  idle(): Promise<void>
  stop(): void
}

export interface RunLoopOptions {
  readonly name: string
  readonly iterate: () => Promise<Iteration>
}

const retryAfterFaultMs = 1000

/** Callers may wake the loop inside a transaction, so iterations run outside the caller's async context. */
const outside = AsyncLocalStorage.snapshot()

export function createRunLoop({ clock, log }: Pick<App, 'clock' | 'log'>, { name, iterate }: RunLoopOptions): RunLoop {
  let isWoken = false
  let isStopped = false
  let running: Promise<void> | undefined
  let cancelTimer: () => void = () => undefined
  /** Whether the log has the fault that lasts. */
  let isLogged = false
  let warnedAtMs = Number.NEGATIVE_INFINITY

  async function iterateUntilIdle(): Promise<void> {
    while (isWoken) {
      isWoken = false
      cancelTimer()
      const { didWork, nextRunInMs } = await iterate()
      if (isLogged) log.info(`${name} continues.`)
      isLogged = false
      if (didWork) isWoken = true
      else if (nextRunInMs !== undefined) sleep(nextRunInMs)
    }
  }

  function sleep(ms: number): void {
    cancelTimer = clock.after?.(Math.max(1, ms), wake) ?? cancelTimer
  }

  /**
   * Logs once per outage. The store reports an unreachable database; this reports the consequence. A database that refuses
   * only some statements would otherwise add two lines for each of them.
   */
  function logFault(fault: unknown): void {
    if (isLogged) return
    const isUnavailable = fault instanceof ApiError && fault.code === 'unavailable'
    if (isUnavailable && stopwatchMs() - warnedAtMs < warnIntervalMs) return
    if (isUnavailable) {
      log.warn(`${name} is waiting for the database.`, describeFault(fault))
      warnedAtMs = stopwatchMs()
    } else log.error(`${name} failed and will retry.`, describeFault(fault))
    isLogged = true
  }

  function wake(): void {
    isWoken = !isStopped
    if (isStopped || running !== undefined) return
    running = outside(iterateUntilIdle).finally(() => {
      running = undefined
    })
    // Callers of `idle()` get the error too. The loop retries, because the database may be back soon.
    running.catch((fault: unknown) => {
      logFault(fault)
      if (!isStopped) cancelTimer = after(retryAfterFaultMs, wake)
    })
  }

  return {
    wake,
    async idle() {
      while (running !== undefined) await running
    },
    stop() {
      isStopped = true
      cancelTimer()
    },
  }
}
