import type { EventName } from '@service/contract'
import type { Clock } from '../../clock.ts'
import { clearTimeout, setTimeout } from '../../real-timers.ts'
import { type Duration, toMicros } from '../duration.ts'
import { type Answer, requireAnswer, toResponse } from './answer.ts'
import { type Arrival, type CapturedEvent, openRequest } from './captured-event.ts'
import { type EventPattern, isMeant, toPatterns } from './patterns.ts'

/** Where deliveries lie that were taken, and those who wait for one. */
export interface Letterbox {
  take(request: Request): Promise<Response>
  respondWith(...answers: readonly Answer[]): void
  next(type: EventPattern | undefined, timeout: Duration): Promise<CapturedEvent>
  readonly taken: CapturedEvent[]
  readonly arrivals: Arrival[]
  /** Whoever waits is told why nothing will come. */
  close(reason: Error): void
}

interface Waiter {
  readonly patterns: readonly EventPattern[]
  resolve(event: CapturedEvent): void
  reject(reason: Error): void
}

export interface LetterboxOptions {
  readonly secret: string
  readonly clock: Clock
  /** What is answered when nothing else was said. */
  readonly respond: Answer
  /** Sentences for whoever has waited in vain. */
  explain(arrivals: readonly Arrival[]): Promise<string>
}

export function createLetterbox({ secret, clock, respond, explain }: LetterboxOptions): Letterbox {
  const taken: CapturedEvent[] = []
  const arrivals: Arrival[] = []
  const unread: CapturedEvent[] = []
  const waiters = new Set<Waiter>()
  const script: Answer[] = []
  let closed: Error | undefined
  requireAnswer(respond)

  async function answer(request: Request, refused: string | undefined): Promise<Response> {
    if (refused !== undefined) return new Response(refused, { status: 401 })
    return toResponse(script.shift() ?? respond, request)
  }

  /** Each delivery is handed out once, however often it comes. */
  function keep(event: CapturedEvent): void {
    if (taken.some(({ deliveryId }) => deliveryId === event.deliveryId)) return
    taken.push(event)
    const waiter = [...waiters].find(({ patterns }) => isMeant(patterns, event.event.event))
    if (waiter === undefined) unread.push(event)
    else waiter.resolve(event)
  }

  function wait(patterns: readonly EventPattern[], timeoutMs: number, what: string): Promise<CapturedEvent> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiters.delete(waiter)
      }
      const waiter: Waiter = {
        patterns,
        resolve: (event) => (end(), resolve(event)),
        reject: (reason) => (end(), reject(reason)),
      }
      const timer = setTimeout(() => {
        waiters.delete(waiter)
        explain(arrivals).then((said) => reject(new Error(`No ${what} came within ${timeoutMs} ms. ${said}`)), reject)
      }, timeoutMs)
      waiters.add(waiter)
    })
  }

  return {
    taken,
    arrivals,
    async take(request) {
      const { refused, ...opened } = await openRequest(request.clone() as Request, { secret, clock }) // a Request, whatever the types of two worlds say
      const { event, ...rest } = opened
      const note = (answer: number | string) => arrivals.push({ ...rest, type: event.event, refused, answer })
      try {
        const response = await answer(request, refused)
        note(response.status)
        if (response.ok) keep(opened)
        return response
      } catch (fault) {
        note(String(fault instanceof Error && 'code' in fault ? fault.code : fault))
        throw fault
      }
    },
    respondWith(...answers) {
      for (const each of answers) requireAnswer(each)
      script.push(...answers)
    },
    async next(type, timeout) {
      const patterns = toPatterns(type ?? '*')
      const index = unread.findIndex(({ event }) => isMeant(patterns, event.event))
      const [waiting] = index === -1 ? [] : unread.splice(index, 1)
      if (waiting !== undefined) return waiting
      if (closed !== undefined) throw closed
      return wait(patterns, toMicros(timeout) / 1000, type === undefined ? 'event' : `'${type}'`)
    },
    close(reason) {
      closed = reason
      for (const waiter of waiters) waiter.reject(reason)
    },
  }
}

export type { EventName }
