import type * as z from 'zod/mini'
import { type EventName, type EventOf, MessageInEvent, ProjectInEvent, TaskInEvent, TicketInEvent } from '../events.ts'
import * as values from './example-values.ts'

/** The fields of an example that an event has, so that a field of the record is not in its events by chance. */
function pickFields<Schema extends z.ZodMiniObject>({ shape }: Schema, example: z.infer<Schema>): z.infer<Schema> {
  return Object.fromEntries(Object.entries(example).filter(([name]) => name in shape)) as never // drops only other fields
}

const common = { workspace_id: 1, timestamp: '2026-11-20T18:51:53+00:00' }
const ticket = pickFields(TicketInEvent, values.ticket)
const task = pickFields(TaskInEvent, values.task)
const project = pickFields(ProjectInEvent, values.project)
const message = pickFields(MessageInEvent, {
  id: 90,
  body: 'The fix is live.',
  channel: { id: 2, name: 'shop' },
  author: values.ada,
})

/** One body of each outbound event. */
export const eventExamples: { readonly [Name in EventName]: EventOf<Name> } = {
  'ticket.created': { event: 'ticket.created', ...common, ticket },
  'ticket.updated': {
    event: 'ticket.updated',
    ...common,
    ticket: { ...ticket, priority: 'urgent' },
    changes: { priority: { from: 'high', to: 'urgent' } },
  },
  'ticket.resolved': { event: 'ticket.resolved', ...common, ticket: { ...ticket, status: 'resolved' } },
  'task.created': { event: 'task.created', ...common, task },
  'task.updated': {
    event: 'task.updated',
    ...common,
    task: { ...task, status: 'done' },
    changes: { status: { from: 'todo', to: 'done' } },
  },
  'message.created': { event: 'message.created', ...common, message },
  'project.updated': {
    event: 'project.updated',
    ...common,
    project: { ...project, status: 'on_hold' },
    changes: { status: { from: 'active', to: 'on_hold' } },
  },
}
