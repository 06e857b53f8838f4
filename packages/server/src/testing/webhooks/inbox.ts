import type { DeliveryAttempt, DeliveryState, EventName, EventPattern } from '@service/client/admin'
import { requireKnown } from '../../core/known-keys.ts'
import type { Duration } from '../duration.ts'
import { requireResponse } from '../require-response.ts'
import type { Arrival, CapturedEvent } from './captured-event.ts'
import { createFault } from './in-process-receivers.ts'

/** A subscription with an in-process receiver. */
export interface Inbox {
  /** The URL of the subscription, whose host exists only in this process. */
  readonly url: string
  /** The signing secret, the same in all workspaces. */
  readonly secret: string
  /** Resolves when the subscriptions exist. Only PostgreSQL requires awaiting it before writes. */
  readonly ready: Promise<void>
  /**
   * The next event, immediately if one has arrived. Each delivery is returned once. After
   * `timeout` of real time (default 5 s), rejects with a description of what arrived instead.
   */
  next<Name extends EventName>(type: Name, options?: NextOptions): Promise<CapturedEvent<Name>>
  next(type?: EventPattern, options?: NextOptions): Promise<CapturedEvent>
  /** All verified events in order of arrival, since the last restored state. */
  all(): readonly CapturedEvent[]
  /** All requests, including duplicates, invalid signatures, and those with an error response. */
  arrivals(): readonly Arrival[]
  /** The platform's delivery log with attempts. */
  deliveries(): Promise<LoggedDelivery[]>
  /** The responses to the next requests, in order: `respondWith(500, 'timeout', 200)`. After that, `respond` or 200. */
  respondWith(...answers: readonly InboxResponse[]): void
  /** Ends the subscriptions. */
  close(): Promise<void>
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of `Inbox.next`. */
export interface NextOptions {
  /** Real time; defaults to 5 s. */
  readonly timeout?: Duration
}

/** A delivery with its attempts, oldest first. */
export interface LoggedDelivery {
  /** The value of `X-Service-Delivery`. */
  readonly deliveryId: string
  readonly workspace: number
  readonly event: string
  readonly state: DeliveryState
  readonly nextAttemptAt: string | null
  readonly attempts: readonly DeliveryAttempt[]
}

/**
 * A receiver's response: a status, a full response, a function, or a network failure. A timeout takes effect
 * immediately, without waiting.
 */
export type InboxResponse =
  | number
  | InboxResponseParts
  | InboxResponseFault
  | ((request: Request) => Response | Promise<Response>)

/** The parts of a response. */
interface InboxResponseParts {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A network failure instead of a response. */
export type InboxResponseFault = 'timeout' | 'reset' | 'refused' | 'dns'

const codes: Readonly<Record<InboxResponseFault, string>> = {
  timeout: 'ETIMEDOUT',
  reset: 'ECONNRESET',
  refused: 'ECONNREFUSED',
  dns: 'ENOTFOUND',
}

export async function toInboxResponse(answer: InboxResponse, request: Request): Promise<Response> {
  if (typeof answer === 'function') return requireResponse(await answer(request), 'The function in `respondWith`')
  if (typeof answer === 'string') throw createFault(codes[answer], `The inbox simulates a failure: ${answer}`)
  const { status = 200, headers = {}, body = null } = typeof answer === 'number' ? { status: answer } : answer
  return new Response(body, { status, headers })
}

/** Throws a TypeError that shows the accepted formats. */
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
