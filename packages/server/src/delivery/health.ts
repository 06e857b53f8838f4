import { type Micros, microsPerDay, microsPerSecond } from '../clock.ts'

// How a receiver has been doing decides how hard it is pressed. A new or recovering one gets a few requests at once and
// more with every success (slow start, as in TCP). One that fails gets one at a time, after pauses that widen, so that a
// dead receiver with ten thousand waiting deliveries costs one connection now and then.

/** How a receiver has been doing. */
export interface Health {
  /** How many requests may be under way at once. */
  readonly sendLimit: number
  readonly failuresInARow: number
  readonly pausedUntil: Micros | null
  /** The first failure since the last success. */
  readonly failingSince: Micros | null
  readonly lastSuccessAt: Micros | null
  readonly lastFailureAt: Micros | null
}

export const firstSendLimit = 8
export const largestSendLimit = 64

const failuresBeforePause = 4
const longestPause = 60 * microsPerSecond
const disabledAfter = 5 * microsPerDay
const warnedAfter = [0.5 * disabledAfter, 0.8 * disabledAfter]

export const healthy: Health = {
  sendLimit: firstSendLimit,
  failuresInARow: 0,
  pausedUntil: null,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
}

export const afterSuccess = (health: Health, now: Micros): Health => ({
  ...health,
  // One more per success doubles the limit each time that as many have succeeded as were under way.
  sendLimit: Math.min(largestSendLimit, Math.max(health.sendLimit, health.failuresInARow > 0 ? firstSendLimit : 0) + 1),
  failuresInARow: 0,
  pausedUntil: null,
  failingSince: null,
  lastSuccessAt: now,
})

export function afterFailure(health: Health, now: Micros): Health {
  const failuresInARow = health.failuresInARow + 1
  return {
    ...health,
    failuresInARow,
    sendLimit: failuresInARow < failuresBeforePause ? Math.max(2, health.sendLimit >> 1) : 1,
    pausedUntil: pauseAfter(failuresInARow, now),
    failingSince: health.failingSince ?? now,
    lastFailureAt: now,
  }
}

function pauseAfter(failuresInARow: number, now: Micros): Micros | null {
  const over = failuresInARow - failuresBeforePause
  return over < 0 ? null : now + Math.min(longestPause, microsPerSecond * 2 ** over)
}

/** Five days without a success are enough: measured by the clock, not by counting attempts. */
export const isGivenUp = ({ failingSince }: Health, now: Micros): boolean =>
  failingSince !== null && now - failingSince >= disabledAfter

/** Whether between two failures one of the marks was passed at which people are warned. */
export function passesWarning(before: Health, now: Micros): boolean {
  const { failingSince, lastFailureAt } = before
  if (failingSince === null || lastFailureAt === null) return false
  return warnedAfter.some((mark) => lastFailureAt - failingSince < mark && now - failingSince >= mark)
}
