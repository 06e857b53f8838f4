import type { DeliveryAttempt, DeliveryState, EventName, EventPattern } from '@service/client/admin'
import type { Duration } from '../duration.ts'
import type { Arrival, CapturedEvent } from './captured-event.ts'
import type { InboxResponse } from './inbox-response.ts'

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
