import { type EventName, eventSchemas } from '@service/contract'
import { type Problem, problemsOf } from './problem.ts'
import { strictly } from './strictly.ts'

/** What of an event's body, as it is signed and sent, breaks the contract. */
export const eventProblems = (name: EventName, body: string): Problem[] =>
  problemsOf(strictly(eventSchemas[name]), JSON.parse(body))
