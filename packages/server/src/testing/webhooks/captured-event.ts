import { inspect } from 'node:util'
import type { EventName, EventPattern } from '@service/client/admin'
import { eventNames } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import type { Payloads } from '@service/webhooks'
import type { Clock } from '../../core/clock.ts'

/** An event payload. */
export type EventPayload<Name extends EventName = EventName> = Payloads[Name]

/** A verified delivery. */
export interface CapturedEvent<Name extends EventName = EventName> {
  readonly event: EventPayload<Name>
  readonly headers: Headers
  /** The signed bytes. */
  readonly body: Uint8Array
  /** 1 for the first. */
  readonly attempt: number
  /** The same for every attempt. */
  readonly deliveryId: string
}

/** A request, whether verified or not. */
export interface Arrival extends Omit<CapturedEvent, 'event'> {
  readonly type: string
  /** Why verification failed; undefined if the signature was valid. */
  readonly refused: string | undefined
  /** The response status or the failure. */
  readonly answer: number | string
}

export interface ReceivedDelivery extends CapturedEvent {
  readonly refused: string | undefined
}

/** Parses and verifies a delivery as a subscriber does, at the server's time. */
export async function readDelivery(
  request: Request,
  { secret, clock }: { readonly secret: string; readonly clock: Clock },
): Promise<ReceivedDelivery> {
  const { headers } = request
  const body = new Uint8Array(await request.arrayBuffer())
  // Loaded with the first capture.
  const { verifySync, WebhookVerificationError } = await import('@service/webhooks')
  let refused: string | undefined
  try {
    verifySync({ body, headers, secret, requireTimestamp: true, now: () => clock.now() / 1000 })
  } catch (fault) {
    if (!(fault instanceof WebhookVerificationError)) throw fault
    refused = fault.code
  }
  return {
    event: JSON.parse(Buffer.from(body).toString()), // the platform's own event, which was checked when it was created
    headers,
    body,
    attempt: Number(headers.get('x-service-attempt')),
    deliveryId: headers.get('x-service-delivery') ?? '',
    refused,
  }
}

export const matchesAny = (patterns: readonly EventPattern[], name: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === name || isFamily(pattern, name))

const isFamily = (pattern: string, name: string) => pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))

/** Throws a TypeError for an unknown pattern. */
export function toPatterns(input: EventPattern | readonly EventPattern[]): EventPattern[] {
  const patterns = [input].flat()
  const noText: unknown = patterns.find((pattern) => typeof pattern !== 'string')
  if (noText !== undefined)
    throw new TypeError(
      `A pattern of events is text, such as 'ticket.*' or '*'; it was ${inspect(noText)}. Options are the second argument.`,
    )
  const unknown = patterns.find((pattern) => !eventNames.some((name) => matchesAny([pattern], name)))
  if (patterns.length > 0 && unknown === undefined) return patterns
  throw new TypeError(
    `No event matches ${JSON.stringify(unknown ?? input)}.${didYouMean(String(unknown ?? ''), eventNames, "'")} Use ${eventNames.join(', ')}, families such as 'ticket.*', and '*'.`,
  )
}
