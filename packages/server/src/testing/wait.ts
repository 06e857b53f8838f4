import { clearTimeout, setTimeout } from '../core/clock.ts'
import type { Duration } from './duration.ts'

/** How long to wait for a request. */
export interface WaitOptions {
  /** Real time; 5 s by default. */
  readonly timeout?: Duration | undefined
}

/** Calls that wait for an item. */
export interface Waiters<Item> {
  /** Resolves to the first matching item. After the timeout, rejects with the result of `explain`. */
  wait(isMatch: (item: Item) => boolean, options: WaiterOptions): Promise<Item>
  /** Passes the item to every waiting call. */
  resolveAll(item: Item): void
  /** Passes the item to the longest-waiting call; returns false if there is none. */
  resolveFirst(item: Item): boolean
  /** Rejects all waiting calls. */
  rejectAll(reason: Error): void
}

interface WaiterOptions {
  readonly timeoutMs: number
  explain(): string | Promise<string>
}

interface Waiter<Item> {
  readonly isMatch: (item: Item) => boolean
  resolve(item: Item): void
  reject(reason: unknown): void
}

export function createWaiters<Item>(): Waiters<Item> {
  const waiters = new Set<Waiter<Item>>()
  const resolveFirst = (item: Item) => {
    const waiter = [...waiters].find(({ isMatch }) => isMatch(item))
    waiter?.resolve(item)
    return waiter !== undefined && waiters.delete(waiter)
  }
  return {
    wait(isMatch, { timeoutMs, explain }) {
      const { promise, resolve, reject } = Promise.withResolvers<Item>()
      const waiter = { isMatch, resolve, reject }
      waiters.add(waiter)
      const timer = setTimeout(async () => {
        waiters.delete(waiter)
        try {
          reject(new WaitTimeoutError(await explain()))
        } catch (thrown) {
          reject(thrown)
        }
      }, timeoutMs)
      return promise.finally(() => clearTimeout(timer))
    },
    resolveFirst,
    resolveAll(item) {
      while (resolveFirst(item));
    },
    rejectAll(reason) {
      for (const waiter of waiters) waiter.reject(reason)
      waiters.clear()
    },
  }
}

/** The expected item did not arrive in time. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}
