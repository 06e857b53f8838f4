import type { EventName } from '@service/contract'

type BeforeDot<Name> = Name extends `${infer Subject}.${string}` ? Subject : never

/** What an event is about: `ticket` of `ticket.created`. */
export type EventResource = BeforeDot<EventName>

export const resourceOf = (event: EventName): EventResource => event.slice(0, event.indexOf('.')) as EventResource // every name begins with one

/** `ticket.*` of `ticket.created`. */
export const wildcardOf = (event: EventName): string => `${resourceOf(event)}.*`
