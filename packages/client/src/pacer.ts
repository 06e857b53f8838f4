import { readWait } from './retry-after.ts'

// Loaded by the first call of a client with `pace: 'auto'`.

interface Time {
  readonly clock: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Delays requests to stay below the rate limit. A client shares it with its copies. */
export interface Pacer {
  /** Resolves with true when the next request may be sent, or with false if aborted. Waiting calls are served in order. */
  readonly wait: (time: Time, signal: AbortSignal) => Promise<boolean>
  /** Reads the rate limit of a response. */
  readonly record: (headers: Headers, nowMs: number) => void
  /** Ends a request that `wait` allowed. */
  readonly release: () => void
}

/** The window of the platform's rate limit. Responses do not say when it ends, unless the limit is exceeded. */
const windowMs = 60_000

interface RateWindow {
  readonly endsAt: number
  readonly limit: number
  /** Requests that may still be sent. */
  remaining: number
  /** The time of the next request once half of the limit is used. */
  nextAt: number
}

/**
 * Sends the first half of the limit without delay and spreads the second half over the rest of the window. The first
 * request of a window goes alone, because only its response tells how many are left.
 */
export function createPacer(): Pacer {
  let window: RateWindow | undefined
  let inFlight = 0
  let queue: Promise<unknown> = Promise.resolve()
  /** Wakes the call that waits for the end of another one. */
  let wake = (): void => undefined
  const nextRelease = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  /** Undefined until a response tells. */
  function nextDelayMs(now: number): number | undefined {
    if (window && now >= window.endsAt) window = undefined
    if (window) return getDelay(window, now)
    return inFlight === 0 ? 0 : undefined
  }

  async function waitForTurn({ clock, sleep }: Time, signal: AbortSignal): Promise<boolean> {
    let delayMs = nextDelayMs(clock())
    while (delayMs !== 0 && !signal.aborted) {
      await (delayMs === undefined ? nextRelease() : sleep(delayMs, signal))
      delayMs = nextDelayMs(clock())
    }
    if (signal.aborted) return false
    inFlight += 1
    if (!window) return true
    window.nextAt = clock() + (window.endsAt - clock()) / window.remaining
    window.remaining -= 1
    return true
  }

  return {
    wait: (time, signal) => {
      const turn = queue.then(() => waitForTurn(time, signal))
      queue = turn.catch(() => undefined)
      return turn
    },
    record: (headers, nowMs) => {
      window = nextWindow(window, { headers, nowMs, inFlight })
    },
    release: () => {
      inFlight -= 1
      wake()
    },
  }
}

function getDelay({ remaining, limit, nextAt, endsAt }: RateWindow, now: number): number {
  if (remaining > limit / 2) return 0
  return Math.max(0, (remaining > 0 ? Math.min(nextAt, endsAt) : endsAt) - now)
}

interface Received {
  readonly headers: Headers
  readonly nowMs: number
  readonly inFlight: number
}

function nextWindow(window: RateWindow | undefined, { headers, nowMs, inFlight }: Received): RateWindow {
  const limit = readCount(headers.get('x-ratelimit-limit')) ?? 0
  const remaining = readCount(headers.get('x-ratelimit-remaining')) ?? Number.POSITIVE_INFINITY
  const waitMs = readWait(headers, nowMs)
  const endsAt = nowMs + (waitMs ?? windowMs)
  if (waitMs !== undefined && (remaining <= 0 || headers.has('retry-after'))) {
    return { limit, remaining: 0, endsAt, nextAt: endsAt }
  }
  // More requests are left than those in flight explain, so another window has begun.
  const isNew = !window || remaining > window.remaining + inFlight
  if (isNew) return { limit, remaining: remaining - inFlight + 1, endsAt, nextAt: nowMs }
  window.remaining = Math.min(window.remaining, remaining)
  return window
}

/** A repeated header, such as `120, 120`, counts once. */
function readCount(value: string | null): number | undefined {
  const count = Number.parseInt(value ?? '', 10)
  return count >= 0 ? count : undefined
}
