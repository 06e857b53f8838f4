import type { Ticket } from '@service/contract'
import { notFound } from '../../api-error.ts'
import { changesBetween } from '../../changes.ts'
import type { App, TxApp } from '../../context.ts'
import { enqueue } from '../../delivery/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { findProjectName } from '../projects/service.ts'
import { requireReferences } from '../require-references.ts'
import type { TicketPatch } from './input.ts'
import * as queries from './queries.ts'
import { toTicket } from './service.ts'

interface TicketAt {
  readonly workspaceId: number
  readonly id: number
}

/** Changes fields of a ticket. `ticket.updated` tells which; entering resolved or closed fires `ticket.resolved` once. */
export function updateTicket(
  app: App,
  at: TicketAt,
  { quiet = false, ...patch }: TicketPatch & { readonly quiet?: boolean },
): Promise<Ticket> {
  return inTransaction(app, async (app) => {
    const before = await queries.findTicket(app.db, at.workspaceId, at.id)
    if (before === undefined) throw notFound('ticket', at.id)
    await requireTicketReferences(app, at.workspaceId, patch)
    const { status, priority, ...others } = patch
    const changes = changesBetween(before, {
      ...others,
      ...(status ? { status } : {}),
      ...(priority ? { priority } : {}),
    })
    if (changes === undefined) return getTicket(app, at)
    const progress = progressOf(before, changes.patch, app.clock.now())
    await queries.updateTicket(app.db, at.id, { ...changes.patch, ...progress.columns })
    const ticket = await getTicket(app, at)
    if (quiet) return ticket
    await enqueue(app, at.workspaceId, { event: 'ticket.updated', ticket: inEvent(ticket), changes: changes.fields })
    if (progress.resolves) await enqueue(app, at.workspaceId, { event: 'ticket.resolved', ticket: inEvent(ticket) })
    await app.hooks.ticketUpdated(app, at, Object.keys(changes.fields))
    return getTicket(app, at)
  })
}

interface Before {
  readonly status: string
  readonly resolved_at: number | null
  readonly first_responded_at: number | null
}

/** What a change means for the ticket's course: taken up, resolved, reopened. */
function progressOf(before: Before, patch: { status?: string; assigned_to?: number | null }, now: number) {
  const move = moveOf(before.status, patch.status ?? before.status)
  const isTakenUp = patch.status !== undefined || typeof patch.assigned_to === 'number'
  return {
    resolves: move === 'resolves',
    columns: {
      resolved_at: { resolves: now, reopens: null, stays: before.resolved_at }[move],
      first_responded_at: before.first_responded_at ?? (isTakenUp ? now : null),
      updated_at: now,
    },
  }
}

function requireTicketReferences(app: TxApp, workspaceId: number, patch: TicketPatch) {
  return requireReferences({
    assigned_to: { id: patch.assigned_to, find: (id) => findMember(app, workspaceId, id) },
    project_id: { id: patch.project_id, find: (id) => findProjectName(app, workspaceId, id) },
  })
}

async function getTicket(app: App, { workspaceId, id }: TicketAt): Promise<Ticket> {
  const row = await queries.findListed(app.db, workspaceId, id)
  if (row === undefined) throw notFound('ticket', id)
  return toTicket(row)
}

const isResolved = (status: string) => status === 'resolved' || status === 'closed'

/** From resolved to closed a ticket stays resolved: that is no second resolution. */
function moveOf(from: string, to: string): 'resolves' | 'reopens' | 'stays' {
  if (isResolved(from) === isResolved(to)) return 'stays'
  return isResolved(to) ? 'resolves' : 'reopens'
}

function inEvent({ id, ticket_number, title, status, priority }: Ticket) {
  return { id, ticket_number, title, status, priority }
}
