import type { Payloads } from './payloads.ts'

/** The name of an event. */
export type EventName = keyof Payloads

/** An event of the platform. `type` determines the shape of `payload`. */
export interface KnownEvent<Name extends EventName> {
  readonly type: Name
  readonly name: Name
  /** The signed JSON, unchanged. */
  readonly payload: Payloads[Name]
}

/** An event that this version does not know, or whose payload has an unknown shape. Respond with success. */
export interface UnknownEvent {
  readonly type: 'unknown'
  /** The `event` of the signed body, if it has one. */
  readonly name: string | undefined
  readonly payload: unknown
}

/** The content of a body, without its delivery. */
export type ParsedEvent = { [Name in EventName]: KnownEvent<Name> }[EventName] | UnknownEvent

/** The delivery of an event. */
export interface Delivery {
  /** The same on every retry: the signed `webhook-id`, or else `X-Service-Delivery`, which is unsigned. */
  readonly id: string | undefined
  /** 1 on the first attempt. */
  readonly attempt: number | undefined
  /** Grows with every event of a subscription, with gaps. Unsigned, like `attempt`. */
  readonly sequence: number | undefined
  /** When this attempt was signed, in seconds since 1970. Only with the Standard Webhooks headers. */
  readonly sentAtSeconds: number | undefined
  /** Whether the age was checked. Without a signed timestamp, an old delivery can be replayed: see `dedupe`. */
  readonly replayProtected: boolean
  /** The index of the secret that matched. When the old secret no longer matches anything, remove it. */
  readonly secretIndex: number
}

/** A verified event. */
export type WebhookEvent = ParsedEvent & { readonly delivery: Delivery }

/** The verified event of one type. */
export type EventOf<Type extends EventName | 'unknown'> = Extract<WebhookEvent, { type: Type }>
