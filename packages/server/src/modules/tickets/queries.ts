import { maxListLength } from '@service/contract'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { TicketRef } from '../../core/context.ts'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds, newestFirst } from '../../store/list-query.ts'
import { memberName } from '../../store/member-name.ts'
import { prepared, preparedInsert } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { TicketsTable, TicketTagsTable } from './table.ts'

export type NewTicketRow = Omit<Selectable<TicketsTable>, 'id' | 'resolved_at' | SlaColumn>
type SlaColumn =
  | 'first_response_due_at'
  | 'resolution_due_at'
  | 'first_responded_at'
  | 'first_response_breached_at'
  | 'resolution_breached_at'

const listed = (db: Db) =>
  db
    .selectFrom('tickets')
    .leftJoin('users as assignee', 'assignee.id', 'tickets.assigned_to')
    .leftJoin('users as creator', 'creator.id', 'tickets.created_by')
    .select([
      'tickets.id',
      'number',
      'title',
      'status',
      'priority',
      'category',
      'assigned_to',
      'created_by',
      'due_at',
      'tickets.created_at',
      'updated_at',
      memberName<string | null>('tickets.workspace_id', 'assignee').as('assignee_name'),
      memberName<string | null>('tickets.workspace_id', 'creator').as('creator_name'),
    ])

const newest = prepared<{ workspaceId: number }, TicketListRow>((db, param) =>
  listed(db)
    .where('workspace_id', '=', param('workspaceId'))
    .orderBy('tickets.id', 'desc')
    .limit(sql.lit(maxListLength)),
)

export interface TicketListRow {
  id: number
  number: number
  title: string
  status: string
  priority: string
  category: string | null
  assigned_to: number | null
  created_by: number | null
  due_at: string | null
  created_at: number
  updated_at: number
  assignee_name: string | null
  creator_name: string | null
}

export const listNewest = (db: Db, workspaceId: number): Promise<TicketListRow[]> => newest(db, { workspaceId })

export const listPage = (db: Db, workspaceId: number, page: Page): Promise<TicketListRow[]> =>
  newestFirst(listed(db).where('workspace_id', '=', workspaceId), page, 'tickets.id').execute()

export const listByIds = (
  { dialect, db }: Store,
  workspaceId: number,
  ids: readonly number[],
): Promise<TicketListRow[]> =>
  listed(db)
    .where('workspace_id', '=', workspaceId)
    .where('tickets.id', 'in', jsonIds(dialect, ids))
    .orderBy('tickets.id', 'desc')
    .execute()

export const findListed = (db: Db, workspaceId: number, id: number): Promise<TicketListRow | undefined> =>
  listed(db).where('workspace_id', '=', workspaceId).where('tickets.id', '=', id).executeTakeFirst()

export const findTicket = (db: Db, workspaceId: number, id: number) =>
  db.selectFrom('tickets').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const updateTicket = (db: Db, { workspaceId, id }: TicketRef, patch: Updateable<TicketsTable>) =>
  db.updateTable('tickets').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

