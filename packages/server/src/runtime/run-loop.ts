import { AsyncLocalStorage } from 'node:async_hooks'
import type { App } from '../context.ts'
import { after } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import { describeFault } from '../core/log.ts'

export interface Iteration {
  /** Something was done, so there may be more to do. */
  readonly didWork: boolean
  /** When to look again at the latest, in milliseconds from now; without it only when woken. */
  readonly nextRunInMs?: number
}

/** Runs rounds, one at a time, as long as they move something; then sleeps until it is woken or it is time. */
export interface RunLoop {
  wake(): void
  /** Resolves when it has come to rest; rejects when a round has failed. */
  idle(): Promise<void>
  stop(): void
}

export interface RunLoopOptions {
  readonly name: string
  readonly iterate: () => Promise<Iteration>
}

const afterFaultMs = 1000

/** Whoever wakes it may be in the middle of a transaction; what it does belongs to none of its callers. */
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

  /** Once, however long it lasts. The store itself reports a database that is away; here it is only what comes of it. */
  function noteFault(fault: unknown): void {
    const isAway = fault instanceof ApiError && fault.code === 'unavailable'
    if (isAway) log.warn(`${name} waits until the database is back.`, describeFault(fault))
    else log.error(`${name} had to stop for a moment.`, describeFault(fault))
  }

  function wake(): void {
    again = !stopped
    if (stopped || running !== undefined) return
    running = outside(iterateUntilIdle).finally(() => {
      running = undefined
    })
    // Whoever waits at rest() is told too; the database may be back in a moment.
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
