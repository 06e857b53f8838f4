import { type Micros, microsPerDay, microsPerHour, microsPerMinute, microsPerSecond } from '../core/clock.ts'

/** Milliseconds, or words: `'90s'`, `'1h 30m'`, `'25h'`, `'7d'`, `'250ms'`. */
export type Duration = number | string

const units: Readonly<Record<string, Micros>> = {
  ms: 1000,
  s: microsPerSecond,
  m: microsPerMinute,
  h: microsPerHour,
  d: microsPerDay,
}
/** Longer durations would lead to instants that the platform cannot store. */
const longest = 200 * 365 * microsPerDay

const part = /(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*/gy

/** Throws a TypeError that shows the format of a duration. */
export function toMicros(duration: Duration): Micros {
  const micros = typeof duration === 'number' ? duration * 1000 : parse(duration.trim())
  if (micros !== undefined && micros <= longest && micros >= 0) return Math.round(micros)
  if (micros !== undefined && micros > longest)
    throw new TypeError(`A duration must not exceed 200 years; it was ${JSON.stringify(duration)}.`)
  throw new TypeError(
    `A duration is a number of milliseconds or text such as '90s', '1h 30m', or '7d'; it was ${JSON.stringify(duration)}.`,
  )
}

function parse(text: string): Micros | undefined {
  let sum = 0
  let end = 0
  for (const { 0: whole, 1: amount, 2: unit } of text.matchAll(part)) {
    sum += Number(amount) * (units[unit ?? ''] ?? Number.NaN)
    end += whole.length
  }
  return text !== '' && end === text.length ? sum : undefined
}
