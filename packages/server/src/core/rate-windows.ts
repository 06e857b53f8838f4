import { type Micros, microsPerSecond } from './clock.ts'
import { ApiError } from './errors.ts'

export interface Counted {
  readonly hits: number
  readonly endsInMs: number
}

export const tooManyAttempts = (counted: Pick<Counted, 'endsInMs'>, now: Micros): ApiError =>
  new ApiError('rate_limited', 'Too Many Attempts.', { headers: exceededHeaders(counted, now) })

/** The headers of a 429: whole seconds to wait, and the second at which the window ends. */
function exceededHeaders({ endsInMs }: Pick<Counted, 'endsInMs'>, now: Micros): Record<string, string> {
  return {
    'retry-after': String(Math.max(1, Math.ceil(endsInMs / 1000))),
    'x-ratelimit-reset': String(Math.ceil((now + endsInMs * 1000) / microsPerSecond)),
  }
}

/** Fixed windows of 60 s that start with a caller's first request, counted in this process. */
export interface RateWindows {
  /** Counts one request of `key` (a token, or an address where no valid token is used). */
  hit(key: string): Counted
  /** Applies the count that other nodes have for `key` in the same window; the larger count wins. */
  raise(key: string, counted: Counted): void
  /** Like `hit` without counting; undefined if no window is open. */
  peek(key: string): Counted | undefined
}

interface Window {
  hits: number
  endsAtMs: number
}

const windowMs = 60_000
/** About 10 MB. A caller that keeps changing addresses evicts only the oldest windows. */
const maxWindows = 100_000

/**
 * All windows have the same length and a map keeps insertion order, so expired windows come first. Deleting them costs
 * a constant amount per request.
 */
export function rateWindows(elapsedMs: () => number, maxCount = maxWindows): RateWindows {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    // A window that ends too late was started before the clock was set back.
    return window !== undefined && now < window.endsAtMs && window.endsAtMs <= now + windowMs ? window : undefined
  }
  const begin = (key: string, now: number): Window => {
    windows.delete(key)
    for (const [first, { endsAtMs }] of windows) {
      if (endsAtMs > now && windows.size < maxCount) break
      windows.delete(first)
    }
    const window = { hits: 0, endsAtMs: now + windowMs }
    windows.set(key, window)
    return window
  }
  return {
    hit(key) {
      const now = elapsedMs()
      const window = current(key, now) ?? begin(key, now)
      window.hits += 1
      return { hits: window.hits, endsInMs: window.endsAtMs - now }
    },
    raise(key, { hits, endsInMs }) {
      const window = windows.get(key)
      if (window === undefined || window.hits >= hits) return
      window.hits = hits
      window.endsAtMs = Math.min(window.endsAtMs, elapsedMs() + endsInMs)
    },
    peek(key) {
      const now = elapsedMs()
      const window = current(key, now)
      return window && { hits: window.hits, endsInMs: window.endsAtMs - now }
    },
  }
}
