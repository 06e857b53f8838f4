import { maxTags, toTicketNumber } from '@service/contract'
import type { TicketPatch } from '@service/contract/admin/work-input'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { earliest } from '../../core/clock.ts'
import { validation } from '../../core/errors.ts'
import { listLatestChanges } from './history-queries.ts'
import * as queries from './queries.ts'
import { addToHistory, lockTicket, refreshSearch, updateTicket } from './update-service.ts'

// The ticket functions that automation uses.

/** The ticket fields that rules compare. */
export async function findTicketFacts(app: App, ticket: TicketRef) {
  const row = await queries.findTicket(app.db, ticket.workspaceId, ticket.id)
  if (row === undefined) return undefined
  const { title, status, priority, category } = row
  return {
    createdAt: row.created_at,
    facts: toFacts(row),
    texts: { ticket_number: toTicketNumber(row.number), title, status, priority, category: category ?? '' },
  }
}

function toFacts({ tags, ...row }: NonNullable<Awaited<ReturnType<typeof queries.findTicket>>>) {
  const { title, description, status, priority, category, assigned_to, created_by, project_id } = row
  const facts = { title, description, status, priority, category, assigned_to, created_by, project_id }
  return { ...facts, tags: queries.toTags(tags) }
}

export type NewestTicket = Awaited<ReturnType<typeof listNewestFacts>>[number]

/** The newest tickets with the fields that rules compare, and the past changes that trigger rules. */
export async function listNewestFacts(app: App, workspaceId: number, limit: number) {
  const rows = await queries.listNewestRows(app.db, workspaceId, limit)
  const changes = new Map(
    (
      await listLatestChanges(
        app.store,
        workspaceId,
        rows.map(({ id }) => id),
      )
    ).map(({ ticket_id, changes }) => [ticket_id, Object.keys(JSON.parse(changes))]),
  )
  return rows.map((row) => {
    return {
      id: row.id,
      shown: { ticket_number: toTicketNumber(row.number), title: row.title },
      facts: toFacts(row),
      /** The fields of the latest change; null if the ticket was never changed. */
      lastChanged: changes.get(row.id) ?? null,
      breached: [
        ...(row.first_response_breached_at === null ? [] : ['first_response']),
        ...(row.resolution_breached_at === null ? [] : ['resolution']),
      ],
    }
  })
}

/** The numbers of these tickets by id. */
export async function findTicketNumbers({ store }: App, workspaceId: number, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await queries.listNumbers(store, workspaceId, ids)
  return new Map(rows.map(({ id, number }) => [id, toTicketNumber(number)]))
}

/** Changes a ticket for a rule. `quiet` is set during creation, when `ticket.created` already covers all changes. */
export async function changeTicket(
  app: TxApp,
  ticket: TicketRef,
  { patch, quiet }: { patch: TicketPatch; quiet: boolean },
): Promise<void> {
  await updateTicket(app, ticket, { ...patch, quiet })
}

/** Adds a tag if the ticket does not have it yet. */
export async function addTag(app: TxApp, ticket: TicketRef, tag: string): Promise<void> {
  await lockTicket(app, ticket)
  const row = await queries.findTicket(app.db, ticket.workspaceId, ticket.id)
  const from = queries.toTags(row?.tags ?? '[]')
  if (from.includes(tag)) return
  if (from.length >= maxTags) throw validation({ tags: [`The ticket has ${maxTags} tags, and no more are possible.`] })
  const to = [...from, tag]
  await queries.updateTicket(app.db, ticket, { tags: JSON.stringify(to) })
  await refreshSearch(app, ticket, ['tags'])
  await addToHistory(app, ticket, { kind: 'changed', changes: { tags: { from, to } } })
}

/** The two targets of an SLA policy. */
type ServiceLevel = 'first_response' | 'resolution'

export const setDueTimes = (
  app: TxApp,
  ticket: TicketRef,
  { firstResponse, resolution }: { firstResponse: number | null; resolution: number | null },
) => queries.updateTicket(app.db, ticket, { first_response_due_at: firstResponse, resolution_due_at: resolution })

export interface Breach {
  readonly ticket: TicketRef
  readonly level: ServiceLevel
}

/** Missed due times that are not marked yet, oldest first. */
export async function findBreaches(app: App, { now, limit }: { now: number; limit: number }): Promise<Breach[]> {
  const [responses, resolutions] = [
    await queries.listOverdue(app.db, { level: 'first_response', now, limit }),
    await queries.listOverdue(app.db, { level: 'resolution', now, limit }),
  ]
  const toBreach = (level: ServiceLevel) => (row: { id: number; workspace_id: number }) => ({
    ticket: { workspaceId: row.workspace_id, id: row.id },
    level,
  })
  return [...responses.map(toBreach('first_response')), ...resolutions.map(toBreach('resolution'))]
}

/** The earliest unmarked due time. It may be in the past. */
export async function nextBreachAt(app: App): Promise<number | undefined> {
  return earliest([
    await queries.nextDueTime(app.db, 'first_response'),
    await queries.nextDueTime(app.db, 'resolution'),
  ])
}

/** Returns whether this call marked it. */
export const markBreached = (app: TxApp, { ticket, level }: Breach): Promise<boolean> =>
  queries.markBreached(app.db, { ticket, level, now: app.clock.now() })
