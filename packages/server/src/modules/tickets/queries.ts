import { maxListLength } from '@service/contract'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { TicketRef } from '../../context.ts'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds, memberName } from '../../store/list-query.ts'
import { prepared, preparedInsert } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { TicketsTable } from './table.ts'

export type TicketRow = Selectable<TicketsTable>
export type NewTicketRow = Omit<TicketRow, 'id' | 'resolved_at' | SlaColumn>
type SlaColumn =
  | 'first_response_due_at'
  | 'resolution_due_at'
  | 'first_responded_at'
  | 'first_response_breached_at'
  | 'resolution_breached_at'

const listed = (db: Db, workspaceId: number) =>
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
      memberName<string | null>(workspaceId, 'assignee').as('assignee_name'),
      memberName<string | null>(workspaceId, 'creator').as('creator_name'),
    ])
    .where('tickets.workspace_id', '=', workspaceId)

const newest = prepared<{ workspaceId: number }, TicketListRow>((db, param) =>
  listed(db, param('workspaceId')).orderBy('number', 'desc').limit(sql.lit(maxListLength)),
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

export type TicketPageRow = TicketListRow & Pick<TicketsTable, 'tags'> & { sla_due_at: number }

/** The SLA key of tickets without an unmet target. */
export const noTarget = 9_000_000_000_000_000

/** When the next unmet SLA target of an unresolved ticket is due. The index on it has this expression and condition. */
export const slaDueAt = sql<number>`${sql.raw(`case when resolved_at is not null then ${noTarget}
  when first_responded_at is null and first_response_due_at is not null
    and (resolution_due_at is null or first_response_due_at <= resolution_due_at) then first_response_due_at
  else coalesce(resolution_due_at, ${noTarget}) end`)}`

const hasSlaTarget = sql<boolean>`${slaDueAt} < ${sql.lit(noTarget)}`

export const toSlaDueAt = (key: number) => (key === noTarget ? null : key)

export const listNewest = (db: Db, workspaceId: number): Promise<TicketListRow[]> => newest(db, { workspaceId })

const listedWithTags = (db: Db, workspaceId: number) =>
  listed(db, workspaceId).select(['tickets.tags', slaDueAt.as('sla_due_at')])

/**
 * The number of a ticket, as a page cursor. Ids and numbers of a workspace grow together; the index is on numbers. A
 * page may start with any ticket, and the id after it may belong to none.
 */
export const selectNumber = (workspaceId: number, id: number): RawBuilder<number> =>
  sql`coalesce((select number from tickets where workspace_id = ${workspaceId} and id = ${id}),
    (select number + 1 from tickets where workspace_id = ${workspaceId} and id = ${id - 1}))`

export const listPage = (db: Db, workspaceId: number, { before, limit }: Page): Promise<TicketPageRow[]> =>
  listedWithTags(db, workspaceId)
    .$if(before !== undefined, (all) => all.where('number', '<', selectNumber(workspaceId, before ?? 0)))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()

export const listByIds = (
  { dialect, db }: Store,
  workspaceId: number,
  ids: readonly number[],
): Promise<TicketPageRow[]> =>
  listedWithTags(db, workspaceId).where('tickets.id', 'in', jsonIds(dialect, ids)).execute()

export const listTexts = ({ dialect, db }: Store, workspaceId: number, ids: readonly number[]) =>
  db
    .selectFrom('tickets')
    .select(['id', 'title', 'description'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', jsonIds(dialect, ids))
    .execute()

export const findListed = (db: Db, workspaceId: number, id: number): Promise<TicketListRow | undefined> =>
  listed(db, workspaceId).where('tickets.id', '=', id).executeTakeFirst()

export const findTicket = (db: Db, workspaceId: number, id: number) =>
  db.selectFrom('tickets').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const updateTicket = (db: Db, { workspaceId, id }: TicketRef, patch: Updateable<TicketsTable>) =>
  db.updateTable('tickets').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

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
    origin: param('origin'),
    project_id: param('project_id'),
    due_at: param('due_at'),
    tags: param('tags'),
    created_at: param('created_at'),
    updated_at: param('updated_at'),
  }),
)

