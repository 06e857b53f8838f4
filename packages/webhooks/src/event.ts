import type { Payloads } from './payloads.ts'

/** The name of one of the seven events. */
export type EventName = keyof Payloads

/** One of the seven events: `type` tells which, and with it the shape of `payload`. */
export interface KnownEvent<Name extends EventName> {
  readonly type: Name
  readonly name: Name
  /** The signed JSON as it came. */
  readonly payload: Payloads[Name]
}

/** An event that this version does not know, or whose payload is not of the known shape. Answer it with success. */
export interface UnknownEvent {
  readonly type: 'unknown'
  /** The `event` of the signed body, if it has one. */
  readonly name: string | undefined
  readonly payload: unknown
}

/** What a body says, without the delivery that brought it. */
export type ParsedEvent = { [Name in EventName]: KnownEvent<Name> }[EventName] | UnknownEvent

/** How an event arrived. */
export interface Delivery {
  /** The same on every retry: the signed `webhook-id` where there is one, else `X-Service-Delivery`, which is unsigned. */
  readonly id: string | undefined
  /** 1 on the first attempt. */
  readonly attempt: number | undefined
  /** Grows with every event of a subscription, with gaps. Unsigned, like `attempt`. */
  readonly sequence: number | undefined
  /** When this attempt was signed, in seconds; only with the Standard Webhooks headers. */
  readonly sentAtSeconds: number | undefined
  /** Whether the age was checked. Without a signed timestamp an old delivery can be played again: see `dedupe`. */
  readonly replayProtected: boolean
  /** Which of your secrets matched. Once it is never the old one, the old one can go. */
  readonly secretIndex: number
}

/** A verified event. */
export type WebhookEvent = ParsedEvent & { readonly delivery: Delivery }

/** The verified event of one type. */
export type EventOf<Type extends EventName | 'unknown'> = Extract<WebhookEvent, { type: Type }>
