import type { EventPattern } from '@service/client/admin'
import type { Clock } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import { createWaiters } from '../wait.ts'
import { type Arrival, type CapturedEvent, matchesAny, readDelivery, toPatterns } from './captured-event.ts'
import { type InboxResponse, requireInboxResponse, toInboxResponse } from './inbox.ts'

/** The deliveries received by an inbox. */
export interface InboxStore {
  receive(request: Request): Promise<Response>
  respondWith(...answers: readonly InboxResponse[]): void
  next(type: EventPattern, timeout: Duration): Promise<CapturedEvent>
  readonly verified: readonly CapturedEvent[]
  readonly arrivals: readonly Arrival[]
  /** Rejects waiting calls with this reason. */
  close(reason: Error): void
}

export interface InboxStoreOptions {
  readonly secret: string
  readonly clock: Clock
  /** The response when no scripted response is left. */
  readonly respond: InboxResponse
  /** Describes received requests in timeout errors. */
  explain(arrivals: readonly Arrival[]): Promise<string>
}

export function createInboxStore({ secret, clock, respond, explain }: InboxStoreOptions): InboxStore {
  const verified: CapturedEvent[] = []
  const arrivals: Arrival[] = []
  const unread: CapturedEvent[] = []
  const seenIds = new Set<string>()
  const scriptedResponses: InboxResponse[] = []
  const waiters = createWaiters<CapturedEvent>()
  let closed: Error | undefined
  requireInboxResponse(respond)

  /** Each delivery is returned once; duplicates are ignored. */
  function store(event: CapturedEvent): void {
    if (seenIds.has(event.deliveryId)) return
    seenIds.add(event.deliveryId)
    verified.push(event)
    if (!waiters.resolveFirst(event)) unread.push(event)
  }

  return {
    verified: verified,
    arrivals,
    async receive(request) {
      const { refused, ...opened } = await readDelivery(request.clone(), { secret, clock })
      const { event, ...rest } = opened
      const recordArrival = (answer: number | string) => arrivals.push({ ...rest, type: event.event, refused, answer })
      try {
        const response =
          refused === undefined
            ? await toInboxResponse(scriptedResponses.shift() ?? respond, request)
            : new Response(refused, { status: 401 })
        recordArrival(response.status)
        if (response.ok) store(opened)
        return response
      } catch (fault) {
        recordArrival(String(fault instanceof Error && 'code' in fault ? fault.code : fault))
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
      const index = unread.findIndex(isMatch)
      const [first] = index === -1 ? [] : unread.splice(index, 1)
      if (first !== undefined) return first
      if (closed !== undefined) throw closed
      const timeoutMs = toMicros(timeout, 'timeout') / 1000
      const missed = type === '*' ? 'No event' : `No '${type}'`
      return waiters.wait(isMatch, {
        timeoutMs,
        explain: async () => `${missed} arrived within ${timeoutMs} ms. ${await explain(arrivals)}`,
      })
    },
    close(reason) {
      closed = reason
      waiters.rejectAll(reason)
    },
  }
}
