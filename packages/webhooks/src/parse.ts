import type { EventName, ParsedEvent } from './event.ts'
import type { RawBody } from './options.ts'
import { parseJson } from './raw-bytes.ts'

/** The payload key that holds the subject of each event. */
const subjects: Record<EventName, string> = {
  'ticket.created': 'ticket',
  'ticket.updated': 'ticket',
  'ticket.resolved': 'ticket',
  'task.created': 'task',
  'task.updated': 'task',
  'message.created': 'message',
  'project.updated': 'project',
}

// A map, because the body may name its event `constructor`, which every object has. The annotations let a bundler drop
// it from code that only signs.
const subjectOf = /* @__PURE__ */ new Map<unknown, string>(/* @__PURE__ */ Object.entries(subjects))

/** For messages. */
export const eventNames = /* @__PURE__ */ Object.keys(subjects)

/**
 * Reads an event without verifying it, for bodies that were verified earlier, such as from a queue. An event that is
 * unknown or lacks its subject returns `{type: 'unknown'}` instead of throwing, because the platform may add events.
 *
 * @example
 * const event = parse(job.body)
 * if (event.type === 'ticket.created') console.log(event.payload.ticket.title)
 */
export function parse(body: RawBody): ParsedEvent {
  const payload = parseJson(body)
  const record = Object(payload)
  const name = typeof record.event === 'string' ? record.event : undefined
  const subject = subjectOf.get(name)
  const isKnown = subject && Object(record[subject]) === record[subject]
  return { type: isKnown ? name : 'unknown', name, payload } as unknown as ParsedEvent // checked above
}
