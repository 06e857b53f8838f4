import { AsyncLocalStorage } from 'node:async_hooks'
import { after, type Micros } from './clock.ts'
import type { App } from './context.ts'
import { describeFault } from './log.ts'

/** What a round has come to. */
export interface Round {
  /** Something was done, so there may be more to do. */
  readonly moved: boolean
  /** When to look again at the latest; without it only when woken. */
  readonly lookAgainAt?: Micros
}

/** Runs rounds, one at a time, as long as they move something; then sleeps until it is woken or it is time. */
export interface Wheel {
  wake(): void
  /** Resolves when it has come to rest; rejects when a round has failed. */
  rest(): Promise<void>
  /** Does not wake by itself any more. */
  stop(): void
}

export interface WheelOptions {
  /** As it is called in the log. */
  readonly name: string
  readonly turn: () => Promise<Round>
}

const afterFaultMs = 1000

/** Whoever wakes it may be in the middle of a transaction; what it does belongs to none of its callers. */
const outside = AsyncLocalStorage.snapshot()

export function createWheel({ clock, log }: Pick<App, 'clock' | 'log'>, { name, turn }: WheelOptions): Wheel {
  let again = false
  let stopped = false
  let running: Promise<void> | undefined
  let callOff: () => void = () => undefined

  async function turnUntilStill(): Promise<void> {
    while (again) {
      again = false
      callOff()
      const { moved, lookAgainAt } = await turn()
      if (moved) again = true
      else if (lookAgainAt !== undefined) sleepUntil(lookAgainAt)
    }
  }

  function sleepUntil(at: Micros): void {
    callOff = clock.after?.(Math.max(1, (at - clock.now()) / 1000), wake) ?? callOff
  }

  function wake(): void {
    again = !stopped
    if (stopped || running !== undefined) return
    running = outside(turnUntilStill).finally(() => {
      running = undefined
    })
    // Whoever waits at rest() is told too; the database may be back in a moment.
    running.catch((fault: unknown) => {
      log.error(`${name} had to stop for a moment.`, describeFault(fault))
      if (!stopped) callOff = after(afterFaultMs, wake)
    })
  }

  return {
    wake,
    async rest() {
      while (running !== undefined) await running
    },
    stop() {
      stopped = true
      callOff()
    },
  }
}
