import type { Changes, Ticket } from '@service/contract'
import { toTicketNumber } from '@service/contract'
import type { TicketPatch } from '@service/contract/admin/work-input'
import { isResolved } from '@service/contract/values'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { diff } from '../../core/diff.ts'
import { notFound } from '../../core/errors.ts'
import { requireReferences } from '../../core/references.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { findProjectName } from '../projects/service.ts'
import { countResolved, insertHistory } from './history-queries.ts'
import * as queries from './queries.ts'
import { isSearchable, replaceSearch } from './search-queries.ts'
import { inEvent, toTicket } from './service.ts'

/** Changes fields of a ticket. Emits `ticket.updated`, and `ticket.resolved` when it becomes resolved or closed. */
export function updateTicket(
  app: App,
  ref: TicketRef,
  { quiet = false, tags, ...patch }: TicketPatch & { readonly quiet?: boolean },
): Promise<Ticket> {
  return inTransaction(app, async (app) => {
    await lockTicket(app, ref)
    const before = await queries.findTicket(app.db, ref.workspaceId, ref.id)
    if (before === undefined) throw notFound('ticket', ref.id)
    const columns = diff(before, toColumns(patch))
    await requireTicketReferences(app, ref.workspaceId, columns?.patch ?? {})
    const changes = mergeChanges(columns, changeTags(before.tags, tags))
    if (changes === undefined) return getTicket(app, ref)
    const progress = toProgress(before, changes.patch, app.clock.now())
    await queries.updateTicket(app.db, ref, { ...changes.patch, ...progress.columns })
    await countResolution(app, ref.workspaceId, { before: before.resolved_at, after: progress.columns.resolved_at })
    await refreshSearch(app, ref, Object.keys(changes.fields))
    await addToHistory(app, ref, { kind: kinds[progress.transition], changes: changes.fields })
    const ticket = await getTicket(app, ref)
    if (quiet) return ticket
    await enqueue(app, ref.workspaceId, { event: 'ticket.updated', ticket: inEvent(ticket), changes: changes.fields })
    if (progress.resolves) await enqueue(app, ref.workspaceId, { event: 'ticket.resolved', ticket: inEvent(ticket) })
    await app.hooks.ticketUpdated(app, ref, Object.keys(changes.fields))
    return getTicket(app, ref)
  })
}

/** Of two changes at once, the second sees what the first did, so that a ticket is resolved once and keeps its tags. */
export const lockTicket = (app: TxApp, { workspaceId, id }: TicketRef) => lockText(app, `ticket ${workspaceId} ${id}`)

/** The overview counts resolved tickets by the hour. */
async function countResolution(
  { db }: TxApp,
  workspaceId: number,
  { before, after }: { readonly before: number | null; readonly after: number | null },
): Promise<void> {
  if (before === after) return
  if (before !== null) await countResolved(db, { workspaceId, at: before, by: -1 })
  if (after !== null) await countResolved(db, { workspaceId, at: after, by: 1 })
}

/** These columns are not nullable: null is treated as omitted. */
const toColumns = ({ status, priority, ...others }: TicketPatch) => ({
  ...others,
  ...(status ? { status } : {}),
  ...(priority ? { priority } : {}),
})

interface ColumnChanges {
  readonly patch: Partial<queries.TicketRow>
  readonly fields: Changes
}

/** Returns undefined if neither changed. */
function mergeChanges(columns: ColumnChanges | undefined, tags: ColumnChanges | undefined): ColumnChanges | undefined {
  if (columns === undefined && tags === undefined) return undefined
  return { patch: { ...columns?.patch, ...tags?.patch }, fields: { ...columns?.fields, ...tags?.fields } }
}

/** Returns undefined if the tags are unchanged or omitted. */
function changeTags(before: string, tagsPatch: TicketPatch['tags']): ColumnChanges | undefined {
  if (tagsPatch === undefined) return undefined
  const [from, to] = [queries.toTags(before), tagsPatch ?? []]
  const tags = JSON.stringify(to)
  return JSON.stringify(from) === tags ? undefined : { patch: { tags }, fields: { tags: { from, to } } }
}

const kinds = { resolves: 'resolved', reopens: 'reopened', stays: 'changed' } as const

/** Updates the search index after a change. */
export async function refreshSearch(app: TxApp, ref: TicketRef, changedFields: readonly string[]): Promise<void> {
  if (!isSearchable(changedFields)) return
  const ticket = await queries.findTicket(app.db, ref.workspaceId, ref.id)
  if (ticket !== undefined) await replaceSearch(app.store, ticket)
}

interface Before {
  readonly status: string
  readonly resolved_at: number | null
  readonly first_responded_at: number | null
}

/** How a change affects the ticket's progress: responded, resolved, or reopened. */
function toProgress(before: Before, patch: { status?: string; assigned_to?: number | null }, now: number) {
  const transition = getTransition(before.status, patch.status ?? before.status)
  const isTakenUp = patch.status !== undefined || typeof patch.assigned_to === 'number'
  return {
    transition,
    resolves: transition === 'resolves',
    columns: {
      resolved_at: { resolves: now, reopens: null, stays: before.resolved_at }[transition],
      first_responded_at: before.first_responded_at ?? (isTakenUp ? now : null),
      updated_at: now,
    },
  }
}

/** An unchanged reference stays valid, such as an assignee who left the workspace. */
function requireTicketReferences(app: TxApp, workspaceId: number, patch: Partial<queries.TicketRow>) {
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

/** Closing a resolved ticket does not resolve it a second time. */
function getTransition(from: string, to: string): 'resolves' | 'reopens' | 'stays' {
  if (isResolved(from) === isResolved(to)) return 'stays'
  return isResolved(to) ? 'resolves' : 'reopens'
}

/** A ticket's state, for modules that act on resolution. */
export interface TicketState {
  readonly id: number
  readonly ticket_number: string
  readonly status: string
  readonly resolvedAt: number | null
}

export async function findTicketState(app: App, workspaceId: number, id: number): Promise<TicketState | undefined> {
  const row = await queries.findState(app.db, workspaceId, id)
  return (
    row && { id: row.id, ticket_number: toTicketNumber(row.number), status: row.status, resolvedAt: row.resolved_at }
  )
}

/** Reopens a resolved or closed ticket. */
export async function reopenTicket(app: TxApp, ref: TicketRef): Promise<void> {
  await updateTicket(app, ref, { status: 'open' })
}

/** Resolves an open ticket and emits `ticket.updated` and `ticket.resolved`. */
export async function resolveTicket(app: App, ref: TicketRef): Promise<void> {
  await updateTicket(app, ref, { status: 'resolved' })
}

// Ticket history has its own table: webhook events expire with their deliveries, and changes during creation emit no
// event. A creation writes no history row, because the ticket itself records it.

interface RecordedChange {
  readonly kind: 'changed' | 'resolved' | 'reopened'
  readonly changes: Changes
}

/** Records a change and the app's current actor, in the transaction of the change. */
export const addToHistory = (app: TxApp, { workspaceId, id }: TicketRef, { kind, changes }: RecordedChange) =>
  insertHistory(app.db, {
    workspace_id: workspaceId,
    ticket_id: id,
    kind,
    changes: JSON.stringify(changes),
    actor_kind: app.actor?.kind ?? null,
    actor_id: app.actor?.id ?? null,
    at: app.clock.now(),
  })
