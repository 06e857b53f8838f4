import type { Micros } from '../core/clock.ts'

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
