import { createHmac, hash } from 'node:crypto'
import { eventHeader, signatureHeader } from '@service/contract'
import { type Micros, microsPerSecond } from '../../core/clock.ts'
import { version } from '../../core/version.ts'

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

/** How the value of `X-Service-Signature` is written. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64'

interface Signing {
  /** The newest first. */
  readonly secrets: readonly [string, ...string[]]
  readonly encoding: SignatureEncoding
}

type BodySigner = (body: Uint8Array) => string

/** HMAC-SHA256 over the exact bytes that are sent, keyed with the text of the newest secret. */
function bodySigner({ secrets: [secret], encoding }: Signing): BodySigner {
  if (encoding === 'base64') return (body) => hmac(secret, [body], 'base64')
  const prefix = encoding === 'hex' ? '' : 'sha256='
  return (body) => prefix + hmac(secret, [body], 'hex')
}

type StandardSigner = (body: Uint8Array, id: string, timestampSeconds: number) => string

/**
 * Makes values of `webhook-signature` as Standard Webhooks has them: id and time are signed too, and there is one
 * signature per secret, so that a receiver may hold either while a secret is being replaced. The key is the bytes behind
 * `whsec_`, not its text.
 */
function standardSigner({ secrets }: Signing): StandardSigner {
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
  return (body, id, timestampSeconds) => {
    const prefix = Buffer.from(`${id}.${timestampSeconds}.`)
    return keys.map((key) => `v1,${hmac(key, [prefix, body], 'base64')}`).join(' ')
  }
}

const hmac = (key: string | Uint8Array, parts: readonly Uint8Array[], encoding: 'hex' | 'base64') => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest(encoding)
}

/**
 * The id of an event's delivery to a subscription: a UUID made of both, so it is the same on every retry, resend and
 * replay without being stored ten thousand times per event. Version 8 (RFC 9562) is for ids that are computed.
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
