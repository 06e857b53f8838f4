import type { CreatedTicket, Named, NewTicket, Ticket, TicketReference } from '@service/contract'
import { toTicketNumber } from '@service/contract'
import type { TicketAtRisk } from '@service/contract/admin/overview'
import type { Page } from '@service/contract/admin/pages'
import type { ListedTicket } from '@service/contract/admin/work'
import type { dueFilters, slaFilters } from '@service/contract/admin/work-input'
import type { App, TicketRef, TxApp } from '../../context.ts'
import { toOrigin } from '../../core/admin-caller.ts'
import {
  formatInstant,
  formatInstantOrNull,
  fromDay,
  type Micros,
  microsPerDay,
  microsPerHour,
  toDay,
} from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import { hasAddress } from '../../core/has-address.ts'
import { type FoundRows, type SortedRow, toSortablePage } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { localDay } from '../../core/zones.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { idOrNull } from '../../store/list-query.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findAuthor, findMember, findName } from '../members/service.ts'
import { findProjectName } from '../projects/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as history from './history-queries.ts'
import * as queries from './queries.ts'
import { indexCreatedTickets, indexPendingTickets } from './search-index.ts'
import { findMatchingIds, type TicketFilter, wordsOf } from './search-queries.ts'
import {
  countMatching,
  findSortedIds,
  hasConditions,
  type SortedSearch,
  type TicketConditions,
} from './sorted-queries.ts'
import { findLastNumber, takeNumber } from './ticket-numbers.ts'

/** The newest 50 tickets of a workspace, newest first. */
export async function listTickets(app: App, workspaceId: number): Promise<Ticket[]> {
  return (await queries.listNewest(app.db, workspaceId)).map(toTicket)
}

/** Filters for tickets. All filters and all words of `search` must match. */
interface TicketQueryFilter extends Omit<TicketFilter, 'words' | 'assigned_to'> {
  readonly assigned_to?: number | 'none' | undefined
  readonly search?: string | undefined
  readonly due?: (typeof dueFilters)[number] | undefined
  readonly sla?: (typeof slaFilters)[number] | undefined
}

type TicketQuery = Omit<SortedSearch, keyof TicketFilter | keyof TicketConditions> &
  TicketQueryFilter & { readonly email?: string | undefined }

/** Texts that are read for a page of the tickets with an address. */
const maxTextsRead = 100

/** Tickets of a workspace, newest first or sorted. */
export async function listTicketsPage(
  app: App,
  workspaceId: number,
  { limit, before, sort, cursor, email, ...filter }: TicketQuery,
): Promise<Page<ListedTicket> & { next_cursor: string | null }> {
  const isFiltered = email !== undefined || Object.values(filter).some((value) => value !== undefined)
  if (!isFiltered && sort === undefined)
    return toSortablePage(await queries.listPage(app.db, workspaceId, { limit, before }), { limit }, toListed)
  const search = { ...(await toSearch(app, workspaceId, filter)), limit, before, sort, cursor }
  const found =
    email === undefined
      ? await findIds(app, workspaceId, search)
      : await findWithAddress(app, workspaceId, { email, search })
  const ids = found.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await queries.listByIds(app.store, workspaceId, ids)
  const tickets = new Map(rows.map((row) => [row.id, toListed(row)]))
  const { data, ...next } = toSortablePage(found, { limit, sort }, ({ id }) => tickets.get(id))
  return { data: data.filter((ticket) => ticket !== undefined), ...next }
}

const findIds = async ({ store }: App, workspaceId: number, search: SortedSearch): Promise<FoundRows<SortedRow>> =>
  search.sort === undefined && !hasConditions(search)
    ? (await findMatchingIds(store, workspaceId, search)).map((id) => ({ id, sort_key: undefined }))
    : findSortedIds(store, workspaceId, search)

/** Of the tickets that have the words of an address, those that have the address itself. */
async function findWithAddress(
  app: App,
  workspaceId: number,
  { email, search }: { readonly email: string; readonly search: SortedSearch },
): Promise<FoundRows<SortedRow>> {
  const words = [...(search.words ?? []), ...requireWords(email, 'email')]
  const found = await findIds(app, workspaceId, { ...search, words, limit: maxTextsRead })
  const ids = found.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await queries.listTexts(app.store, workspaceId, ids)
  const address = email.trim().toLowerCase()
  const matching = new Set(
    rows
      .filter(({ title, description }) => hasAddress(title, address) || hasAddress(description ?? '', address))
      .map(({ id }) => id),
  )
  const page = found.filter(({ id }) => matching.has(id)).slice(0, search.limit)
  return Object.assign(page, { readTo: found.length === maxTextsRead ? found.at(-1) : found.readTo })
}

