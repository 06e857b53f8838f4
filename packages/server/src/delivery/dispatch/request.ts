import { eventHeader, signatureHeader } from '@service/contract'
import type { Micros } from '../../core/clock.ts'
import { microsPerSecond } from '../../core/clock.ts'
import { version } from '../../core/version.ts'
import { deliveryId } from '../outbox/delivery-id.ts'
import { bodySigner, type Signing, type StandardSigner, standardSigner } from './sign.ts'

/** One request, ready to go: the headers as a flat list of names and values, and the bytes that were signed. */
export interface OutgoingRequest {
  readonly origin: string
  readonly path: string
  readonly headers: string[]
  readonly body: Uint8Array
}

/** Where a subscription wants its events, and how they are dressed. */
export interface DeliveryTarget {
  readonly subscriptionId: number
  readonly url: string
  readonly signing: Signing
  readonly standardWebhooks: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** A delivery that is due, with its event. */
export interface DueDelivery {
  readonly id: number
  readonly event_id: number
  readonly attempts: number
  readonly attempts_before: number
  readonly name: string
  readonly body: string
  /** Of the body, in bytes. */
  readonly size: number
  readonly key: string
  readonly is_test: number
}

export type RequestBuilder = (delivery: DueDelivery, now: Micros) => OutgoingRequest

/** Prepares what all requests to a target share, so that one more costs two hashes. */
export function createRequestBuilder(target: DeliveryTarget): RequestBuilder {
  const { origin, pathname, search } = new URL(target.url)
  const signBody = bodySigner(target.signing)
  const sign = target.standardWebhooks ? standardSigner(target.signing) : undefined
  const shared = [
    ...['Content-Type', 'application/json', 'User-Agent', `service-webhooks/${version}`],
    ...Object.entries(target.headers).flat(),
  ]
  return (delivery, now) => {
    const body = Buffer.from(delivery.body)
    const id = deliveryId(delivery.key, target.subscriptionId)
    const headers = [
      ...shared,
      ...[eventHeader, delivery.name, signatureHeader, signBody(body)],
      ...['X-Service-Delivery', id, 'X-Service-Attempt', String(delivery.attempts + 1)],
      // Grows with every event; a receiver that keeps the highest it has seen per resource can tell what came late.
      ...['X-Service-Sequence', String(delivery.event_id)],
      ...(delivery.is_test === 1 ? ['X-Service-Test', 'true'] : []),
      ...(sign === undefined ? [] : standardHeaders(sign, { body, id, now })),
    ]
    return { origin, path: pathname + search, headers, body }
  }
}

function standardHeaders(sign: StandardSigner, { body, id, now }: { body: Uint8Array; id: string; now: Micros }) {
  const seconds = Math.floor(now / microsPerSecond)
  return ['webhook-id', id, 'webhook-timestamp', String(seconds), 'webhook-signature', sign(body, id, seconds)]
}
