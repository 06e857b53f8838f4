import type { DeliveryAttempt, DeliveryState, EventName, EventPattern } from '@service/client/admin'
import { requireKnown } from '../../core/known-keys.ts'
import type { Duration } from '../duration.ts'
import type { Arrival, CapturedEvent } from './captured-event.ts'
import { faultOf } from './in-process-receivers.ts'

/** A subscription whose receiver is an inbox in this process. */
export interface Inbox {
  /** Where the platform sends: a host that exists in this process only. */
  readonly url: string
  /** What every delivery to it is signed with, in all workspaces. */
  readonly secret: string
  /** Resolves when the subscriptions are made. Whatever is done after `capture` comes after them anyway, save on PostgreSQL. */
  readonly ready: Promise<void>
  /**
   * The next event that was taken, at once when one lies there. Each delivery is handed out once. Rejects after
   * `timeout` of real time (5 s unless told otherwise) with what came instead.
   */
  next<Name extends EventName>(type: Name, options?: NextOptions): Promise<CapturedEvent<Name>>
  next(type?: EventPattern, options?: NextOptions): Promise<CapturedEvent>
  /** Every event that was taken, in the order in which they came. */
  all(): readonly CapturedEvent[]
  /** Every request that came, also twice, with a bad signature, or answered with an error. */
  arrivals(): readonly Arrival[]
  /** The platform's log: what it sent, how often, and what came of it. */
  deliveries(): Promise<LoggedDelivery[]>
  /** What is answered to the next requests, in this order: `respondWith(500, 'timeout', 200)`. Then 200, or `respond`. */
  respondWith(...answers: readonly InboxResponse[]): void
  /** Ends the subscriptions. */
  close(): Promise<void>
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of `Inbox.next`. */
export interface NextOptions {
  /** Real time; 5 s when left out. */
  readonly timeout?: Duration
}

/** A delivery with its attempts, oldest first. */
export interface LoggedDelivery {
  /** As it stands in `X-Service-Delivery`. */
  readonly deliveryId: string
  readonly workspace: number
  readonly event: string
  readonly state: DeliveryState
  readonly nextAttemptAt: string | null
  readonly attempts: readonly DeliveryAttempt[]
}

/**
 * What a receiver answers: a status, a whole answer, a function, or what goes wrong on the way. A timeout is had at once,
 * without waiting for it.
 */
export type InboxResponse =
  | number
  | InboxResponseParts
  | InboxResponseFault
  | ((request: Request) => Response | Promise<Response>)

/** An answer in plain words. */
export interface InboxResponseParts {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A failure of the network in place of an answer. */
export type InboxResponseFault = 'timeout' | 'reset' | 'refused' | 'dns'

const codes: Readonly<Record<InboxResponseFault, string>> = {
  timeout: 'ETIMEDOUT',
  reset: 'ECONNRESET',
  refused: 'ECONNREFUSED',
  dns: 'ENOTFOUND',
}

export async function toInboxResponse(answer: InboxResponse, request: Request): Promise<Response> {
  if (typeof answer === 'function') return answer(request)
  if (typeof answer === 'string') throw faultOf(codes[answer], `The receiver was told to fail: ${answer}`)
  const { status = 200, headers = {}, body = null } = typeof answer === 'number' ? { status: answer } : answer
  return new Response(body, { status, headers })
}

/** Throws a TypeError that says how an answer is written. */
export function requireInboxResponse(answer: InboxResponse): void {
  if (typeof answer === 'object') requireKnown(answer, ['status', 'headers', 'body'], 'An answer')
  const isKnown =
    typeof answer === 'function' ||
    (typeof answer === 'string'
      ? answer in codes
      : isStatus(typeof answer === 'number' ? answer : (answer.status ?? 200)))
  if (isKnown) return
  throw new TypeError(
    `An answer is a status from 200 to 599, { status, headers, body }, a function, 'timeout', 'reset', 'refused' or 'dns'; it was ${JSON.stringify(answer)}.`,
  )
}

const isStatus = (status: number) => Number.isInteger(status) && status >= 200 && status <= 599
