import { type Micros, microsPerSecond } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'

/** Where a caller stands in the current window of 60 s. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly exceeded: boolean
  readonly endsInMs: number
}

/** How often a caller has asked in a window, and how long that still lasts. */
export interface Counted {
  readonly hits: number
  readonly endsInMs: number
}

export const toAllowance = (limit: number, { hits, endsInMs }: Counted): Allowance => ({
  limit,
  remaining: Math.max(0, limit - hits),
  exceeded: hits > limit,
  endsInMs,
})

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return { 'x-ratelimit-limit': String(allowance.limit), 'x-ratelimit-remaining': String(allowance.remaining) }
}

export const tooManyAttempts = (counted: Pick<Counted, 'endsInMs'>, now: Micros): ApiError =>
  new ApiError('rate_limited', 'Too Many Attempts.', { headers: exceededHeaders(counted, now) })

/** What a 429 says besides: whole seconds to wait, and the second at which the window ends. */
function exceededHeaders({ endsInMs }: Pick<Counted, 'endsInMs'>, now: Micros): Record<string, string> {
  return {
    'retry-after': String(Math.max(1, Math.ceil(endsInMs / 1000))),
    'x-ratelimit-reset': String(Math.ceil((now + endsInMs * 1000) / microsPerSecond)),
  }
}
