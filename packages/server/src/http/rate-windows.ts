import type { Counted } from './rate-limit.ts'

/** Fixed windows of 60 s that start with a caller's first request, counted in this process. */
export interface RateWindows {
  /** Counts one request of `key` (a token, or an address where no valid token is used). */
  hit(key: string): Counted
  /** Says what others have counted of `key` in the same minute; the larger count holds. */
  raise(key: string, counted: Counted): void
  /** The same as `hit` without counting; undefined where no window is open. */
  peek(key: string): Counted | undefined
}

interface Window {
  hits: number
  endsAtMs: number
}

const windowMs = 60_000
/** About 10 MB. A caller with ever new addresses pushes out the oldest window, and never a newer one. */
const mostWindows = 100_000

/**
 * All windows last equally long and a map keeps the order in which they began: what is over stands in front, and forgetting
 * it costs each request no more than it has added.
 */
export function rateWindows(elapsedMs: () => number, most = mostWindows): RateWindows {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    // One that ends later than any could by now was begun by a clock that has been put back since.
    return window !== undefined && now < window.endsAtMs && window.endsAtMs <= now + windowMs ? window : undefined
  }
  const begin = (key: string, now: number): Window => {
    windows.delete(key)
    for (const [first, { endsAtMs }] of windows) {
      if (endsAtMs > now && windows.size < most) break
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
