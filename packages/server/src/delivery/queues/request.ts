import { hash } from 'node:crypto'
import { eventHeader, signatureHeader } from '@service/contract'
import { type Micros, microsPerSecond } from '../../core/clock.ts'
import { version } from '../../core/version.ts'
import { bodySigner, type Signing, type StandardSigner, standardSigner } from './sign-webhook.ts'

/** One request, ready to send: the headers as a flat list of names and values, and the signed bytes. */
export interface OutgoingRequest {
  readonly origin: string
  readonly path: string
  readonly headers: string[]
  readonly body: Uint8Array
}

/** The URL, signing, and format that a subscription configures for its deliveries. */
export interface DeliveryTarget {
  readonly subscriptionId: number
  readonly url: string
  readonly signing: Signing
  readonly standardWebhooks: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface DueDelivery {
  readonly id: number
  readonly event_id: number
  readonly attempts: number
  readonly attempts_before: number
  readonly name: string
  readonly body: string
  readonly size: number
  readonly key: string
  readonly is_test: number
  readonly traceparent: string | null
}

export type RequestBuilder = (delivery: DueDelivery, now: Micros) => OutgoingRequest

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
      // Increases with every event. A receiver that keeps the highest value per resource can detect late arrivals.
      ...['X-Service-Sequence', String(delivery.event_id)],
      ...(delivery.traceparent === null ? [] : ['traceparent', delivery.traceparent]),
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

/**
 * The id of an event's delivery to a subscription. It is derived from both, so it is the same on every retry, resend,
 * and replay without being stored. UUID version 8 (RFC 9562) is for computed ids.
 */
export function deliveryId(eventKey: string, subscriptionId: number): string {
  const hex = hash('sha256', `${eventKey}:${subscriptionId}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