const reference = prepared<RowRef, { id: number; number: number; title: string }>((db, param) =>
  db
    .selectFrom('tickets')
    .select(['id', 'number', 'title'])
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('id')),
)

export const findReference = async (db: Db, workspaceId: number, id: number) =>
  (await reference(db, { workspaceId, id }))[0]

type StateRow = Pick<TicketRow, 'id' | 'number' | 'resolved_at' | 'status'>

const state = prepared<RowRef, StateRow>((db, param) =>
  db
    .selectFrom('tickets')
    .select(['id', 'number', 'status', 'resolved_at'])
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('id')),
)

export const findState = async (db: Db, workspaceId: number, id: number) => (await state(db, { workspaceId, id }))[0]

export const listNumbers = ({ dialect, db }: Store, workspaceId: number, ids: readonly number[]) =>
  db
    .selectFrom('tickets')
    .select(['id', 'number'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', jsonIds(dialect, ids))
    .execute()

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

/** Full rows, newest first. */
export const listNewestRows = (db: Db, workspaceId: number, limit: number) =>
  db
    .selectFrom('tickets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()

/** Tickets of all workspaces by id, with the fields of the search index. */
export const listForSearch = (db: Db, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('tickets')
    .select(['id', 'workspace_id', 'number', 'title', 'description', 'status', 'priority', 'assigned_to'])
    .select(['project_id', 'tags'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .modifyEnd(acrossWorkspaces('search index'))
    .execute()

/** Tickets with an unmet SLA target that is due before an instant, earliest first. */
export const listSlaDue = (
  db: Db,
  { workspaceId, before, limit }: { workspaceId: number; before: number; limit: number },
) =>
  db
    .selectFrom('tickets')
    .select(['id', 'number', 'title', 'status', 'first_responded_at', 'first_response_due_at', slaDueAt.as('due_at')])
    .where('workspace_id', '=', workspaceId)
    .where(slaDueAt, '<=', before)
    .where(hasSlaTarget)
    .orderBy(slaDueAt)
    .limit(limit)
    .execute()

/** The columns of each SLA target: its due time, its completion, and its breach mark. */
const slaColumns = {
  first_response: ['first_response_due_at', 'first_responded_at', 'first_response_breached_at'],
  resolution: ['resolution_due_at', 'resolved_at', 'resolution_breached_at'],
} as const

type Level = keyof typeof slaColumns

export const listOverdue = (db: Db, { level, now, limit }: { level: Level; now: number; limit: number }) => {
  const [due, met, breached] = slaColumns[level]
  return db
    .selectFrom('tickets')
    .select(['id', 'workspace_id'])
    .where(due, '<=', now)
    .where(met, 'is', null)
    .where(breached, 'is', null)
    .orderBy(due)
    .limit(limit)
    .modifyEnd(acrossWorkspaces('service levels'))
    .execute()
}

/** The next SLA deadline that is still unmet. */
export const nextDueTime = async (db: Db, level: Level): Promise<number | undefined> =>
  (await earliestDue[level](db, {}))[0]?.at ?? undefined

const prepareEarliestDue = (level: Level) =>
  prepared((db) => {
    const [due, met, breached] = slaColumns[level]
    return db
      .selectFrom('tickets')
      .select(`${due} as at`)
      .where(due, 'is not', null)
      .where(met, 'is', null)
      .where(breached, 'is', null)
      .orderBy(due)
      .limit(1)
      .modifyEnd(acrossWorkspaces('service levels'))
  })

const earliestDue = {
  first_response: prepareEarliestDue('first_response'),
  resolution: prepareEarliestDue('resolution'),
}

export async function markBreached(
  db: Db,
  { ticket, level, now }: { ticket: TicketRef; level: Level; now: number },
): Promise<boolean> {
  const [, met, breached] = slaColumns[level]
  const marked = await db
    .updateTable('tickets')
    .set({ [breached]: now })
    .where('workspace_id', '=', ticket.workspaceId)
    .where('id', '=', ticket.id)
    .where(met, 'is', null)
    .where(breached, 'is', null)
    .returning('id')
    .execute()
  return marked.length > 0
}

/** Tags are stored as JSON. */
export const toTags = (tags: string): string[] => JSON.parse(tags)
