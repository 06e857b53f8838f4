import type { EventName, ParsedEvent } from './event.ts'
import type { RawBody } from './options.ts'
import { parseJson } from './raw-bytes.ts'

/** In which key each event keeps its subject. The compiler asks for all seven. */
const subjects: Record<EventName, string> = {
  'ticket.created': 'ticket',
  'ticket.updated': 'ticket',
  'ticket.resolved': 'ticket',
  'task.created': 'task',
  'task.updated': 'task',
  'message.created': 'message',
  'project.updated': 'project',
}

/** `Object.hasOwn`, because a body may well say that its event is `constructor`. */
export const isEventName = (name: unknown): name is EventName => Object.hasOwn(subjects, name as string) // any key may be asked for

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Reads an event without verifying it: for bodies that were verified before, such as those from a queue. An event that is
 * not known, or lacks its subject, is `{type: 'unknown'}` and no error, because the platform may grow.
 *
 * @example
 * const event = parse(job.body)
 * if (event.type === 'ticket.created') console.log(event.payload.ticket.title)
 */
export function parse(body: RawBody): ParsedEvent {
  const payload = parseJson(body)
  const name = isRecord(payload) ? payload['event'] : undefined
  if (isRecord(payload) && isEventName(name) && isRecord(payload[subjects[name]])) {
    return { type: name, payload } as unknown as ParsedEvent // signed by the platform, and its subject is there
  }
  return { type: 'unknown', name: typeof name === 'string' ? name : undefined, payload }
}
