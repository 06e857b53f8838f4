import { type Micros, microsPerDay, microsPerMinute, microsPerSecond } from '../../core/clock.ts'

// How a receiver has been doing decides how hard it is pressed. A new or recovering one gets a few requests at once and
// more with every success (slow start, as in TCP). One that fails gets one at a time, after pauses that widen, so that a
// dead receiver with ten thousand waiting deliveries costs one connection now and then.

export interface Health {
  readonly sendLimit: number
  readonly failuresInARow: number
  readonly pausedUntil: Micros | null
  readonly failingSince: Micros | null
  /** On how many days, counted from then, there was a failure. */
  readonly failingDays: number
  readonly lastSuccessAt: Micros | null
  readonly lastFailureAt: Micros | null
}

export const firstSendLimit = 8
export const largestSendLimit = 64

const failuresBeforePause = 4
const longestPause = 60 * microsPerSecond
/** Whoever has just set up a receiver and mends it must not wait for long to see that it works. */
const longestPauseAtFirst = 5 * microsPerSecond
const atFirst = microsPerMinute
/** No success for so long, and failures on so many days of it, end a subscription. */
export const disabledAfter = 5 * microsPerDay
export const failingDaysWanted = 3
const warnedAfter = [0.5 * disabledAfter, 0.8 * disabledAfter]

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
  // One more per success doubles the limit each time that as many have succeeded as were under way.
  sendLimit: Math.min(largestSendLimit, Math.max(health.sendLimit, health.failuresInARow > 0 ? firstSendLimit : 0) + 1),
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
  const over = failuresInARow - failuresBeforePause
  const longest = now - failingSince < atFirst ? longestPauseAtFirst : longestPause
  return over < 0 ? null : now + Math.min(longest, microsPerSecond * 2 ** over)
}

/**
 * A clock that is set by days while no process runs makes one day of failures more, not as many: so days are counted on
 * which something failed, beside the time that has passed.
 */
function isOnAnotherDay({ failingSince, lastFailureAt }: Health, now: Micros): boolean {
  if (failingSince === null || lastFailureAt === null) return true
  const dayOf = (at: Micros) => Math.floor((at - failingSince) / microsPerDay)
  return dayOf(now) > dayOf(lastFailureAt)
}

/** Five days without a success are enough, if there were failures on several of them. */
export const isGivenUp = ({ failingSince, failingDays }: Health, now: Micros): boolean =>
  failingSince !== null && failingDays >= failingDaysWanted && now - failingSince >= disabledAfter

/** Whether between two failures one of the marks was passed at which people are warned. */
export function passesWarning(before: Health, now: Micros): boolean {
  const { failingSince, lastFailureAt } = before
  if (failingSince === null || lastFailureAt === null) return false
  return warnedAfter.some((mark) => lastFailureAt - failingSince < mark && now - failingSince >= mark)
}