const toListed = (row: queries.TicketPageRow): ListedTicket => ({
  ...toTicket(row),
  due_at: row.due_at,
  tags: queries.toTags(row.tags),
  sla_due_at: formatInstantOrNull(queries.toSlaDueAt(row.sla_due_at)),
})

/** The number of all tickets, or of those that match all filters, counted up to a limit. */
export async function countTickets(
  app: App,
  workspaceId: number,
  { up_to: limit, ...filter }: TicketQueryFilter & { readonly up_to: number },
) {
  if (Object.values(filter).every((value) => value === undefined))
    return { count: await findLastNumber(app.db, workspaceId), is_exact: true }
  const search = await toSearch(app, workspaceId, filter)
  const { count, isExact } = await countMatching(app.store, workspaceId, { ...search, limit })
  return { count, is_exact: isExact }
}

/** Indexes pending tickets, so that the search finds them. */
async function toSearch(
  app: App,
  workspaceId: number,
  { status, assigned_to, search, due, sla, ...filter }: TicketQueryFilter,
): Promise<TicketFilter & TicketConditions> {
  const words = search === undefined ? [] : requireWords(search)
  await indexPendingTickets(app.store)
  return {
    ...filter,
    words,
    ...(status === 'active' ? { isActive: true } : { status }),
    // An index has the unresolved tickets of each assignee. Of all tickets, the search index has them.
    ...(status === 'active' || assigned_to === 'none' ? { assignee: idOrNull(assigned_to) } : { assigned_to }),
    ...(due !== undefined && toDueRange(due, await findToday(app, workspaceId))),
    ...(sla !== undefined && { slaBefore: app.clock.now() + (sla === 'over' ? 0 : slaRiskTime) }),
  }
}

/** Targets due within this time are at risk. */
const slaRiskTime = 8 * microsPerHour

async function findToday(app: App, workspaceId: number): Promise<Micros> {
  const { time_zone } = await getWorkspace(app, workspaceId)
  return fromDay(localDay(app.clock.now() / 1000, time_zone))
}

function toDueRange(due: (typeof dueFilters)[number], today: Micros): TicketConditions {
  const inDays = (days: number) => toDay(today + days * microsPerDay)
  if (due === 'overdue') return { dueTo: inDays(-1) }
  return { dueFrom: inDays(0), dueTo: inDays(due === 'today' ? 0 : 6) }
}

/** A search of only punctuation matches nothing, so it is rejected. */
function requireWords(text: string, field: 'search' | 'email' = 'search'): readonly string[] {
  const words = wordsOf(text)
  if (words.length === 0) throw validation({ [field]: [`The ${field} field must have a letter or a digit.`] })
  return words
}

/** Creates a ticket with its number, automation, and event in one transaction. */
export function createTicket(
  app: App,
  { workspaceId, author, ticket }: { workspaceId: number; author: Named | null; ticket: NewTicket },
): Promise<CreatedTicket> {
  return inTransaction(app, async (app) => {
    const { assigned_to: assignee, project_id: project } = await requireReferences({
      assigned_to: { id: ticket.assigned_to, find: (id) => findMember(app, workspaceId, id) },
      project_id: { id: ticket.project_id, find: (id) => findProjectName(app, workspaceId, id) },
    })
    const afterInsert = await app.hooks.ticketCreation(app, workspaceId)
    const own = { created_by: author?.id ?? null, origin: toOrigin(author, app.actor).kind }
    const row = { ...(await toRow(app, workspaceId, ticket)), ...own }
    const id = await queries.insertTicket(app.db, row)
    await indexCreatedTickets(app, [{ ...row, id }])
    const created = toCreatedTicket({ ...row, id }, { assignee, creator: author, project })
    // SLA policies, rules, and an embedder's hooks run before the event, which then covers all changes.
    const changed = await afterInsert(app, { workspaceId, id })
    const final = changed ? await getCreated(app, workspaceId, id) : created
    await enqueueCreated(app, workspaceId, final)
    return final
  })
}

