import { readHttpDate, readRetryAfter, readSeconds, until } from '@service/contract/retry-after'

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
  const seconds = readSeconds(reset) ?? 0
  // Some services write the seconds that are left, some the instant in seconds or milliseconds. No wait lasts 30 years.
  return seconds < 1e9 ? readRetryAfter(reset, now) : until(seconds < 1e12 ? seconds * 1000 : seconds, now)
}