const countUp = prepared<{ workspaceId: number }, { last_number: number }>((db, param) =>
  db
    .insertInto('ticket_counters')
    .values({ workspace_id: param('workspaceId'), last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet((set) => ({ last_number: set('ticket_counters.last_number', '+', 1) })),
    )
    .returning('last_number'),
)

/** The next number of the workspace; rolled back with the transaction, so committed tickets have no gaps. */
export async function takeNumber(db: Db, workspaceId: number): Promise<number> {
  const [row] = await countUp(db, { workspaceId })
  if (row === undefined) throw new Error(`The ticket counter of workspace ${workspaceId} answered nothing.`)
  return row.last_number
}

export const insertTicket = preparedInsert<NewTicketRow>((db, param) =>
  db.insertInto('tickets').values({
    workspace_id: param('workspace_id'),
    number: param('number'),
    title: param('title'),
    description: param('description'),
    status: param('status'),
    priority: param('priority'),
    category: param('category'),
    assigned_to: param('assigned_to'),
    created_by: param('created_by'),
    project_id: param('project_id'),
    due_at: param('due_at'),
    created_at: param('created_at'),
    updated_at: param('updated_at'),
  }),
)

export async function insertTags(db: Db, { workspaceId, id }: TicketRef, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  const tagParams = Object.fromEntries(tags.map((tag, position) => [`tag${position}`, tag] as const))
  await tagInsertion(tags.length)(db, { ...tagParams, workspaceId, ticketId: id })
}

type TagParams = { readonly workspaceId: number; readonly ticketId: number } & {
  readonly [tag: `tag${number}`]: string
}
const tagInsertions = new Map<number, ReturnType<typeof prepareTagInsertion>>()

/** One statement for all tags of a ticket, compiled once per number of tags; a ticket has at most fifty. */
function tagInsertion(count: number) {
  const known = tagInsertions.get(count)
  if (known !== undefined) return known
  const insertion = prepareTagInsertion(count)
  tagInsertions.set(count, insertion)
  return insertion
}

const prepareTagInsertion = (count: number) =>
  prepared<TagParams, never>((db, param) =>
    db.insertInto('ticket_tags').values(
      Array.from({ length: count }, (_, position) => ({
        workspace_id: param('workspaceId'),
        ticket_id: param('ticketId'),
        position,
        tag: param(`tag${position}`),
      })),
    ),
  )

const reference = prepared<{ workspaceId: number; id: number }, { id: number; number: number; title: string }>(
  (db, param) =>
    db
      .selectFrom('tickets')
      .select(['id', 'number', 'title'])
      .where('workspace_id', '=', param('workspaceId'))
      .where('id', '=', param('id')),
)

export const findReference = async (db: Db, workspaceId: number, id: number) =>
  (await reference(db, { workspaceId, id }))[0]

const state = prepared<{ workspaceId: number; id: number }, { id: number; number: number; resolved_at: number | null }>(
  (db, param) =>
    db
      .selectFrom('tickets')
      .select(['id', 'number', 'resolved_at'])
      .where('workspace_id', '=', param('workspaceId'))
      .where('id', '=', param('id')),
)

export const findState = async (db: Db, workspaceId: number, id: number) => (await state(db, { workspaceId, id }))[0]

export const listTags = async (db: Db, { workspaceId, id }: TicketRef): Promise<string[]> => {
  const rows = await db
    .selectFrom('ticket_tags')
    .select('tag')
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', '=', id)
    .orderBy('position')
    .execute()
  return rows.map(({ tag }) => tag)
}

export async function countOpenIn(db: Db, project: RowRef): Promise<number> {
  const { count } = await db
    .selectFrom('tickets')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('workspace_id', '=', project.workspaceId)
    .where('project_id', '=', project.id)
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whole rows, the newest first. */
export const listNewestRows = (db: Db, workspaceId: number, limit: number) =>
  newestFirst(db.selectFrom('tickets').selectAll().where('workspace_id', '=', workspaceId), { limit }).execute()

/** The workspace behind this one that has tickets, in the order of their ids. */
export async function nextWithTickets(db: Db, after: number): Promise<number | undefined> {
  const next = await db
    .selectFrom('tickets')
    .select('workspace_id')
    .where('workspace_id', '>', after)
    .orderBy('workspace_id')
    .limit(1)
    .modifyEnd(acrossWorkspaces('search index'))
    .executeTakeFirst()
  return next?.workspace_id
}

/** Tickets of a workspace in the order of their ids, with what the search index has of them. */
export const listForSearch = (db: Db, workspaceId: number, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('tickets')
    .select(['id', 'workspace_id', 'number', 'title', 'description', 'status', 'priority', 'assigned_to', 'project_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The tags of several tickets of a workspace. */
export async function listTagsOf(
  { dialect, db }: Store,
  workspaceId: number,
  tickets: readonly { readonly id: number }[],
): Promise<Map<number, string[]>> {
  const ids = tickets.map(({ id }) => id)
  const rows = await db
    .selectFrom('ticket_tags')
    .select(['ticket_id', 'tag'])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', 'in', jsonIds(dialect, ids))
    .orderBy('ticket_id')
    .orderBy('position')
    .execute()
  const byTicket = new Map<number, string[]>()
  for (const { ticket_id, tag } of rows) byTicket.set(ticket_id, [...(byTicket.get(ticket_id) ?? []), tag])
  return byTicket
}

export const deleteTags = (db: Db, { workspaceId, id }: TicketRef) =>
  db.deleteFrom('ticket_tags').where('workspace_id', '=', workspaceId).where('ticket_id', '=', id).execute()

export const insertTag = (db: Db, row: TicketTagsTable) => db.insertInto('ticket_tags').values(row).execute()

/** The columns of each promise: when it is due, what ends it, and that it was broken. */
const slaColumns = {
  first_response: ['first_response_due_at', 'first_responded_at', 'first_response_breached_at'],
  resolution: ['resolution_due_at', 'resolved_at', 'resolution_breached_at'],
} as const

type Level = keyof typeof slaColumns

export const listOverdue = (db: Db, { level, now, limit }: { level: Level; now: number; limit: number }) => {
  const [due, recorded, breached] = slaColumns[level]
  return db
    .selectFrom('tickets')
    .select(['id', 'workspace_id'])
    .where(due, '<=', now)
    .where(recorded, 'is', null)
    .where(breached, 'is', null)
    .orderBy(due)
    .limit(limit)
    .modifyEnd(acrossWorkspaces('service levels'))
    .execute()
}

/** The next SLA deadline that is still unmet. */
export const nextDueTime = async (db: Db, level: Level): Promise<number | undefined> =>
  (await earliestDue[level](db, {}))[0]?.at ?? undefined

const earliestDueOf = (level: Level) =>
  prepared((db) => {
    const [due, recorded, breached] = slaColumns[level]
    return db
      .selectFrom('tickets')
      .select(`${due} as at`)
      .where(due, 'is not', null)
      .where(recorded, 'is', null)
      .where(breached, 'is', null)
      .orderBy(due)
      .limit(1)
      .modifyEnd(acrossWorkspaces('service levels'))
  })

const earliestDue = { first_response: earliestDueOf('first_response'), resolution: earliestDueOf('resolution') }

export async function markBreached(
  db: Db,
  { ticket, level, now }: { ticket: TicketRef; level: Level; now: number },
): Promise<boolean> {
  const [, recorded, breached] = slaColumns[level]
  const marked = await db
    .updateTable('tickets')
    .set({ [breached]: now })
    .where('workspace_id', '=', ticket.workspaceId)
    .where('id', '=', ticket.id)
    .where(recorded, 'is', null)
    .where(breached, 'is', null)
    .returning('id')
    .execute()
  return marked.length > 0
}

/** `TKT-` and the number, zero-padded to at least five digits. */
export const toTicketNumber = (number: number) => `TKT-${String(number).padStart(5, '0')}`
