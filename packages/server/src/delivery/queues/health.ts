import { type Micros, microsPerDay, microsPerMinute, microsPerSecond } from '../../core/clock.ts'

// A receiver's health limits its concurrency. A new or recovering receiver gets a few requests at once, and more with
// every success (slow start, as in TCP). A failing one gets one request at a time, after pauses that grow, so that a
// dead receiver with ten thousand pending deliveries costs only an occasional connection.

export interface Health {
  readonly sendLimit: number
  readonly failuresInARow: number
  readonly pausedUntil: Micros | null
  readonly failingSince: Micros | null
  /** The number of days with a failure, counted from `failingSince`. */
  readonly failingDays: number
  readonly lastSuccessAt: Micros | null
  readonly lastFailureAt: Micros | null
}

export const firstSendLimit = 8
export const maxSendLimit = 64

const failuresBeforePause = 4
const maxPause = 60 * microsPerSecond
/** Short, so that a developer who is fixing a new receiver soon sees that it works. */
const maxEarlyPause = 5 * microsPerSecond
const earlyPeriod = microsPerMinute
/** A subscription is disabled after this time without a success, if failures occurred on enough separate days. */
export const disabledAfter = 5 * microsPerDay
export const minFailingDays = 3
const warningThresholds = [0.5 * disabledAfter, 0.8 * disabledAfter]

export const healthy: Health = {
  sendLimit: firstSendLimit,
  failuresInARow: 0,
  pausedUntil: null,
  failingSince: null,
  failingDays: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
}

export const afterSuccess = (health: Health, now: Micros): Health => ({
  ...health,
  // One more per success, so a full round of successful in-flight requests doubles the limit.
  sendLimit: Math.min(maxSendLimit, Math.max(health.sendLimit, health.failuresInARow > 0 ? firstSendLimit : 0) + 1),
  failuresInARow: 0,
  pausedUntil: null,
  failingSince: null,
  failingDays: 0,
  lastSuccessAt: now,
})

export function afterFailure(health: Health, now: Micros): Health {
  const failuresInARow = health.failuresInARow + 1
  const failingSince = health.failingSince ?? now
  return {
    ...health,
    failuresInARow,
    sendLimit: failuresInARow < failuresBeforePause ? Math.max(2, health.sendLimit >> 1) : 1,
    pausedUntil: pauseAfter(failuresInARow, { now, failingSince }),
    failingSince,
    failingDays: health.failingDays + (isOnAnotherDay(health, now) ? 1 : 0),
    lastFailureAt: now,
  }
}

function pauseAfter(
  failuresInARow: number,
  { now, failingSince }: { now: Micros; failingSince: Micros },
): Micros | null {
  const excessFailures = failuresInARow - failuresBeforePause
  const limit = now - failingSince < earlyPeriod ? maxEarlyPause : maxPause
  return excessFailures < 0 ? null : now + Math.min(limit, microsPerSecond * 2 ** excessFailures)
}

/**
 * Days with failures are counted in addition to elapsed time: a clock that jumps by several days while no process runs
 * adds only one.
 */
function isOnAnotherDay({ failingSince, lastFailureAt }: Health, now: Micros): boolean {
  if (failingSince === null || lastFailureAt === null) return true
  const dayOf = (at: Micros) => Math.floor((at - failingSince) / microsPerDay)
  return dayOf(now) > dayOf(lastFailureAt)
}

/** Whether five days passed without a success, with failures on at least three of them. */
export const shouldDisable = ({ failingSince, failingDays }: Health, now: Micros): boolean =>
  failingSince !== null && failingDays >= minFailingDays && now - failingSince >= disabledAfter

/** Whether a warning threshold was crossed between two failures. */
export function crossesWarning(before: Health, now: Micros): boolean {
  const { failingSince, lastFailureAt } = before
  if (failingSince === null || lastFailureAt === null) return false
  return warningThresholds.some(
    (threshold) => lastFailureAt - failingSince < threshold && now - failingSince >= threshold,
  )
}
