import { readHttpDate, readRetryAfter, readSeconds, until } from '@service/contract/retry-after'

/**
 * How long the platform asks to wait, from the first kind of header that is present: `Retry-After` and its precise
 * variant `retry-after-ms` (the longer of both), or else the reset of the rate limit.
 */
export function readWait(headers: Headers, nowMs: number): number | undefined {
  // Dates are relative to the platform's clock, because the local clock may be wrong.
  const now = readHttpDate(headers.get('date')) ?? nowMs
  const precise = readSeconds(headers.get('retry-after-ms'))
  const asked = readRetryAfter(headers.get('retry-after'), now)
  if (precise !== undefined || asked !== undefined) return Math.max(precise ?? 0, asked ?? 0)
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset')
  const seconds = readSeconds(reset) ?? 0
  // Some services send the remaining seconds, others the instant in seconds or milliseconds. No wait lasts 30 years.
  return seconds < 1e9 ? readRetryAfter(reset, now) : until(seconds < 1e12 ? seconds * 1000 : seconds, now)
}
