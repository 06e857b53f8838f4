import { type RawBuilder, sql } from 'kysely'
import type { SortablePage } from '../../core/pagination.ts'
import {
  afterCursor,
  dayKey,
  integerKey,
  jsonIds,
  priorityRank,
  rankKey,
  type SortOrder,
} from '../../store/list-query.ts'
import { planEachTime } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { numberOf, slaDueAt } from './queries.ts'
import { findMatchingIds, hasSearchTerms, matchesSearch, type TicketFilter } from './search-queries.ts'

// Lists that are sorted or limited by columns which the search index does not have. Each order has an index on
// `(workspace_id, key, id)` with exactly the expression below. Few matches of the search index are sorted; many are
// filtered in the order of the list, so that a page ends early.

const dueDay = sql<string>`case when resolved_at is null and due_at is not null then due_at else '9' end`

const orders = {
  priority: {
    key: sql<number>`(case when resolved_at is null then 0 else 10 end + ${sql.raw(priorityRank)})`,
    direction: 'asc',
    pattern: rankKey,
  },
  sla: { key: slaDueAt, direction: 'asc', pattern: integerKey },
  due: { key: dueDay, direction: 'asc', pattern: dayKey },
  updated: { key: sql<number>`updated_at`, direction: 'desc', pattern: integerKey },
} as const satisfies Record<string, SortOrder>

/** Conditions on columns. Bounds are inclusive. */
export interface TicketConditions {
  /** Neither resolved nor closed. */
  readonly isActive?: boolean | undefined
  /** Null matches tickets without one. */
  readonly assignee?: number | null | undefined
  readonly dueFrom?: string | undefined
  readonly dueTo?: string | undefined
  readonly slaBefore?: number | undefined
}

export type SortedSearch = SortablePage<keyof typeof orders> & TicketFilter & TicketConditions

/** More matches than this are read in the order of the list. */
const maxSortedRows = 500

export interface SortedId {
  readonly id: number
  readonly sort_key: string | number | undefined
}

/** Matching tickets in the requested order, or newest first. */
export async function findSortedIds(store: Store, workspaceId: number, search: SortedSearch): Promise<SortedId[]> {
  const read = async (matches: readonly number[] | undefined) => {
    const { rows } = await sortedIds(store.dialect, workspaceId, { search, matches }).execute(store.db)
    return rows.map(({ id, sort_key }) => ({ id, sort_key: search.sort === undefined ? undefined : sort_key }))
  }
  if (!hasSearchTerms(search)) return read(undefined)
  const { sort, before, ...filter } = search
  const isNewestFirst = sort === undefined
  const page = isNewestFirst ? { before, limit: maxSortedRows } : { limit: maxSortedRows }
  const newest = await findMatchingIds(store, workspaceId, { ...filter, ...page })
  if (newest.length < maxSortedRows) return read(newest)
  const first = isNewestFirst ? await read(newest) : []
  return first.length === search.limit ? first : read(undefined)
}

/** The number of matching tickets, counted up to a limit. */
export async function countMatching(
  store: Store,
  workspaceId: number,
  search: TicketFilter & TicketConditions & { readonly limit: number },
): Promise<number> {
  if (!hasConditions(search)) return (await findMatchingIds(store, workspaceId, search)).length
  const due = (search.dueFrom ?? search.dueTo) === undefined ? undefined : 'due'
  const sort = search.slaBefore === undefined ? due : 'sla'
  return (await findSortedIds(store, workspaceId, { ...search, sort })).length
}

export const hasConditions = ({ isActive, assignee, dueFrom, dueTo, slaBefore }: TicketConditions) =>
  [isActive, assignee, dueFrom, dueTo, slaBefore].some((condition) => condition !== undefined)

export function sortedIds(
  dialect: Store['dialect'],
  workspaceId: number,
  { search, matches }: { readonly search: SortedSearch; readonly matches: readonly number[] | undefined },
): RawBuilder<{ id: number; sort_key: string | number }> {
  const { sort, cursor, before, limit, isActive, assignee, dueFrom, dueTo, slaBefore, ...filter } = search
  const { key, direction } = sort === undefined ? ({ key: sql`number`, direction: 'desc' } as const) : orders[sort]
  const order = sort === undefined ? sql`number desc` : sql`${key} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  const conditions = [
    sql`workspace_id = ${workspaceId}`,
    isActive === true && sql`resolved_at is null`,
    assignee === null && sql`assigned_to is null`,
    typeof assignee === 'number' && sql`assigned_to = ${assignee}`,
    dueFrom !== undefined && sql`${dueDay} >= ${dueFrom}`,
    dueTo !== undefined && sql`${dueDay} <= ${dueTo}`,
    slaBefore !== undefined && sql`${slaDueAt} <= ${slaBefore}`,
    matches !== undefined && sql`id in ${jsonIds(dialect, matches)}`,
    ...(matches === undefined ? filterConditions(dialect, workspaceId, filter) : []),
    sort === undefined && before !== undefined && sql`number < ${numberOf(workspaceId, before)}`,
    sort !== undefined && cursor !== undefined && afterCursor(orders[sort], cursor, sql.ref('id')),
  ].filter((condition) => condition !== false)
  return sql`${planEachTime} select id, ${key} as sort_key from tickets where ${sql.join(conditions, sql` and `)}
    order by ${order} limit ${limit}`
}

/** Columns are cheaper to compare than the matches of a frequent term are to collect. */
function filterConditions(
  dialect: Store['dialect'],
  workspaceId: number,
  { status, priority, assigned_to, project_id, ...search }: TicketFilter,
) {
  return [
    status !== undefined && sql`status = ${status}`,
    priority !== undefined && sql`priority = ${priority}`,
    assigned_to !== undefined && sql`+assigned_to = ${assigned_to}`,
    project_id !== undefined && sql`+project_id = ${project_id}`,
    hasSearchTerms(search) && matchesSearch(dialect, workspaceId, search),
  ]
}
