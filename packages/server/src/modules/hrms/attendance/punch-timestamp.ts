import type { Micros } from '../../../core/clock.ts'

export type TimestampProblem = 'missing_offset' | 'invalid'

// RFC 3339 (which allows lower-case t and z), plus two common deviations: an offset without a colon, and no seconds.
const shape =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<time>\d\d:\d\d(?::\d\d)?)(?:\.(?<fraction>\d+))?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/

const lastSecondOfYear9999 = Date.UTC(9999, 11, 31, 23, 59, 59)
const firstSecondOfYear0 = Date.parse('0000-01-01T00:00:00Z')

/**
 * Parses an ISO 8601 date-time with offset into integer microseconds UTC, or returns the problem.
 * Digits beyond the microsecond are truncated, so that rounding cannot move a punch into the next second.
 */
export function parseTimestamp(text: string): Micros | TimestampProblem {
  const { date, time, fraction = '', offset } = shape.exec(text)?.groups ?? {}
  if (date === undefined || time === undefined) return 'invalid'
  const wallMs = wallClockMs(date, time.length === 5 ? `${time}:00` : time)
  if (wallMs === null) return 'invalid'
  if (offset === undefined) return 'missing_offset'
  const utcMs = wallMs - offsetMs(offset)
  if (utcMs < firstSecondOfYear0 || utcMs > lastSecondOfYear9999) return 'invalid'
  if (time.endsWith(':60') && !isMonthStart(utcMs)) return 'invalid'
  return withFraction(utcMs * 1000, fraction)
}

/**
 * Date.parse accepts 31 February and 24:00 by moving to the next day, so the result is formatted back and compared.
 * A leap second maps to the next second, as in POSIX time. Whether one is possible depends on the UTC time.
 */
function wallClockMs(date: string, time: string): number | null {
  const isLeapSecond = time.endsWith(':60')
  const wall = `${date}T${isLeapSecond ? time.replace(/60$/, '59') : time}`
  const ms = Date.parse(`${wall}Z`)
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== `${wall}.000Z`) return null
  return isLeapSecond ? ms + 1000 : ms
}

function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Leap seconds occur only at the end of a month in UTC. */
const isMonthStart = (utcMs: number): boolean => new Date(utcMs).toISOString().endsWith('-01T00:00:00.000Z')

/** Before 1684 and after 2255 a number cannot represent every microsecond, so the fraction is dropped there. */
function withFraction(secondUs: Micros, fraction: string): Micros {
  const us = secondUs + Number(fraction.slice(0, 6).padEnd(6, '0'))
  return Number.isSafeInteger(us) ? us : secondUs
}

/** The UTC offset in the text, in minutes. Local time at the device is the instant plus this offset. */
export function parseOffsetMinutes(text: string): number {
  const { offset = 'Z' } = shape.exec(text)?.groups ?? {}
  return offsetMs(offset) / 60_000
}
