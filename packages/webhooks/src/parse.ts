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

// A map, because a body may well say that its event is `constructor`, which every object has. The marks let a bundler drop
// it for those who only sign.
const subjectOf = /* @__PURE__ */ new Map<unknown, string>(/* @__PURE__ */ Object.entries(subjects))

export const isEventName = (name: unknown): name is EventName => subjectOf.has(name)

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
  const record = isRecord(payload) ? payload : {}
  const name = typeof record['event'] === 'string' ? record['event'] : undefined
  const subject = subjectOf.get(name)
  const isKnown = subject && isRecord(record[subject])
  return { type: isKnown ? name : 'unknown', name, payload } as unknown as ParsedEvent // its subject is there
}
