import type { Changes, Ticket } from '@service/contract'
import type { TicketPatch } from '@service/contract/admin/work-input'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { diff } from '../../core/diff.ts'
import { notFound } from '../../core/errors.ts'
import { requireReferences } from '../../core/references.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { findProjectName } from '../projects/service.ts'
import { insertHistory } from './history-queries.ts'
import * as queries from './queries.ts'
import { isSearchable, replaceSearch } from './search-queries.ts'
import { toTicket } from './service.ts'

/** Changes fields of a ticket. `ticket.updated` tells which; entering resolved or closed fires `ticket.resolved` once. */
export function updateTicket(
  app: App,
  at: TicketRef,
  { quiet = false, tags, ...patch }: TicketPatch & { readonly quiet?: boolean },
): Promise<Ticket> {
  return inTransaction(app, async (app) => {
    const before = await queries.findTicket(app.db, at.workspaceId, at.id)
    if (before === undefined) throw notFound('ticket', at.id)
    await requireTicketReferences(app, at.workspaceId, patch)
    const changes = mergeChanges(diff(before, toColumns(patch)), changeTags(before.tags, tags))
    if (changes === undefined) return getTicket(app, at)
    const progress = progressOf(before, changes.patch, app.clock.now())
    await queries.updateTicket(app.db, at, { ...changes.patch, ...progress.columns })
    await refreshSearch(app, at, Object.keys(changes.fields))
    await recordChange(app, at, { kind: kinds[progress.move], changes: changes.fields })
    const ticket = await getTicket(app, at)
    if (quiet) return ticket
    await enqueue(app, at.workspaceId, { event: 'ticket.updated', ticket: inEvent(ticket), changes: changes.fields })
    if (progress.resolves) await enqueue(app, at.workspaceId, { event: 'ticket.resolved', ticket: inEvent(ticket) })
    await app.hooks.ticketUpdated(app, at, Object.keys(changes.fields))
    return getTicket(app, at)
  })
}

/** These have no empty value: null means as left out. */
const toColumns = ({ status, priority, ...others }: TicketPatch) => ({
  ...others,
  ...(status ? { status } : {}),
  ...(priority ? { priority } : {}),
})

interface ColumnChanges {
  readonly patch: Partial<queries.TicketRow>
  readonly fields: Changes
}

/** Nothing when neither changed anything. */
function mergeChanges(columns: ColumnChanges | undefined, tags: ColumnChanges | undefined): ColumnChanges | undefined {
  if (columns === undefined && tags === undefined) return undefined
  return { patch: { ...columns?.patch, ...tags?.patch }, fields: { ...columns?.fields, ...tags?.fields } }
}

/** Nothing when the tags are as before, or are left out. */
function changeTags(before: string, given: TicketPatch['tags']): ColumnChanges | undefined {
  if (given === undefined) return undefined
  const [from, to] = [queries.toTags(before), given ?? []]
  const tags = JSON.stringify(to)
  return JSON.stringify(from) === tags ? undefined : { patch: { tags }, fields: { tags: { from, to } } }
}

const kinds = { resolves: 'resolved', reopens: 'reopened', stays: 'changed' } as const

/** Has lists find a ticket by what it is now. */
export async function refreshSearch(app: TxApp, at: TicketRef, changedFields: readonly string[]): Promise<void> {
  if (!isSearchable(changedFields)) return
  const ticket = await queries.findTicket(app.db, at.workspaceId, at.id)
  if (ticket !== undefined) await replaceSearch(app.store, ticket)
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
    move,
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

async function getTicket(app: App, { workspaceId, id }: TicketRef): Promise<Ticket> {
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

/** Whether a ticket is resolved, for whoever counts on it. */
export interface TicketState {
  readonly id: number
  readonly ticket_number: string
  readonly resolvedAt: number | null
}

export async function findTicketState(app: App, workspaceId: number, id: number): Promise<TicketState | undefined> {
  const row = await queries.findState(app.db, workspaceId, id)
  return row && { id: row.id, ticket_number: queries.toTicketNumber(row.number), resolvedAt: row.resolved_at }
}

/** Opens a resolved or closed ticket again. */
export async function reopenTicket(app: TxApp, at: { workspaceId: number; id: number }): Promise<void> {
  await updateTicket(app, at, { status: 'open' })
}

/** Resolves an open ticket: `ticket.updated` and `ticket.resolved` go out. */
export async function resolveTicket(app: App, at: { workspaceId: number; id: number }): Promise<void> {
  await updateTicket(app, at, { status: 'resolved' })
}

// What happened to a ticket has a table of its own. The events of webhooks tell of it too, but they grow old with their
// deliveries, and what happens while a ticket is created is no event. A creation writes no row: the ticket says it.

interface RecordedChange {
  readonly kind: 'changed' | 'resolved' | 'reopened'
  readonly changes: Changes
}

/** Notes a change with whoever the app acts for, in the transaction of the change. */
export const recordChange = (app: TxApp, { workspaceId, id }: TicketRef, { kind, changes }: RecordedChange) =>
  insertHistory(app.db, {
    workspace_id: workspaceId,
    ticket_id: id,
    kind,
    changes: JSON.stringify(changes),
    actor_kind: app.actor?.kind ?? null,
    actor_id: app.actor?.id ?? null,
    at: app.clock.now(),
  })
