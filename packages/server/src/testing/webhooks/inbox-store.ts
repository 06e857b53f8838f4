import type { EventPattern } from '@service/client/admin'
import type { Clock } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import { type Arrival, type CapturedEvent, openRequest } from './captured-event.ts'
import { type InboxResponse, requireInboxResponse, toInboxResponse } from './inbox-response.ts'
import { isMeant, toPatterns } from './patterns.ts'
import { createWaiters, type Explain } from './waiters.ts'

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
