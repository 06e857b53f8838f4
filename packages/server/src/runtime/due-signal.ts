import type { Micros } from '../core/clock.ts'

/** Through it the platform's rooms say when something falls due that only the clock can find. */
export interface DueSignal {
  /** Something falls due then. Costs a comparison where the alarm is set for an earlier moment. */
  scheduleAt(at: Micros): void
  /** Who answers. Until somebody does, nobody hears it. */
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
