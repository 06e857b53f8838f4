import type { EventName } from '../event.ts'
import type { Payloads } from '../payloads.ts'
import { type SignatureEncoding, sign } from '../sign.ts'
import { fixtures } from './fixtures.ts'

/** Overrides for a signed test delivery. */
export interface DeliveryOverrides {
  /** Defaults to `testSecret`. Several secrets sign as during a rotation. */
  readonly secret?: string | readonly string[] | undefined
  readonly encoding?: SignatureEncoding | undefined
  /** Add the Standard Webhooks headers. */
  readonly standard?: boolean | undefined
  readonly deliveryId?: string | undefined
  readonly attempt?: number | undefined
  readonly sequence?: number | undefined
  /** Time of signing, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Changes headers after signing; `undefined` removes one. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  /** Signs and sends these bytes instead of the payload's JSON. */
  readonly rawBody?: string | Uint8Array | undefined
}

/** A delivery as the receiver gets it. */
export interface SignedDelivery {
  readonly method: 'POST'
  /** Names in lower case, as Node has them. */
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
}

/** The default secret of test deliveries. */
export const testSecret = 'whsec_dGVzdHMgb25seSwgbm90IGEgc2VjcmV0IGF0IGFsbA=='

type AnyPayload = Payloads[EventName] | (object & { readonly event: string })

/**
 * Creates a signed delivery, from the name of an event (with the payload in `fixtures`) or from your own payload.
 *
 * @example
 * const { headers, body } = await signedDelivery('ticket.created')
 * const response = await app.inject({ method: 'POST', url: '/webhooks', headers, payload: body })
 */
export async function signedDelivery(
  event: EventName | AnyPayload,
  overrides: DeliveryOverrides = {},
): Promise<SignedDelivery> {
  const payload: AnyPayload = typeof event === 'string' ? fixtures[event] : event
  const {
    rawBody: body = JSON.stringify(payload),
    deliveryId = crypto.randomUUID(),
    attempt = 1,
    sequence = 1,
  } = overrides
  const headers: Record<string, string | undefined> = {
    'content-type': 'application/json',
    'x-service-event': payload.event,
    'x-service-delivery': deliveryId,
    'x-service-attempt': String(attempt),
    'x-service-sequence': String(sequence),
    ...(await signatures(body, deliveryId, overrides)),
    ...overrides.headers,
  }
  return { method: 'POST', headers: withoutUndefined(headers), body }
}

/**
 * `signedDelivery` as a fetch `Request`.
 *
 * @example
 * const response = await handler(await signedRequest('ticket.created', { secret }))
 */
export async function signedRequest(
  event: EventName | AnyPayload,
  {
    url = 'https://receiver.example/webhooks',
    ...overrides
  }: DeliveryOverrides & { readonly url?: string | undefined } = {},
): Promise<Request> {
  const { method, headers, body } = await signedDelivery(event, overrides)
  // Copied, because a request rejects a view of memory that may be shared.
  return new Request(url, { method, headers, body: typeof body === 'string' ? body : new Uint8Array(body) })
}

async function signatures(
  body: string | Uint8Array,
  id: string,
  { secret = testSecret, encoding, standard, now = Date.now }: DeliveryOverrides,
) {
  const secrets = typeof secret === 'string' ? [secret] : secret
  const timestampSeconds = Math.floor(now() / 1000)
  const signAll = async (options: {
    encoding?: SignatureEncoding | undefined
    standard?: { id: string; timestampSeconds: number }
  }) => (await Promise.all(secrets.map((key) => sign({ body, secret: key, ...options })))).join(' ')
  return {
    'x-service-signature': await signAll({ encoding }),
    ...(standard && {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': await signAll({ standard: { id, timestampSeconds } }),
    }),
  }
}

const withoutUndefined = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))
