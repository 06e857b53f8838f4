import type { Micros } from './clock.ts'

/** Through it the platform's rooms say when something falls due that only the clock can find. */
export interface Alarm {
  /** Something falls due then. Costs a comparison where the alarm is set for an earlier moment. */
  setFor(at: Micros): void
  /** Who answers. Until somebody does, nobody hears it. */
  answeredBy(act: (at: Micros) => void): void
}

export function createAlarm(): Alarm {
  let answer: ((at: Micros) => void) | undefined
  return {
    setFor: (at) => answer?.(at),
    answeredBy(act) {
      answer = act
    },
  }
}
