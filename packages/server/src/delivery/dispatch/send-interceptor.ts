import type { Micros } from '../../core/clock.ts'
import type { Outcome } from './outcome.ts'
import type { DueDelivery, OutgoingRequest, RequestBuilder } from './request.ts'

/** A delivery on its way: enough to make its request anew, also as of another moment. */
export interface SendContext {
  readonly subscriptionId: number
  readonly workspaceId: number
  readonly delivery: DueDelivery
  readonly buildRequest: RequestBuilder
  readonly at: Micros
}

/**
 * Stands between the worker and the network, where a test has deliveries come twice, late, altered or not at all.
 * Undefined when it was put off: then it was not tried, and the database says when it is due again.
 */
export type SendInterceptor = (
  context: SendContext,
  send: (request: OutgoingRequest) => Promise<Outcome>,
) => Promise<Outcome | undefined>
