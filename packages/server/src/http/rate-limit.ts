import type { Clock, Micros } from '../clock.ts'
import { microsPerMinute, microsPerSecond } from '../clock.ts'

/** Where a caller stands in the current window of 60 s. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly exceeded: boolean
  readonly resetsAt: Micros
}

export interface RateLimiter {
  /** Counts one request of `key` (a token, or an address where no valid token is used). */
  hit(key: string): Allowance | undefined
}

interface Window {
  hits: number
  readonly resetsAt: Micros
}

const sweepAbove = 10_000

/**
 * Fixed windows of 60 s that start with a caller's first request; `off` counts nothing. The limit is asked for at every
 * request, as a test may change it.
 */
export function rateLimiter(clock: Clock, limitNow: () => number | 'off'): RateLimiter {
  const windows = new Map<string, Window>()
  return {
    hit(key) {
      const limit = limitNow()
      if (limit === 'off') return undefined
      const now = clock.now()
      const window = current(windows, key, now)
      window.hits += 1
      return {
        limit,
        remaining: Math.max(0, limit - window.hits),
        exceeded: window.hits > limit,
        resetsAt: window.resetsAt,
      }
    },
  }
}

function current(windows: Map<string, Window>, key: string, now: Micros): Window {
  const known = windows.get(key)
  if (known !== undefined && now < known.resetsAt && known.resetsAt <= now + microsPerMinute) return known
  if (windows.size >= sweepAbove) sweep(windows, now)
  const fresh = { hits: 0, resetsAt: now + microsPerMinute }
  windows.set(key, fresh)
  return fresh
}

/** An attacker with many addresses must not fill the memory. */
function sweep(windows: Map<string, Window>, now: Micros): void {
  for (const [key, { resetsAt }] of windows) if (resetsAt <= now) windows.delete(key)
}

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return { 'x-ratelimit-limit': String(allowance.limit), 'x-ratelimit-remaining': String(allowance.remaining) }
}

/** What a 429 says besides: whole seconds to wait, and the second at which the window ends. */
export function exceededHeaders(allowance: Allowance, now: Micros): Record<string, string> {
  return {
    'retry-after': String(Math.max(1, Math.ceil((allowance.resetsAt - now) / microsPerSecond))),
    'x-ratelimit-reset': String(Math.ceil(allowance.resetsAt / microsPerSecond)),
  }
}
