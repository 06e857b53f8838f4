import { readHttpDate, readRetryAfter, readSeconds, toMs, until } from '@service/contract/retry-after'

/**
 * How long the platform asks to wait, from the first kind of header that is there: `Retry-After` and its precise
 * sibling `retry-after-ms` (the longer of both), or else when the rate limit starts anew.
 */
export function readWait(headers: Headers, nowMs: number): number | undefined {
  // The platform's own clock decides when it wrote a date; ours may be wrong.
  const now = readHttpDate(headers.get('date')) ?? nowMs
  const precise = readSeconds(headers.get('retry-after-ms'))
  const asked = readRetryAfter(headers.get('retry-after'), now)
  if (precise !== undefined || asked !== undefined) return Math.max(precise ?? 0, asked ?? 0)
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset')
  return untilReset(readSeconds(reset), now) ?? until(readHttpDate(reset), now)
}

// Some services write the seconds that are left, some the instant in seconds or milliseconds. No wait lasts 30 years.
function untilReset(value: number | undefined, now: number): number | undefined {
  if (value === undefined || value < 1e9) return toMs(value)
  return until(value < 1e12 ? value * 1000 : value, now)
}
