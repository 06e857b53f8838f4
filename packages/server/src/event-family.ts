import { type EventName, eventNames } from '@service/contract'

type BeforeDot<Name> = Name extends `${infer Subject}.${string}` ? Subject : never

/** What an event is about: `ticket` of `ticket.created`. */
export type Subject = BeforeDot<EventName>

export const subjectOf = (event: EventName): Subject => event.slice(0, event.indexOf('.')) as Subject // every name begins with one

/** `ticket.*` of `ticket.created`. */
export const familyOf = (event: EventName): string => `${subjectOf(event)}.*`

/** `ticket.*`, `task.*`, … */
export const eventFamilies: readonly string[] = [...new Set(eventNames.map(familyOf))]
