import { type Micros, microsPerDay, microsPerSecond } from '../../core/clock.ts'

const longest = microsPerDay

/**
 * When a receiver wants to be asked again: seconds (decimals too, though RFC 9110 has whole ones) or an HTTP date, at most a
 * day ahead. What cannot be read counts as not said.
 */
export function readRetryAfter(header: string | undefined, now: Micros): Micros | undefined {
  if (header === undefined) return undefined
  const wait = secondsOf(header.trim()) ?? untilDate(header.trim(), now)
  return wait === undefined ? undefined : now + Math.round(Math.min(Math.max(wait, 0), longest))
}

const secondsOf = (text: string) => (/^\d{1,10}(?:\.\d{1,9})?$/.test(text) ? Number(text) * microsPerSecond : undefined)

// Three spellings of a date are allowed (RFC 9110, 5.6.7); each begins with the day's name and has a time of day in it.
function untilDate(text: string, now: Micros): number | undefined {
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/.test(text)) return undefined
  const date = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : date * 1000 - now
}
