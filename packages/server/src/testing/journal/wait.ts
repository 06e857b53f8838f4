import { clearTimeout, setTimeout } from '../../core/clock.ts'

/** How long to wait for a request. */
export interface WaitOptions {
  /** Milliseconds of real time; 5000 unless told otherwise. */
  readonly timeout?: number | undefined
}

/** Those who wait for something, told as soon as it is there. */
export interface Waiting<Item> {
  /** Resolves to the first that fits; on timeout the message says what `explain` says then. */
  until(isIt: (item: Item) => boolean, options: WaitOptions & { explain(): string }): Promise<Item>
  tell(item: Item): void
  /** Nothing will come any more. */
  giveUp(reason: string): void
}

interface Waiter<Item> {
  readonly isIt: (item: Item) => boolean
  resolve(item: Item): void
  reject(fault: Error): void
}

export function createWaiting<Item>(): Waiting<Item> {
  const waiters = new Set<Waiter<Item>>()
  return {
    until: (isIt, { timeout = 5000, explain }) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          waiters.delete(waiter)
          clearTimeout(timer)
        }
        const waiter: Waiter<Item> = {
          isIt,
          resolve(item) {
            leave()
            resolve(item)
          },
          reject(fault) {
            leave()
            reject(fault)
          },
        }
        const timer = setTimeout(() => waiter.reject(new TimeoutError(`${explain()} (waited ${timeout} ms)`)), timeout)
        waiters.add(waiter)
      }),
    tell(item) {
      for (const waiter of waiters) if (waiter.isIt(item)) waiter.resolve(item)
    },
    giveUp(reason) {
      for (const waiter of waiters) waiter.reject(new Error(reason))
    },
  }
}

/** What a test waited for did not come in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}
