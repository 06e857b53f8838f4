import { after, clearInterval, clearTimeout, setInterval, setTimeout } from '../../core/clock.ts'
import { nextTurn } from '../../core/next-turn.ts'

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
  /** The waits of a request that begins now. */
  begin(): RequestWaits
  /** Ends every wait. */
  releaseAll(): void
}

/**
 * The waits of one request. They end when all waits are released, and this request does not wait any more. Each rejects
 * when its signal fires.
 */
export interface RequestWaits {
  readonly isReleased: boolean
  forMs(signal: AbortSignal, ms: number): Promise<void>
  untilReleased(signal: AbortSignal): Promise<void>
  /** Waits for the server's clock, whose timers do not keep the process alive. */
  onClock(signal: AbortSignal, begin: Timing): Promise<void>
  /** Whether the work of a test's code has ended, in any way. After a release, it has one more turn. */
  forWork(signal: AbortSignal, work: Promise<unknown>): Promise<boolean>
}

/** Calls `end` at its time. Returns a function that cancels it. */
type Timing = (end: () => void) => () => void

export function createPendingWaits(keepAlive: KeepAlive): PendingWaits {
  const waiting = new Set<() => void>()
  let releases = 0
  let nextStarted = Promise.withResolvers<void>()
  async function wait(signal: AbortSignal, begin: Timing, release = (end: () => void) => end()): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => reject(signal.reason)
    const endEarly = () => release(resolve)
    signal.addEventListener('abort', abort)
    waiting.add(endEarly)
    const cancel = begin(resolve)
    nextStarted.resolve()
    nextStarted = Promise.withResolvers()
    try {
      await promise
    } finally {
      waiting.delete(endEarly)
      cancel()
      signal.removeEventListener('abort', abort)
    }
  }
  return {
    get count() {
      return waiting.size
    },
    nextWait: () => nextStarted.promise,
    begin() {
      const releasesAtStart = releases
      return requestWaits({ wait, isReleased: () => releases !== releasesAtStart, keepAlive })
    },
    releaseAll() {
      releases += 1
      for (const end of waiting) end()
    },
  }
}

interface RequestWaitsParts {
  readonly wait: (signal: AbortSignal, begin: Timing, release?: (end: () => void) => void) => Promise<void>
  readonly isReleased: () => boolean
  readonly keepAlive: KeepAlive
}

function requestWaits({ wait, isReleased, keepAlive }: RequestWaitsParts): RequestWaits {
  const hold = () => (keepAlive.hangs ? stayingAlive() : () => undefined)
  const unlessReleased = async (signal: AbortSignal, timing: Timing) => {
    if (!isReleased()) await wait(signal, timing)
  }
  return {
    get isReleased() {
      return isReleased()
    },
    forMs: (signal, ms) => unlessReleased(signal, (end) => (keepAlive.delays ? keepingAlive(ms, end) : after(ms, end))),
    untilReleased: (signal) => unlessReleased(signal, hold),
    onClock: (signal, timing) =>
      unlessReleased(signal, (end) => {
        const cancels = [timing(end), ...(keepAlive.delays ? [stayingAlive()] : [])]
        return () => {
          for (const cancel of cancels) cancel()
        }
      }),
    async forWork(signal, work) {
      work.catch(() => undefined) // the caller may be gone
      let hasEnded = false
      const release = (end: () => void) => void nextTurn().then(end)
      const timing: Timing = (end) => {
        const finish = () => {
          hasEnded = true
          end()
        }
        work.then(finish, finish)
        if (isReleased()) release(end)
        return hold()
      }
      await wait(signal, timing, release)
      return hasEnded
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
