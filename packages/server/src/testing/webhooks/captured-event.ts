import type { EventName, EventPattern } from '@service/client/admin'
import { eventNames } from '@service/contract'
import type { Payloads } from '@service/webhooks'
import type { Clock } from '../../core/clock.ts'

/** The body of an event. */
export type EventPayload<Name extends EventName = EventName> = Payloads[Name]

/** A delivery that was accepted. */
export interface CapturedEvent<Name extends EventName = EventName> {
  readonly event: EventPayload<Name>
  readonly headers: Headers
  /** The bytes that were signed. */
  readonly body: Uint8Array
  /** 1 for the first. */
  readonly attempt: number
  /** The same on every attempt. */
  readonly deliveryId: string
}

/** A request, accepted or not. */
export interface Arrival extends Omit<CapturedEvent, 'event'> {
  readonly type: string
  /** Why the signature was refused; undefined if it was valid. */
  readonly refused: string | undefined
  /** The status of the answer, or the failure. */
  readonly answer: number | string
}

export interface Opened extends CapturedEvent {
  readonly refused: string | undefined
}

/** Reads a delivery and verifies it as a subscriber does, at the server's time. */
export async function openRequest(
  request: Request,
  { secret, clock }: { readonly secret: string; readonly clock: Clock },
): Promise<Opened> {
  const { headers } = request
  const body = new Uint8Array(await request.arrayBuffer())
  // Loaded at the first capture.
  const { verifySync, WebhookVerificationError } = await import('@service/webhooks')
  let refused: string | undefined
  try {
    verifySync({ body, headers, secret, requireTimestamp: true, now: () => clock.now() / 1000 })
  } catch (fault) {
    if (!(fault instanceof WebhookVerificationError)) throw fault
    refused = fault.code
  }
  return {
    event: JSON.parse(Buffer.from(body).toString()), // the platform's own; the contract is checked where events are made
    headers,
    body,
    attempt: Number(headers.get('x-service-attempt')),
    deliveryId: headers.get('x-service-delivery') ?? '',
    refused,
  }
}

export const isMeant = (patterns: readonly EventPattern[], name: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === name || isFamily(pattern, name))

const isFamily = (pattern: string, name: string) => pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))

/** Throws a TypeError for a pattern that matches no event. */
export function toPatterns(given: EventPattern | readonly EventPattern[]): EventPattern[] {
  const patterns = [given].flat()
  const strange = patterns.find((pattern) => !eventNames.some((name) => isMeant([pattern], name)))
  if (patterns.length > 0 && strange === undefined) return patterns
  throw new TypeError(
    `No event fits ${JSON.stringify(strange ?? given)}. There are ${eventNames.join(', ')}, families such as 'ticket.*', and '*'.`,
  )
}
