import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../core/clock.ts'

/** Requests that a fault keeps waiting. They are not under way: what waits for quiet does not wait for them. */
export interface PendingWaits {
  /** How many wait now. */
  readonly count: number
  /** Resolves when another begins to wait. */
  next(): Promise<void>
  /** Waits until `begin` calls back, or until all are let go; rejects when the signal fires. */
  wait(signal: AbortSignal, begin: (end: () => void) => () => void): Promise<void>
  /** How often all were let go: who waits again and again sees whether it still has to. */
  readonly releases: number
  /** Ends every wait. */
  releaseAll(): void
}

export function createPendingWaits(): PendingWaits {
  const waiting = new Set<() => void>()
  let letGoes = 0
  let began = Promise.withResolvers<void>()
  return {
    get count() {
      return waiting.size
    },
    get releases() {
      return letGoes
    },
    next: () => began.promise,
    wait: (signal, begin) =>
      new Promise((resolve, reject) => {
        const finish = () => {
          waiting.delete(end)
          callOff()
          signal.removeEventListener('abort', abort)
        }
        const end = () => {
          finish()
          resolve()
        }
        const abort = () => {
          finish()
          reject(signal.reason)
        }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', abort)
        waiting.add(end)
        const callOff = begin(end)
        began.resolve()
        began = Promise.withResolvers()
      }),
    releaseAll() {
      letGoes += 1
      for (const end of waiting) end()
    },
  }
}

// Unlike the platform's own timers these keep the process alive, as the socket of a real request would: whoever awaits
// nothing else must not find the program at its end.

/** Waits in real time. */
export const forMs = (ms: number) => (end: () => void) => {
  const timer = setTimeout(end, ms)
  return () => clearTimeout(timer)
}

const longTimeMs = 2 ** 30

/** Waits until it is let go. */
export function forEver(): () => void {
  const timer = setInterval(() => undefined, longTimeMs)
  return () => clearInterval(timer)
}

/** Waits for the server's clock, whose own timers let the process end. */
export const untilWoken = (begin: (end: () => void) => () => void) => (end: () => void) => {
  const letProcessEnd = forEver()
  const callOff = begin(end)
  return () => {
    callOff()
    letProcessEnd()
  }
}
