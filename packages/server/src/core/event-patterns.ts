import type { EventName } from '@service/contract'

type BeforeDot<Name> = Name extends `${infer Subject}.${string}` ? Subject : never

/** The resource of an event: `ticket` for `ticket.created`. */
export type EventResource = BeforeDot<EventName>

export const resourceOf = (event: EventName): EventResource => event.slice(0, event.indexOf('.')) as EventResource // every event name starts with a resource

/** `ticket.*` for `ticket.created`. */
export const wildcardOf = (event: EventName): string => `${resourceOf(event)}.*`
