import type { EventPattern } from '@service/client/admin'
import type { Clock } from '../../core/clock.ts'
import { clearTimeout, setTimeout } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import { TimeoutError } from '../journal/wait.ts'
import { type Arrival, type CapturedEvent, isMeant, openRequest, toPatterns } from './captured-event.ts'
import { type InboxResponse, requireInboxResponse, toInboxResponse } from './inbox.ts'

/** Where deliveries lie that were taken. */
export interface InboxStore {
  take(request: Request): Promise<Response>
  respondWith(...answers: readonly InboxResponse[]): void
  next(type: EventPattern, timeout: Duration): Promise<CapturedEvent>
  readonly taken: readonly CapturedEvent[]
  readonly arrivals: readonly Arrival[]
  /** Whoever waits is told why nothing will come. */
  close(reason: Error): void
}

export interface InboxStoreOptions {
  readonly secret: string
  readonly clock: Clock
  /** What is answered when nothing else was said. */
  readonly respond: InboxResponse
  readonly explain: Explain
}

export function createInboxStore({ secret, clock, respond, explain }: InboxStoreOptions): InboxStore {
  const taken: CapturedEvent[] = []
  const arrivals: Arrival[] = []
  const unread: CapturedEvent[] = []
  const known = new Set<string>()
  const script: InboxResponse[] = []
  const waiters = createWaiters(() => explain(arrivals))
  let closed: Error | undefined
  requireInboxResponse(respond)

  /** Each delivery is handed out once, however often it comes. */
  function keep(event: CapturedEvent): void {
    if (known.has(event.deliveryId)) return
    known.add(event.deliveryId)
    taken.push(event)
    if (!waiters.give(event)) unread.push(event)
  }

  return {
    taken,
    arrivals,
    async take(request) {
      const { refused, ...opened } = await openRequest(request.clone(), { secret, clock })
      const { event, ...rest } = opened
      const note = (answer: number | string) => arrivals.push({ ...rest, type: event.event, refused, answer })
      try {
        const response =
          refused === undefined ? await toInboxResponse(script.shift() ?? respond, request) : refusal(refused)
        note(response.status)
        if (response.ok) keep(opened)
        return response
      } catch (fault) {
        note(String(fault instanceof Error && 'code' in fault ? fault.code : fault))
        throw fault
      }
    },
    respondWith(...answers) {
      for (const each of answers) requireInboxResponse(each)
      script.push(...answers)
    },
    async next(type, timeout) {
      const patterns = toPatterns(type)
      const index = unread.findIndex(({ event }) => isMeant(patterns, event.event))
      const [waiting] = index === -1 ? [] : unread.splice(index, 1)
      if (waiting !== undefined) return waiting
      if (closed !== undefined) throw closed
      return waiters.wait(patterns, toMicros(timeout) / 1000)
    },
    close(reason) {
      closed = reason
      waiters.sendAway(reason)
    },
  }
}

const refusal = (code: string) => new Response(code, { status: 401 })

/** Those who wait for an event that has not come yet. */
interface Waiters {
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
type Explain = (arrivals: readonly Arrival[]) => Promise<string>

function createWaiters(explain: () => Promise<string>): Waiters {
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
