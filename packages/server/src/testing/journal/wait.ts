import { clearTimeout, setTimeout } from '../../core/clock.ts'

/** How long to wait for a request. */
export interface WaitOptions {
  /** Milliseconds of real time; 5000 by default. */
  readonly timeout?: number | undefined
}

/** Pending calls that wait for an item. */
export interface Waiting<Item> {
  /** Resolves to the first matching item. After the timeout, rejects with the result of `explain`. */
  until(isIt: (item: Item) => boolean, options: UntilOptions): Promise<Item>
  /** Passes the item to every waiting call. */
  giveToAll(item: Item): void
  /** Passes the item to the longest-waiting call; returns false if there is none. */
  giveToOne(item: Item): boolean
  /** Rejects all waiting calls. */
  giveUp(reason: Error): void
}

interface UntilOptions {
  readonly timeoutMs: number
  explain(): string | Promise<string>
}

interface Waiter<Item> {
  readonly isIt: (item: Item) => boolean
  resolve(item: Item): void
  reject(reason: unknown): void
}

export function createWaiting<Item>(): Waiting<Item> {
  const waiters = new Set<Waiter<Item>>()
  const giveToOne = (item: Item) => {
    const waiter = [...waiters].find(({ isIt }) => isIt(item))
    waiter?.resolve(item)
    return waiter !== undefined && waiters.delete(waiter)
  }
  return {
    until(isIt, { timeoutMs, explain }) {
      const { promise, resolve, reject } = Promise.withResolvers<Item>()
      const waiter = { isIt, resolve, reject }
      waiters.add(waiter)
      const timer = setTimeout(async () => {
        waiters.delete(waiter)
        try {
          reject(new TimeoutError(await explain()))
        } catch (thrown) {
          reject(thrown)
        }
      }, timeoutMs)
      return promise.finally(() => clearTimeout(timer))
    },
    giveToOne,
    giveToAll(item) {
      while (giveToOne(item));
    },
    giveUp(reason) {
      for (const waiter of waiters) waiter.reject(reason)
      waiters.clear()
    },
  }
}

/** The expected item did not arrive in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}
