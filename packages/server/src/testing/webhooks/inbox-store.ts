import type { EventPattern } from '@service/client/admin'
import type { Clock } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import { createWaiting } from '../journal/wait.ts'
import { type Arrival, type CapturedEvent, isMeant, openRequest, toPatterns } from './captured-event.ts'
import { type InboxResponse, requireInboxResponse, toInboxResponse } from './inbox.ts'

/** The deliveries received by an inbox. */
export interface InboxStore {
  take(request: Request): Promise<Response>
  respondWith(...answers: readonly InboxResponse[]): void
  next(type: EventPattern, timeout: Duration): Promise<CapturedEvent>
  readonly taken: readonly CapturedEvent[]
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
  const taken: CapturedEvent[] = []
  const arrivals: Arrival[] = []
  const unread: CapturedEvent[] = []
  const known = new Set<string>()
  const script: InboxResponse[] = []
  const waiting = createWaiting<CapturedEvent>()
  let closed: Error | undefined
  requireInboxResponse(respond)

  /** Each delivery is returned once; duplicates are ignored. */
  function keep(event: CapturedEvent): void {
    if (known.has(event.deliveryId)) return
    known.add(event.deliveryId)
    taken.push(event)
    if (!waiting.giveToOne(event)) unread.push(event)
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
          refused === undefined
            ? await toInboxResponse(script.shift() ?? respond, request)
            : new Response(refused, { status: 401 })
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
      const isIt = ({ event }: CapturedEvent) => isMeant(patterns, event.event)
      const index = unread.findIndex(isIt)
      const [first] = index === -1 ? [] : unread.splice(index, 1)
      if (first !== undefined) return first
      if (closed !== undefined) throw closed
      const timeoutMs = toMicros(timeout) / 1000
      const missed = type === '*' ? 'No event' : `No '${type}'`
      return waiting.until(isIt, {
        timeoutMs,
        explain: async () => `${missed} arrived within ${timeoutMs} ms. ${await explain(arrivals)}`,
      })
    },
    close(reason) {
      closed = reason
      waiting.giveUp(reason)
    },
  }
}
