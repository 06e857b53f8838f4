import type { Clock, Micros } from '../src/core/clock.ts'

/** 2026-11-20T18:51:53.123456Z */
export const testStart: Micros = 1_795_200_713_123_456

export interface ManualClock extends Clock {
  advance(micros: Micros): void
}

/** A clock that the test moves. Each reading adds a microsecond, so that rows have an order. */
export function manualClock(start: Micros = testStart): ManualClock {
  let now = start
  return {
    now() {
      now += 1
      return now
    },
    elapsedMs: () => now / 1000,
    advance(micros) {
      now += micros
    },
  }
}
