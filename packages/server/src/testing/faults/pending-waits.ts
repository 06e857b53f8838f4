import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../core/clock.ts'

/** Requests delayed by a fault. They do not count as running: `settled()` ignores them. */
export interface PendingWaits {
  /** The number of waiting requests. */
  readonly count: number
  /** Resolves when another wait begins. */
  nextWait(): Promise<void>
  /** Waits until `begin` calls back or all waits are released. Rejects when the signal fires. */
  wait(signal: AbortSignal, begin: Timing): Promise<void>
  /** The number of releases, so that a loop of waits knows when to stop. */
  readonly releases: number
  /** Ends every wait. */
  releaseAll(): void
}

/** Calls `end` at its time. Returns a function that cancels it. */
export type Timing = (end: () => void) => () => void

export function createPendingWaits(): PendingWaits {
  const waiting = new Set<() => void>()
  let releases = 0
  let nextStarted = Promise.withResolvers<void>()
  return {
    get count() {
      return waiting.size
    },
    get releases() {
      return releases
    },
    nextWait: () => nextStarted.promise,
    async wait(signal, begin) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      waiting.add(resolve)
      const cancel = begin(resolve)
      nextStarted.resolve()
      nextStarted = Promise.withResolvers()
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

// Unlike the platform's timers, these keep the process alive, as a real request's socket would. Otherwise a program
// that only awaits this would exit.

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

/** Waits for the server's clock, whose timers do not keep the process alive. */
export const onClock =
  (begin: Timing): Timing =>
  (end) => {
    const cancels = [untilReleased(end), begin(end)]
    return () => {
      for (const cancel of cancels) cancel()
    }
  }
