import type { Micros } from './clock.ts'

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
