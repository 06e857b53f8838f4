import { after, clearInterval, clearTimeout, setInterval, setTimeout } from '../../core/clock.ts'

/**
 * Whether waiting requests keep the process alive, as the socket of a real request would. Otherwise a program that only
 * awaits this would exit. Under a test runner, a request that is never answered would keep the run alive.
 */
export interface KeepAlive {
  /** Requests that wait for a time. */
  readonly delays: boolean
  /** Requests that wait until they are released. */
  readonly hangs: boolean
}

/** Requests delayed by a fault. They do not count as running: `settled()` ignores them. */
export interface PendingWaits {
  /** The number of waiting requests. */
  readonly count: number
  /** Resolves when another wait begins. */
  nextWait(): Promise<void>
  // Each wait also ends when all waits are released, and rejects when its signal fires.
  forMs(signal: AbortSignal, ms: number): Promise<void>
  untilReleased(signal: AbortSignal): Promise<void>
  /** Waits for the server's clock, whose timers do not keep the process alive. */
  onClock(signal: AbortSignal, begin: Timing): Promise<void>
  /** The number of releases, so that a loop of waits knows when to stop. */
  readonly releases: number
  /** Ends every wait. */
  releaseAll(): void
}

/** Calls `end` at its time. Returns a function that cancels it. */
type Timing = (end: () => void) => () => void

export function createPendingWaits(keepAlive: KeepAlive): PendingWaits {
  const waiting = new Set<() => void>()
  let releases = 0
  let nextStarted = Promise.withResolvers<void>()
  async function wait(signal: AbortSignal, begin: Timing): Promise<void> {
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
  }
  return {
    get count() {
      return waiting.size
    },
    get releases() {
      return releases
    },
    nextWait: () => nextStarted.promise,
    forMs: (signal, ms) => wait(signal, (end) => (keepAlive.delays ? keepingAlive(ms, end) : after(ms, end))),
    untilReleased: (signal) => wait(signal, () => (keepAlive.hangs ? stayingAlive() : () => undefined)),
    onClock: (signal, begin) =>
      wait(signal, (end) => {
        const cancels = [begin(end), ...(keepAlive.delays ? [stayingAlive()] : [])]
        return () => {
          for (const cancel of cancels) cancel()
        }
      }),
    releaseAll() {
      releases += 1
      for (const end of waiting) end()
    },
  }
}

function keepingAlive(ms: number, end: () => void): () => void {
  const timer = setTimeout(end, ms)
  return () => clearTimeout(timer)
}

const longTimeMs = 2 ** 30

function stayingAlive(): () => void {
  const timer = setInterval(() => undefined, longTimeMs)
  return () => clearInterval(timer)
}
