import type { EventName, EventOf } from '../events.ts'
import { ada, listedTask, relaunch, ticketReference } from './example-values.ts'

const common = { workspace_id: 1, timestamp: '2026-11-20T18:51:53+00:00' }
const ticket = { ...ticketReference, status: 'open', priority: 'high' }
const { assigned_to: _, created_at: __, due_at: ___, ...task } = listedTask

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
  'message.created': {
    event: 'message.created',
    ...common,
    message: { id: 90, body: 'The fix is live.', channel: { id: 2, name: 'shop' }, author: ada },
  },
  'project.updated': {
    event: 'project.updated',
    ...common,
    project: { ...relaunch, status: 'on_hold' },
    changes: { status: { from: 'active', to: 'on_hold' } },
  },
}