/** Creates a ticket on behalf of a member or the caller, or without an author. */
export async function createTicketBy(
  app: App,
  {
    workspaceId,
    created_by: id,
    ticket,
  }: { workspaceId: number; created_by: number | null | undefined; ticket: NewTicket },
): Promise<CreatedTicket> {
  const { created_by: author } = await requireReferences({
    created_by: { id, find: (id) => findAuthor(app, workspaceId, id) },
  })
  return createTicket(app, { workspaceId, author, ticket })
}

/** The number of tickets of a project that are neither resolved nor closed. */
export const countOpenTickets = (app: App, project: RowRef) => queries.countOpenIn(app.db, project)

/** A short reference to a ticket; undefined if it is not in this workspace. */
export async function findTicketReference(
  app: App,
  workspaceId: number,
  id: number,
): Promise<TicketReference | undefined> {
  const row = await queries.findReference(app.db, workspaceId, id)
  return row && { id: row.id, ticket_number: toTicketNumber(row.number), title: row.title }
}

/** The creation response, re-read because a rule has changed the ticket. */
export async function getCreated(app: TxApp, workspaceId: number, id: number): Promise<CreatedTicket> {
  const row = await queries.findTicket(app.db, workspaceId, id)
  if (row === undefined) throw new Error(`The ticket ${id} was deleted in the transaction that created it.`)
  const { assigned_to, created_by, project_id } = await requireReferences({
    assigned_to: { id: row.assigned_to, find: (id) => findName(app, workspaceId, id) },
    created_by: { id: row.created_by, find: (id) => findName(app, workspaceId, id) },
    project_id: { id: row.project_id, find: (id) => findProjectName(app, workspaceId, id) },
  })
  return toCreatedTicket(row, { assignee: assigned_to, creator: created_by, project: project_id })
}

async function toRow(
  app: TxApp,
  workspaceId: number,
  ticket: NewTicket,
): Promise<Omit<queries.NewTicketRow, 'created_by' | 'origin'>> {
  // Taking the number may wait for a lock. The time is read afterwards, so numbers and times have the same order.
  const number = await takeNumber(app.db, workspaceId)
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
    tags: JSON.stringify(ticket.tags ?? []),
    created_at: now,
    updated_at: now,
  }
}

/** A ticket row with its newest changes. */
export async function getTicketWithHistory(app: App, ref: TicketRef, maxChanges: number) {
  const { workspaceId, id } = ref
  const [listed, row] = [
    await queries.findListed(app.db, workspaceId, id),
    await queries.findTicket(app.db, workspaceId, id),
  ]
  if (listed === undefined || row === undefined) throw notFound('ticket', id)
  const changes = await history.listHistory(app.db, ref, maxChanges)
  return { ticket: toTicket(listed), row, tags: queries.toTags(row.tags), history: changes }
}

function enqueueCreated(app: TxApp, workspaceId: number, ticket: CreatedTicket): Promise<void> {
  return enqueue(app, workspaceId, { event: 'ticket.created', ticket: inEvent(ticket) })
}

export function inEvent({ id, ticket_number, title, status, priority }: Ticket | CreatedTicket) {
  return { id, ticket_number, title, status, priority }
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
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
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
    created_at: formatInstant(row.created_at),
    assignee,
    creator,
    project,
  }
}

/** The number of tickets opened and resolved in each part of a period, and opened in as long a time before. */
export async function countTicketFlow({ db }: App, period: history.TicketPeriod & { readonly parts: number }) {
  const { workspaceId, since, length, parts } = period
  const starts = Array.from({ length: parts + 1 }, (_, part) => since + part * length)
  const [before = 0, ...counts] = await history.countOpenedBefore(db, workspaceId, [since - parts * length, ...starts])
  const resolved = await history.listResolved(db, period)
  return {
    openedBefore: (counts[0] ?? 0) - before,
    opened: counts.slice(1).map((count, part) => count - (counts[part] ?? 0)),
    resolved: Array.from({ length: parts }, (_, part) => resolved.get(part) ?? 0),
  }
}

const maxAtRisk = 20

/** Tickets with an unmet SLA target at risk. If both targets are due, the earlier one counts. */
export async function listAtRisk({ db, clock }: App, workspaceId: number): Promise<TicketAtRisk[]> {
  const due = await queries.listSlaDue(db, { workspaceId, before: clock.now() + slaRiskTime, limit: maxAtRisk })
  return due.map(({ number, due_at, first_responded_at, first_response_due_at, ...ticket }) => ({
    ...ticket,
    ticket_number: toTicketNumber(number),
    level: first_responded_at === null && first_response_due_at === due_at ? 'first_response' : 'resolution',
    due_at: formatInstant(due_at),
  }))
}
