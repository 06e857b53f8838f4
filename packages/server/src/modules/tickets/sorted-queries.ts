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
import { noTarget, numberOf, slaDueAt } from './queries.ts'
import { findMatchingIds, hasSearchTerms, matchesSearch, type TicketFilter } from './search-queries.ts'

// Lists that are sorted or limited by columns which the search index does not have. Each order has an index on
// `(workspace_id, key, id)` with exactly the expression below. Few matches of the search index are sorted; many are
// filtered in the order of the list, so that a page ends early. Tickets without a due time or SLA target are not in the
// indexes of these orders and follow in the order of their numbers.

const dueDay = sql<string>`case when resolved_at is null and due_at is not null then due_at else '9' end`

interface TicketOrder extends SortOrder {
  /** The key of tickets that are not in the index. */
  readonly lastKey?: string | number
}

const orders = {
  priority: {
    key: sql<number>`(case when resolved_at is null then 0 else 10 end + ${sql.raw(priorityRank)})`,
    direction: 'asc',
    pattern: rankKey,
  },
  sla: { key: slaDueAt, direction: 'asc', pattern: integerKey, lastKey: noTarget },
  due: { key: dueDay, direction: 'asc', pattern: dayKey, lastKey: '9' },
  updated: { key: sql<number>`updated_at`, direction: 'desc', pattern: integerKey },
} as const satisfies Record<string, TicketOrder>

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
const maxSortedRows = 2000

export interface SortedId {
  readonly id: number
  readonly sort_key: string | number | undefined
}

/** Matching tickets in the requested order, or newest first. */
export async function findSortedIds(store: Store, workspaceId: number, search: SortedSearch): Promise<SortedId[]> {
  const readPart = async (part: SortedPart) => {
    const { rows } = await sortedIds(store.dialect, workspaceId, part).execute(store.db)
    return rows.map(({ id, sort_key }) => ({ id, sort_key: search.sort === undefined ? undefined : sort_key }))
  }
  const read = async (matches: readonly number[] | undefined) => {
    const indexed = await readPart({ search, matches })
    const limit = search.limit - indexed.length
    if (limit === 0 || !mayMatchOthers(search)) return indexed
    return [...indexed, ...(await readPart({ search: { ...search, limit }, matches, isOthers: true }))]
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

/** Whether tickets that are not in the index of the order may match. */
const mayMatchOthers = ({ sort, dueFrom, dueTo, slaBefore }: SortedSearch) =>
  (sort === 'due' && (dueFrom ?? dueTo) === undefined) || (sort === 'sla' && slaBefore === undefined)

interface SortedPart {
  readonly search: SortedSearch
  readonly matches: readonly number[] | undefined
  /** Selects the tickets that are not in the index of the order. */
  readonly isOthers?: boolean
}

export function sortedIds(
  dialect: Store['dialect'],
  workspaceId: number,
  { search, matches, isOthers = false }: SortedPart,
): RawBuilder<{ id: number; sort_key: string | number }> {
  const { sort, limit, isActive, assignee, dueFrom, dueTo, slaBefore, ...filter } = search
  const { key, direction }: Omit<TicketOrder, 'pattern'> =
    sort === undefined ? { key: sql`number`, direction: 'desc' } : orders[sort]
  const toward = sql.raw(direction)
  const order = sort === undefined || isOthers ? sql`number ${toward}` : sql`${key} ${toward}, id ${toward}`
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
    ...afterPosition(workspaceId, search, isOthers),
  ].filter((condition) => condition !== false)
  return sql`${planEachTime} select id, ${key} as sort_key from tickets where ${sql.join(conditions, sql` and `)}
    order by ${order} limit ${limit}`
}

/** The tickets after a cursor, of those that are in the index of the order or of the others. */
function afterPosition(workspaceId: number, { sort, cursor, before }: SortedSearch, isOthers: boolean) {
  if (sort === undefined) return [before !== undefined && sql`number < ${numberOf(workspaceId, before)}`]
  const order: TicketOrder = orders[sort]
  const { key, lastKey } = order
  if (lastKey === undefined) return [cursor !== undefined && afterCursor(order, cursor, sql.ref('id'))]
  const [cursorKey, id] = cursor?.split(',') ?? []
  return [
    sql`${key} ${sql.raw(isOthers ? '=' : '<')} ${sql.lit(lastKey)}`,
    cursor !== undefined && !isOthers && afterCursor(order, cursor, sql.ref('id')),
    isOthers && cursorKey === String(lastKey) && sql`number > ${numberOf(workspaceId, Number(id))}`,
  ]
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
