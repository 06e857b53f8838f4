import { AsyncLocalStorage } from 'node:async_hooks'
import type { App } from '../context.ts'
import { after } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import { describeFault } from '../core/log.ts'

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

const afterFaultMs = 1000

/** Callers may wake the loop inside a transaction, so iterations run outside the caller's async context. */
const outside = AsyncLocalStorage.snapshot()

export function createRunLoop({ clock, log }: Pick<App, 'clock' | 'log'>, { name, iterate }: RunLoopOptions): RunLoop {
  let again = false
  let stopped = false
  let running: Promise<void> | undefined
  let callOff: () => void = () => undefined
  let isFailing = false

  async function iterateUntilIdle(): Promise<void> {
    while (again) {
      again = false
      callOff()
      const { didWork, nextRunInMs } = await iterate()
      if (isFailing) log.info(`${name} goes on.`)
      isFailing = false
      if (didWork) again = true
      else if (nextRunInMs !== undefined) sleep(nextRunInMs)
    }
  }

  function sleep(ms: number): void {
    callOff = clock.after?.(Math.max(1, ms), wake) ?? callOff
  }

  /** Logs once per outage. The store reports an unreachable database; this reports the consequence. */
  function noteFault(fault: unknown): void {
    const isAway = fault instanceof ApiError && fault.code === 'unavailable'
    if (isAway) log.warn(`${name} is waiting for the database.`, describeFault(fault))
    else log.error(`${name} failed and will retry.`, describeFault(fault))
  }

  function wake(): void {
    again = !stopped
    if (stopped || running !== undefined) return
    running = outside(iterateUntilIdle).finally(() => {
      running = undefined
    })
    // Callers of `idle()` get the error too. The loop retries, because the database may be back soon.
    running.catch((fault: unknown) => {
      if (!isFailing) noteFault(fault)
      isFailing = true
      if (!stopped) callOff = after(afterFaultMs, wake)
    })
  }

  return {
    wake,
    async idle() {
      while (running !== undefined) await running
    },
    stop() {
      stopped = true
      callOff()
    },
  }
}
