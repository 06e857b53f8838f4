import type { EventPattern } from '@service/client/admin'
import { clearTimeout, setTimeout } from '../../core/real-timers.ts'
import { TimeoutError } from '../journal/timeout-error.ts'
import type { Arrival, CapturedEvent } from './captured-event.ts'
import { isMeant } from './patterns.ts'

/** Those who wait for an event that has not come yet. */
export interface Waiters {
  wait(patterns: readonly EventPattern[], timeoutMs: number): Promise<CapturedEvent>
  /** Gives it to who has waited longest for such a one; false when nobody does. */
  give(event: CapturedEvent): boolean
  /** Whoever waits is told why nothing will come. */
  sendAway(reason: Error): void
}

interface Waiter {
  readonly patterns: readonly EventPattern[]
  resolve(event: CapturedEvent): void
  reject(reason: Error): void
}

/** Sentences for whoever has waited in vain. */
export type Explain = (arrivals: readonly Arrival[]) => Promise<string>

export function createWaiters(explain: () => Promise<string>): Waiters {
  const waiters = new Set<Waiter>()

  return {
    wait: (patterns, timeoutMs) =>
      new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          waiters.delete(waiter)
        }
        const waiter: Waiter = {
          patterns,
          resolve(event) {
            end()
            resolve(event)
          },
          reject(reason) {
            end()
            reject(reason)
          },
        }
        const timer = setTimeout(() => {
          waiters.delete(waiter)
          explain().then(
            (said) => reject(new TimeoutError(`${missed(patterns)} came within ${timeoutMs} ms. ${said}`)),
            reject,
          )
        }, timeoutMs)
        waiters.add(waiter)
      }),
    give(event) {
      const waiter = [...waiters].find(({ patterns }) => isMeant(patterns, event.event.event))
      waiter?.resolve(event)
      return waiter !== undefined
    },
    sendAway(reason) {
      for (const waiter of waiters) waiter.reject(reason)
    },
  }
}

const missed = ([pattern]: readonly EventPattern[]) => (pattern === '*' ? 'No event' : `No '${pattern}'`)
