import { inspect } from 'node:util'
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

/** Throws a TypeError that names the option and shows the format of a duration. */
export function toMicros(duration: Duration, name: string): Micros {
  const micros = typeof duration === 'number' ? duration * 1000 : parse(duration)
  if (micros !== undefined && micros <= longest && micros >= 0) return Math.round(micros)
  const expected =
    micros !== undefined && micros > longest
      ? 'a duration of at most 200 years'
      : "a duration: a number of milliseconds, or text such as '90s', '1h 30m', or '7d'"
  throw new TypeError(`\`${name}\` must be ${expected}; it was ${inspect(duration)}.`)
}

function parse(duration: unknown): Micros | undefined {
  if (typeof duration !== 'string') return undefined
  const text = duration.trim()
  let sum = 0
  let end = 0
  for (const { 0: whole, 1: amount, 2: unit } of text.matchAll(part)) {
    sum += Number(amount) * (units[unit ?? ''] ?? Number.NaN)
    end += whole.length
  }
  return text !== '' && end === text.length ? sum : undefined
}
