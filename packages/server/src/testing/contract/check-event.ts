import { type EventName, eventSchemas } from '@service/contract'
import { problemsOf, type SchemaProblem } from './problem.ts'
import { toStrictSchema } from './strict-schema.ts'

/** What of an event's body, as it is signed and sent, breaks the contract. */
export const eventProblems = (name: EventName, body: string): SchemaProblem[] =>
  problemsOf(toStrictSchema(eventSchemas[name]), JSON.parse(body))
