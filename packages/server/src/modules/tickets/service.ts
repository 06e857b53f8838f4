import type { CreatedTicket, Named, NewTicket, Ticket, TicketReference } from '@service/contract'
import type { App, TxApp } from '../../context.ts'
import { enqueue } from '../../delivery/outbox.ts'
import { toInstant } from '../../instants.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { findProjectName } from '../projects/service.ts'
import { requireReferences } from '../require-references.ts'
import * as queries from './queries.ts'
import { toTicketNumber } from './ticket-number.ts'

/** The newest 50 tickets of a workspace, newest first. */
export async function listTickets(app: App, workspaceId: number): Promise<Ticket[]> {
  return (await queries.listNewest(app.db, workspaceId)).map(toTicket)
}

/** Creates a ticket with its number, tags, automation and event: all of it or nothing. */
export function createTicket(
  app: App,
  { workspaceId, author, ticket }: { workspaceId: number; author: Named | null; ticket: NewTicket },
): Promise<CreatedTicket> {
  return inTransaction(app, async (app) => {
    const { assigned_to: assignee, project_id: project } = await requireReferences({
      assigned_to: { id: ticket.assigned_to, find: (id) => findMember(app, workspaceId, id) },
      project_id: { id: ticket.project_id, find: (id) => findProjectName(app, workspaceId, id) },
    })
    const row = { ...(await toRow(app, workspaceId, ticket)), created_by: author?.id ?? null }
    const id = await queries.insertTicket(app.db, row)
    await queries.insertTags(app.db, id, ticket.tags ?? [])
    const created = toCreatedTicket({ ...row, id }, { assignee, creator: author, project })
    // Service levels, rules and an embedder's code, before the event that tells of all of it.
    const changed = await app.hooks.ticketCreated(app, { workspaceId, id })
    const final = changed ? await getCreated(app, workspaceId, id) : created
    await enqueueCreated(app, workspaceId, final)
    return final
  })
}

/** A ticket as other resources name it, or nothing when it is not in this workspace. */
export async function findTicketReference(
  app: App,
  workspaceId: number,
  id: number,
): Promise<TicketReference | undefined> {
  const row = await queries.findReference(app.db, workspaceId, id)
  return row && { id: row.id, ticket_number: toTicketNumber(row.number), title: row.title }
}

/** The ticket as its creation answers it, read anew because a rule has changed it. */
export async function getCreated(app: TxApp, workspaceId: number, id: number): Promise<CreatedTicket> {
  const row = await queries.findTicket(app.db, workspaceId, id)
  if (row === undefined) throw new Error(`The ticket ${id} is gone before it was answered.`)
  const { assigned_to, created_by, project_id } = await requireReferences({
    assigned_to: { id: row.assigned_to, find: (id) => findMember(app, workspaceId, id) },
    created_by: { id: row.created_by, find: (id) => findMember(app, workspaceId, id) },
    project_id: { id: row.project_id, find: (id) => findProjectName(app, workspaceId, id) },
  })
  return toCreatedTicket(row, { assignee: assigned_to, creator: created_by, project: project_id })
}

async function toRow(
  app: TxApp,
  workspaceId: number,
  ticket: NewTicket,
): Promise<Omit<queries.NewTicketRow, 'created_by'>> {
  // The number is waited for, and the time is taken after it, so that numbers and times have one order.
  const number = await queries.takeNumber(app.db, workspaceId)
  const now = app.clock.now()
  return {
    workspace_id: workspaceId,
    number,
    title: ticket.title,
    description: ticket.description ?? null,
    status: 'open',
    priority: ticket.priority ?? 'medium',
    category: ticket.category ?? null,
    assigned_to: ticket.assigned_to ?? null,
    project_id: ticket.project_id ?? null,
    due_at: ticket.due_at ?? null,
    created_at: now,
    updated_at: now,
  }
}

function enqueueCreated(app: TxApp, workspaceId: number, ticket: CreatedTicket): Promise<void> {
  const { id, ticket_number, title, status, priority } = ticket
  return enqueue(app, workspaceId, { event: 'ticket.created', ticket: { id, ticket_number, title, status, priority } })
}

export function toTicket(row: queries.TicketListRow): Ticket {
  return {
    id: row.id,
    ticket_number: toTicketNumber(row.number),
    title: row.title,
    status: row.status,
    priority: row.priority,
    category: row.category,
    assigned_to: row.assigned_to,
    created_by: row.created_by,
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
    assignee: toNamed(row.assigned_to, row.assignee_name),
    creator: toNamed(row.created_by, row.creator_name),
  }
}

function toNamed(id: number | null, name: string | null): Named | null {
  return id === null || name === null ? null : { id, name }
}

function toCreatedTicket(
  row: queries.NewTicketRow & { id: number },
  { assignee, creator, project }: { assignee: Named | null; creator: Named | null; project: Named | null },
): CreatedTicket {
  return {
    id: row.id,
    ticket_number: toTicketNumber(row.number),
    title: row.title,
    status: row.status,
    priority: row.priority,
    category: row.category,
    assigned_to: row.assigned_to,
    created_by: row.created_by,
    created_at: toInstant(row.created_at),
    assignee,
    creator,
    project,
  }
}
