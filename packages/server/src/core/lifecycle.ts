import type { Micros } from './clock.ts'

/** Whether the server is stopping, which readiness tells to whoever sends requests here, and what it still has to finish. */
export interface Lifecycle extends PendingWork {
  isDraining(): boolean
  drain(): void
  /** Calls `act` when the server begins to stop, for answers that would never end by themselves; gives back what calls it off. */
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

/** Wakes the worker when there is something to deliver. */
export interface WakeSignal {
  /** The same function always, so that a transaction that asks for it ten times notifies once. */
  readonly notify: () => void
  /** Sets the one listener; a notification before that is lost. */
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

/** Tells maintenance when something falls due that only the clock can find. */
export interface DueSignal {
  /** Something falls due then. Costs a comparison where an earlier moment is scheduled. */
  scheduleAt(at: Micros): void
  /** Sets the one listener; what is scheduled before that is lost. */
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
  /** Counts `work` until it ends, so that the database is not closed while a caller waits. */
  during<Result>(work: Result | Promise<Result>): Promise<Result>
  /** Resolves when nothing that is counted is in flight. */
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
