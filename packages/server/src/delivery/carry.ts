import type { Micros } from '../clock.ts'
import type { Outcome } from './outcome.ts'
import type { Dress, DueDelivery } from './request.ts'
import type { OutgoingRequest } from './send.ts'

/** A delivery on its way: enough to make its request anew, also as of another moment. */
export interface Parcel {
  readonly subscriptionId: number
  readonly workspaceId: number
  readonly delivery: DueDelivery
  readonly dress: Dress
  readonly at: Micros
}

/**
 * Stands between the worker and the network, where a test has deliveries come twice, late, altered or not at all.
 * Undefined when it was put off: then it was not tried, and the database says when it is due again.
 */
export type Carry = (
  parcel: Parcel,
  send: (request: OutgoingRequest) => Promise<Outcome>,
) => Promise<Outcome | undefined>
