import { systemClock } from '../src/core/system-clock.ts'

/** A computer whose wall clock and elapsed time a test controls. */
export interface Machine {
  /** The clock of a process on this computer. */
  clock(): ReturnType<typeof systemClock>
  pass(ms: number): void
  set(byMs: number): void
}

export function machine(): Machine {
  const hands = { elapsedMs: 5_000, wallMs: 1_795_200_713_123 }
  return {
    clock: () => systemClock({ elapsedMs: () => hands.elapsedMs, wallMs: () => hands.wallMs }),
    pass(ms) {
      hands.elapsedMs += ms
      hands.wallMs += ms
    },
    set(byMs) {
      hands.wallMs += byMs
    },
  }
}
