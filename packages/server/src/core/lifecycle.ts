import type { Micros } from './clock.ts'

/** Whether the server is stopping, as reported by readiness checks, and the work that it still has to finish. */
export interface Lifecycle extends PendingWork {
  isDraining(): boolean
  drain(): void
  /** Calls `act` when the server starts to stop, to end open-ended responses. Returns a cancel function. */
  onDrain(act: () => void): () => void
}

export function createLifecycle(): Lifecycle {
  let isDraining = false
  const waiting = new Set<() => void>()
  return {
    isDraining: () => isDraining,
    drain() {
      isDraining = true
      for (const act of [...waiting]) act()
    },
    onDrain(act) {
      waiting.add(act)
      return () => void waiting.delete(act)
    },
    ...pendingWork(),
  }
}

/** Wakes the worker when a delivery is due. */
export interface WakeSignal {
  /** Always the same function, so that a transaction that registers it ten times notifies once. */
  readonly notify: () => void
  /** Sets the only listener. Earlier notifications are lost. */
  onNotify(act: () => void): void
}

export function createWakeSignal(): WakeSignal {
  let answer: (() => void) | undefined
  return {
    notify: () => answer?.(),
    onNotify(act) {
      answer = act
    },
  }
}

/** Notifies maintenance of future due times. */
export interface DueSignal {
  /** Schedules work at a time. If an earlier time is already scheduled, this costs only a comparison. */
  scheduleAt(at: Micros): void
  /** Sets the only listener. Earlier schedules are lost. */
  onSchedule(act: (at: Micros) => void): void
}

export function createDueSignal(): DueSignal {
  let answer: ((at: Micros) => void) | undefined
  return {
    scheduleAt: (at) => answer?.(at),
    onSchedule(act) {
      answer = act
    },
  }
}

export interface PendingWork {
  /** Counts `work` until it settles, so that the database is not closed while a caller waits. */
  during<Result>(work: Result | Promise<Result>): Promise<Result>
  /** Resolves when no counted work is in flight. */
  whenIdle(): Promise<void>
}

export function pendingWork(): PendingWork {
  const pending = new Set<Promise<unknown>>()
  return {
    async during(work) {
      const working = Promise.resolve(work)
      pending.add(working)
      try {
        return await working
      } finally {
        pending.delete(working)
      }
    },
    async whenIdle() {
      while (pending.size > 0) await Promise.allSettled(pending)
    },
  }
}
