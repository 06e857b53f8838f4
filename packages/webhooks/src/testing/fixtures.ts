import type { EventName } from '../event.ts'
import type { Payloads } from '../payloads.ts'

const envelope = <Name extends EventName>(event: Name) => ({
  event,
  workspace_id: 1,
  timestamp: '2026-11-20T18:51:53+00:00',
})

const ticket = { id: 42, ticket_number: 'TKT-00042', title: 'The printer hums', status: 'open', priority: 'high' }
const task = { id: 7, title: 'Order toner', status: 'todo', priority: 'medium', project_id: 3, ticket_id: 42 }
const project = { id: 3, name: 'Office move', status: 'active' }

/** An example payload for each event. */
export const fixtures: { readonly [Name in EventName]: Payloads[Name] } = {
  'ticket.created': { ...envelope('ticket.created'), ticket },
  'ticket.updated': {
    ...envelope('ticket.updated'),
    ticket: { ...ticket, status: 'in_progress' },
    changes: { status: { from: 'open', to: 'in_progress' } },
  },
  'ticket.resolved': { ...envelope('ticket.resolved'), ticket: { ...ticket, status: 'resolved' } },
  'task.created': { ...envelope('task.created'), task },
  'task.updated': {
    ...envelope('task.updated'),
    task: { ...task, status: 'done' },
    changes: { status: { from: 'todo', to: 'done' } },
  },
  'message.created': {
    ...envelope('message.created'),
    message: { id: 9, body: 'Toner is here 🎉', channel: { id: 1, name: 'general' }, author: { id: 5, name: 'Ada' } },
  },
  'project.updated': {
    ...envelope('project.updated'),
    project: { ...project, status: 'completed' },
    changes: { status: { from: 'active', to: 'completed' } },
  },
}
