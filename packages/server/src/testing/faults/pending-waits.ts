import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../core/clock.ts'

/** Requests that a fault delays. They do not count as running: `settled()` does not wait for them. */
export interface PendingWaits {
  /** How many wait now. */
  readonly count: number
  /** Resolves when another begins to wait. */
  next(): Promise<void>
  /** Waits until `begin` calls back, or until all are released; rejects when the signal fires. */
  wait(signal: AbortSignal, begin: Timing): Promise<void>
  /** How often all were released, so that a loop of waits sees that it is to end. */
  readonly releases: number
  /** Ends every wait. */
  releaseAll(): void
}

/** Calls `end` at its time; the function that it returns cancels that. */
export type Timing = (end: () => void) => () => void

export function createPendingWaits(): PendingWaits {
  const waiting = new Set<() => void>()
  let releases = 0
  let began = Promise.withResolvers<void>()
  return {
    get count() {
      return waiting.size
    },
    get releases() {
      return releases
    },
    next: () => began.promise,
    async wait(signal, begin) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      waiting.add(resolve)
      const cancel = begin(resolve)
      began.resolve()
      began = Promise.withResolvers()
      try {
        await promise
      } finally {
        waiting.delete(resolve)
        cancel()
        signal.removeEventListener('abort', abort)
      }
    },
    releaseAll() {
      releases += 1
      for (const end of waiting) end()
    },
  }
}

// Unlike the platform's own timers these keep the process alive, as the socket of a real request would: a program that
// awaits nothing else must not end.

/** Waits in real time. */
export const forMs =
  (ms: number): Timing =>
  (end) => {
    const timer = setTimeout(end, ms)
    return () => clearTimeout(timer)
  }

const longTimeMs = 2 ** 30

/** Waits until it is released. */
export const untilReleased: Timing = () => {
  const timer = setInterval(() => undefined, longTimeMs)
  return () => clearInterval(timer)
}

/** Waits for the server's clock, whose own timers let the process end. */
export const onClock =
  (begin: Timing): Timing =>
  (end) => {
    const cancels = [untilReleased(end), begin(end)]
    return () => {
      for (const cancel of cancels) cancel()
    }
  }
