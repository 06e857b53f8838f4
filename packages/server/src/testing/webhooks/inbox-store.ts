import type { EventPattern } from '@service/client/admin'
import type { Clock } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import { type Arrival, type CapturedEvent, matchesAny, readDelivery, toPatterns } from './captured-event.ts'
import { type InboxResponse, requireInboxResponse, toInboxResponse } from './inbox.ts'
import { createReceivedEvents } from './received-events.ts'

/** The deliveries received by an inbox. */
export interface InboxStore {
  receive(request: Request): Promise<Response>
  respondWith(...answers: readonly InboxResponse[]): void
  next(type: EventPattern, timeout: Duration): Promise<CapturedEvent>
  readonly verified: readonly CapturedEvent[]
  readonly arrivals: readonly Arrival[]
  /** Forgets the events, but not the requests. */
  forgetEvents(): void
  /** Rejects waiting calls with this reason. */
  close(reason: Error): void
}

export interface InboxStoreOptions {
  readonly secret: string
  readonly clock: Clock
  /** The response when no scripted response is left. */
  readonly respond: InboxResponse
  /** Describes received requests in timeout errors, each by one line. */
  explain(received: readonly string[]): Promise<string>
}

export function createInboxStore({ secret, clock, respond, explain }: InboxStoreOptions): InboxStore {
  const { verified, arrivals, waiters, ...events } = createReceivedEvents()
  const scriptedResponses: InboxResponse[] = []
  let closed: Error | undefined
  requireInboxResponse(respond)
  return {
    verified,
    arrivals,
    async receive(request) {
      const { refused, ...opened } = await readDelivery(request.clone(), { secret, clock })
      const { event, ...rest } = opened
      const toArrival = (answer: number | string) => ({ ...rest, type: event.event, refused, answer })
      try {
        const response =
          refused === undefined
            ? await toInboxResponse(scriptedResponses.shift() ?? respond, request)
            : new Response(refused, { status: 401 })
        events.add(toArrival(response.status), response.ok ? opened : undefined)
        return response
      } catch (fault) {
        events.add(toArrival(String(fault instanceof Error && 'code' in fault ? fault.code : fault)))
        throw fault
      }
    },
    respondWith(...answers) {
      for (const each of answers) requireInboxResponse(each)
      scriptedResponses.push(...answers)
    },
    async next(type, timeout) {
      const patterns = toPatterns(type)
      const isMatch = ({ event }: CapturedEvent) => matchesAny(patterns, event.event)
      const first = events.take(isMatch)
      if (first !== undefined) return first
      if (closed !== undefined) throw closed
      const timeoutMs = toMicros(timeout, 'timeout') / 1000
      const missed = type === '*' ? 'event' : `'${type}'`
      return waiters.wait(isMatch, {
        timeoutMs,
        explain: async () => {
          const none = arrivals.some((arrival) => matchesAny(patterns, arrival.type)) ? 'No other' : 'No'
          return `${none} ${missed} arrived within ${timeoutMs} ms. ${await explain(arrivals.map(events.describe))}`
        },
      })
    },
    forgetEvents: events.forget,
    close(reason) {
      closed ??= reason
      waiters.rejectAll(reason)
    },
  }
}
