import * as z from 'zod/mini'
import { Named, open, orNull } from './fields.ts'
import type { priorities, projectStatuses, taskStatuses, ticketStatuses } from './values.ts'

/** The outbound events and when each is emitted (§6). */
export const events = {
  'ticket.created': 'a ticket is created in the workspace',
  'ticket.updated': 'ticket fields or assignment change',
  'ticket.resolved': 'a ticket moves to a resolved or closed state',
  'task.created': 'a task is created',
  'task.updated': 'a task is updated',
  'message.created': 'a channel message is posted',
  'project.updated': 'project metadata or status changes',
} as const satisfies Record<string, string>

export type EventName = keyof typeof events

export const eventNames = Object.keys(events) as EventName[] // Object.keys forgets the literal keys

/** The fields of every event. `timestamp` is ISO 8601 with an offset, e.g. `2026-11-20T18:51:53+00:00` (§6). */
const envelope = <Name extends EventName>(name: Name) => ({
  event: z.literal(name),
  workspace_id: z.int(),
  timestamp: z.string(),
})

/** The old and new value of each changed field. */
export const Changes = z.record(z.string(), z.looseObject({ from: z.unknown(), to: z.unknown() }))
export type Changes = z.infer<typeof Changes>

export const TicketInEvent = z.looseObject({
  id: z.int(),
  ticket_number: z.string(),
  title: z.string(),
  status: open<(typeof ticketStatuses)[number]>(),
  priority: open<(typeof priorities)[number]>(),
})
export type TicketInEvent = z.infer<typeof TicketInEvent>

export const TaskInEvent = z.looseObject({
  id: z.int(),
  title: z.string(),
  status: open<(typeof taskStatuses)[number]>(),
  priority: open<(typeof priorities)[number]>(),
  project_id: orNull(z.int()),
  ticket_id: orNull(z.int()),
})
export type TaskInEvent = z.infer<typeof TaskInEvent>

export const MessageInEvent = z.looseObject({ id: z.int(), body: z.string(), channel: Named, author: orNull(Named) })
export type MessageInEvent = z.infer<typeof MessageInEvent>

export const ProjectInEvent = z.looseObject({
  id: z.int(),
  name: z.string(),
  status: open<(typeof projectStatuses)[number]>(),
})
export type ProjectInEvent = z.infer<typeof ProjectInEvent>

export const eventSchemas = {
  'ticket.created': z.looseObject({ ...envelope('ticket.created'), ticket: TicketInEvent }),
  'ticket.updated': z.looseObject({ ...envelope('ticket.updated'), ticket: TicketInEvent, changes: Changes }),
  'ticket.resolved': z.looseObject({ ...envelope('ticket.resolved'), ticket: TicketInEvent }),
  'task.created': z.looseObject({ ...envelope('task.created'), task: TaskInEvent }),
  'task.updated': z.looseObject({ ...envelope('task.updated'), task: TaskInEvent, changes: Changes }),
  'message.created': z.looseObject({ ...envelope('message.created'), message: MessageInEvent }),
  'project.updated': z.looseObject({ ...envelope('project.updated'), project: ProjectInEvent, changes: Changes }),
} as const satisfies Record<EventName, z.ZodMiniType>

export type ResourceOf<Name> = Name extends `${infer Resource}.${string}` ? Resource : never

/** What events are about. A body has its object under this name. */
export type EventResource = ResourceOf<EventName>

/** The resource of an event: `ticket` for `ticket.created`. */
export const resourceOf = (event: EventName) => event.slice(0, event.indexOf('.')) as EventResource // slice gives any text

/** `ticket.*` for `ticket.created`. */
export const wildcardOf = (event: EventName) => `${resourceOf(event)}.*` as const

export const eventResources = [...new Set(eventNames.map(resourceOf))]

export const eventWildcards = [...new Set(eventNames.map(wildcardOf))]

export type EventOf<Name extends EventName> = z.infer<(typeof eventSchemas)[Name]>

/** Headers of an outbound webhook (§6). */
export const eventHeader = 'X-Service-Event'
export const signatureHeader = 'X-Service-Signature'
