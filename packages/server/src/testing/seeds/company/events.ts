import type { EventName, EventOf } from '@service/contract'
import { formatEventTimestamp, type Micros, microsPerDay } from '../../../core/clock.ts'
import { toTicketNumber } from '../../../modules/tickets/queries.ts'
import type { Company } from './company.ts'
import { idAt, insertRows, takeIds } from './insert-rows.ts'
import type { StoredMessage } from './messages.ts'
import type { StoredTicket, TicketChange } from './tickets.ts'
import type { StoredTask } from './work.ts'

/** An event as the outbox keeps it. */
export interface StoredEvent {
  readonly id: number
  readonly name: EventName
  readonly at: Micros
}

type Payload = {
  [Name in EventName]: { readonly event: Name } & Omit<EventOf<Name>, 'event' | 'workspace_id' | 'timestamp'>
}[EventName]

interface Occurred {
  readonly at: Micros
  readonly payload: Payload
}

interface Sources {
  readonly tickets: readonly StoredTicket[]
  readonly tasks: readonly StoredTask[]
  readonly messages: readonly StoredMessage[]
}

/** Stores the events that are young enough to be kept, in the order in which they came. */
export async function storeEvents({ app, workspace, now }: Company, sources: Sources): Promise<readonly StoredEvent[]> {
  const since = now - (app.config.deliveryRetentionDays - 0.5) * microsPerDay
  const occurred = [
    ...sources.tickets.flatMap(ofTicket),
    ...sources.tasks.flatMap(ofTask),
    ...sources.messages.map(ofMessage),
  ].filter(({ at }) => at > since)
  const ordered = occurred.toSorted((a, b) => a.at - b.at)
  const ids = await takeIds(app, 'events', ordered.length)
  await insertRows(
    app,
    'events',
    ordered.map(({ at, payload: { event, ...payload } }, index) => ({
      id: idAt(ids, index),
      workspace_id: workspace,
      name: event,
      body: JSON.stringify({ event, workspace_id: workspace, timestamp: formatEventTimestamp(at), ...payload }),
      created_at: at,
      key: app.ids.uuid(),
    })),
  )
  return ordered.map(({ at, payload }, index) => ({ id: idAt(ids, index), name: payload.event, at }))
}

function ofTicket(ticket: StoredTicket): readonly Occurred[] {
  const named = (status: string) => {
    const { id, number, title, priority } = ticket
    return { id, ticket_number: toTicketNumber(number), title, status, priority }
  }
  const created: Occurred = { at: ticket.at, payload: { event: 'ticket.created', ticket: named('open') } }
  const changed = ({ at, kind, changes, status }: TicketChange): Occurred[] => [
    { at, payload: { event: 'ticket.updated', ticket: named(status), changes } },
    ...(kind === 'resolved' ? [{ at, payload: { event: 'ticket.resolved' as const, ticket: named(status) } }] : []),
  ]
  return [created, ...ticket.changes.flatMap(changed)]
}

function ofTask({ created_at, updated_at, status: to, ...task }: StoredTask): readonly Occurred[] {
  const named = (status: string) => {
    const { id, title, priority, project_id, ticket_id } = task
    return { id, title, status, priority, project_id, ticket_id }
  }
  const created: Occurred = { at: created_at, payload: { event: 'task.created', task: named('todo') } }
  if (to === 'todo') return [created]
  const changes = { status: { from: 'todo', to } }
  return [created, { at: updated_at, payload: { event: 'task.updated', task: named(to), changes } }]
}

const ofMessage = ({ id, body, channel, author, at }: StoredMessage): Occurred => ({
  at,
  payload: {
    event: 'message.created',
    message: { id, body, channel, author: author && { id: author.id, name: author.name } },
  },
})
