/**
 * How long the platform asks to wait, from the first kind of header that is there: `Retry-After` and its precise
 * sibling `retry-after-ms` (the longer of both), or else when the rate limit starts anew.
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  // The platform's own clock decides when it wrote a date; ours may be wrong.
  const now = readDate(headers.get('date')) ?? nowMs
  const precise = readNumber(headers.get('retry-after-ms'))
  const told = headers.get('retry-after')
  const asked = toMs(readNumber(told)) ?? until(readDate(told), now)
  if (precise !== undefined || asked !== undefined) return Math.max(precise ?? 0, asked ?? 0)
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset')
  return untilReset(readNumber(reset), now) ?? until(readDate(reset), now)
}

function readNumber(text: string | null): number | undefined {
  return text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined
}

const toMs = (seconds: number | undefined) =>
  seconds === undefined ? undefined : Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)

// Some services write the seconds that are left, some the instant in seconds or milliseconds. No wait lasts 30 years.
function untilReset(value: number | undefined, now: number): number | undefined {
  if (value === undefined || value < 1e9) return toMs(value)
  return until(value < 1e12 ? value * 1000 : value, now)
}

const until = (instant: number | undefined, now: number) =>
  instant === undefined ? undefined : Math.max(0, instant - now)

// The three date forms of RFC 9110, 5.6.7. `Date.parse` alone would also read "in 5 minutes" as a date.
function readDate(text: string | null): number | undefined {
  if (!text || !/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]+$/.test(text)) return undefined
  // The third form, of C's asctime, names no zone and means UTC.
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(instant) ? undefined : instant
}
