import { type Micros, microsPerMinute } from '../../core/clock.ts'

// A rate is kept by remembering when the next request would be on time (the leaky bucket as a clock, "GCRA"): one number
// that lives in the queue's row, so the rate holds whichever worker sends. A second's worth may go at once.

/** What an allowed request does to the number. */
export const paceOn = (pacedUntil: Micros | null, now: Micros, ratePerMinute: number): Micros =>
  Math.max(pacedUntil ?? 0, now) + intervalOf(ratePerMinute)

/** When the next request may go. */
export function paceAllowsAt(pacedUntil: Micros | null, ratePerMinute: number | null): Micros {
  if (ratePerMinute === null || pacedUntil === null) return 0
  const atOnce = Math.max(1, Math.floor(ratePerMinute / 60))
  return pacedUntil - (atOnce - 1) * intervalOf(ratePerMinute)
}

const intervalOf = (ratePerMinute: number): Micros => Math.round(microsPerMinute / ratePerMinute)
