import { isResolved } from '@service/contract/values'
import { type RawBuilder, sql } from 'kysely'
import { validation } from '../../core/errors.ts'
import type { FoundRows, SortablePage, SortedRow } from '../../core/pagination.ts'
import { maxRowsRead, maxRowsSorted } from '../../store/filtered-list.ts'
import {
  afterRow,
  dayKey,
  integerKey,
  jsonIds,
  parseCursor,
  priorityRank,
  rankKey,
  type SortOrder,
} from '../../store/list-query.ts'
import { boundedRead, planEachTime } from '../../store/statement-marks.ts'
import type { Store } from '../../store/store.ts'
import { noTarget, selectNumber, slaDueAt } from './queries.ts'
import { findMatchingIds, hasSearchTerms, matchesWords, matchingIds, type TicketFilter } from './search-queries.ts'

// Lists that are sorted or limited by columns which the search index does not have. Each order has an index on
// `(workspace_id, key, id)` with exactly the expression below. If an index finds at most `maxRowsSorted` tickets for one of the
// conditions, they are filtered and sorted. Otherwise at most `maxRowsRead` tickets are filtered in the order of the list.
// Tickets without a due time or SLA target are not in the indexes of these orders and follow in the order of their
// numbers.

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

/** Matching tickets in the requested order, or newest first. */
export async function findSortedIds(
  store: Store,
  workspaceId: number,
  search: SortedSearch,
): Promise<FoundRows<SortedRow>> {
  const candidates = isFiltered(search) ? await findCandidates(store, workspaceId, search) : undefined
  const read = async (query: RawBuilder<SortedRow>) => {
    const { rows } = await query.execute(store.db)
    return rows.map(({ id, sort_key }) => ({ id, sort_key: search.sort === undefined ? undefined : sort_key }))
  }
  const found: SortedRow[] = []
  for (const part of partsOf(search)) {
    const at = { search: { ...search, limit: search.limit - found.length }, part, matches: candidates?.ids }
    const [end] = isFiltered(search) && candidates === undefined ? await read(endOfRead(workspaceId, at)) : []
    found.push(...(await read(sortedIds(store.dialect, workspaceId, { ...at, end }))))
    if (found.length === search.limit) return found
    if (end !== undefined) return Object.assign(found, { readTo: end })
  }
  return Object.assign(found, { readTo: candidates?.readTo })
}

export interface Counted {
  readonly count: number
  /** False if more tickets match, or may match. */
  readonly isExact: boolean
}

type CountSearch = TicketFilter & TicketConditions & { readonly limit: number }

/** The number of matching tickets, counted up to a limit. What no index answers is counted as far as a page would read. */
export async function countMatching(store: Store, workspaceId: number, search: CountSearch): Promise<Counted> {
  const { limit } = search
  const oneMore = { ...search, limit: limit + 1 }
  const { length, readTo } = await countUpTo(store, workspaceId, oneMore)
  return { count: Math.min(length, limit), isExact: length <= limit && readTo === undefined }
}

async function countUpTo(
  store: Store,
  workspaceId: number,
  search: CountSearch,
): Promise<{ readonly length: number; readonly readTo?: unknown }> {
  if (!hasConditions(search)) {
    const query = await matchingIds(store, workspaceId, search)
    return { length: query === undefined ? 0 : await countRows(store, query) }
  }
  const condition = soleCondition(search)
  if (condition !== undefined)
    return { length: await countRows(store, withCondition(workspaceId, condition, search.limit)) }
  const hasWords = search.words !== undefined && search.words.length > 0
  const due = (search.dueFrom ?? search.dueTo) === undefined ? undefined : 'due'
  const sort = search.slaBefore === undefined ? due : 'sla'
  return findSortedIds(store, workspaceId, { ...search, sort: hasWords ? undefined : sort })
}

async function countRows({ db }: Store, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`${planEachTime} select count(*) as count from (${query}) as found`.execute(db)
  return Number(rows[0]?.count)
}

export const hasConditions = ({ isActive, assignee, dueFrom, dueTo, slaBefore }: TicketConditions) =>
  [isActive, assignee, dueFrom, dueTo, slaBefore].some((condition) => condition !== undefined)

/** Whether there is a condition besides those that the index of the order answers. */
function isFiltered({ sort, cursor: _, before: __, limit: ___, words = [], ...conditions }: SortedSearch): boolean {
  const { isActive, assignee, dueFrom, dueTo, slaBefore, priority, ...filters } = conditions
  const others = [
    ...Object.values(filters),
    // The index of active tickets has them by assignee.
    ...(sort === undefined && isActive === true && assignee !== undefined ? [] : [isActive, assignee]),
    ...(sort === 'due' ? [] : [dueFrom, dueTo]),
    ...(sort === 'sla' ? [] : [slaBefore]),
    ...(sort === 'priority' ? [] : [priority]),
  ]
  return words.length > 0 || others.some((condition) => condition !== undefined)
}

interface Candidates {
  readonly ids: readonly number[]
  /** Newest first, older tickets may match too. */
  readonly readTo?: { readonly id: number } | undefined
}

/** All tickets that may match, if an index finds few. */
async function findCandidates(
  store: Store,
  workspaceId: number,
  search: SortedSearch,
): Promise<Candidates | undefined> {
  const { sort, before, limit: _, cursor: __, ...filter } = search
  const limit = maxRowsSorted + 1
  if (hasSearchTerms(filter)) {
    const page = sort === undefined ? { before, limit } : { limit }
    const ids = await findMatchingIds(store, workspaceId, { ...filter, ...page })
    if (ids.length < limit) return { ids }
    const last = ids.at(-1)
    const isNewestFirst = sort === undefined && filter.words !== undefined && filter.words.length > 0
    if (isNewestFirst && last !== undefined) return { ids, readTo: { id: last } }
  }
  const ids = await findByCondition(store, workspaceId, filter)
  const hasWords = filter.words !== undefined && filter.words.length > 0
  if (!hasWords) return ids && { ids }
  const matching = ids && (await matchesWords(store, workspaceId, { words: filter.words, ids }))
  if (matching !== undefined) return { ids: matching }
  throw validation({
    search: [`More than ${maxRowsSorted} tickets have these words. Add a word or a filter, or leave out the sort.`],
  })
}

/** All tickets that match the first of these conditions to be met by few. */
async function findByCondition(
  { db }: Store,
  workspaceId: number,
  search: TicketConditions,
): Promise<number[] | undefined> {
  for (const condition of indexedConditions(search)) {
    const { rows } = await sql<{ id: number }>`${planEachTime} ${withCondition(
      workspaceId,
      condition,
      maxRowsSorted + 1,
    )}`.execute(db)
    if (rows.length <= maxRowsSorted) return rows.map(({ id }) => id)
  }
  return undefined
}

const withCondition = (workspaceId: number, condition: RawBuilder<unknown>, limit: number) =>
  sql<{ id: number }>`select id from tickets where workspace_id = ${workspaceId} and ${condition} limit ${limit}`

/** The conditions that have an index. */
function indexedConditions({ isActive, assignee, dueFrom, dueTo, slaBefore }: TicketConditions) {
  // In the order of an index. Without it, PostgreSQL expects to find this many tickets soon in any order, and reads the table.
  const conditions = [
    slaBefore !== undefined &&
      sql`${slaDueAt} < ${sql.lit(noTarget)} and ${slaDueAt} <= ${slaBefore} order by ${slaDueAt}`,
    (dueFrom ?? dueTo) !== undefined &&
      sql`${dueDay} < '9' and ${dueDay} >= ${dueFrom ?? ''} and ${dueDay} <= ${dueTo ?? '9'} order by ${dueDay}`,
    isActive === true &&
      sql`resolved_at is null ${assignee === undefined ? sql`` : sql`and ${isAssignedTo(assignee)}`} order by assigned_to, number`,
  ]
  return conditions.filter((condition) => condition !== false)
}

/** The only condition of a search, if it has an index. */
function soleCondition(search: CountSearch): RawBuilder<unknown> | undefined {
  const [condition, ...others] = indexedConditions(search)
  const isAnswered = search.assignee === undefined || search.isActive === true
  return others.length === 0 && isAnswered && !hasSearchTerms(search) ? condition : undefined
}

const isAssignedTo = (assignee: number | null) =>
  assignee === null ? sql`assigned_to is null` : sql`assigned_to = ${assignee}`

/** A part of a list that follows one order. */
interface Part {
  readonly conditions: readonly RawBuilder<unknown>[]
  /** By number instead of by the key. */
  readonly isByNumber?: boolean
  /** A cursor with another key is before this part. */
  readonly key?: string | number
  /** All tickets of the part have this key, so they are in the order of their ids. */
  readonly onlyKey?: number
}

/** The parts of a list. Tickets that are not in the index of the order come last. */
function partsOf({ sort, priority, status, isActive, dueFrom, dueTo, slaBefore }: SortedSearch): readonly Part[] {
  if (sort === undefined) return [{ conditions: [], isByNumber: true }]
  const { key, lastKey }: TicketOrder = orders[sort]
  if (sort === 'priority')
    return ranksOf({ priority, isActive }).map((rank) => ({ conditions: [sql`${key} = ${rank}`], onlyKey: rank }))
  if (lastKey === undefined) return [{ conditions: [] }]
  const isBounded = sort === 'due' ? (dueFrom ?? dueTo) !== undefined : slaBefore !== undefined
  const indexed: Part = { conditions: [sql`${key} < ${sql.lit(lastKey)}`] }
  const others: Part = { conditions: [sql`${key} = ${sql.lit(lastKey)}`], isByNumber: true, key: lastKey }
  if (isBounded) return [indexed]
  return isResolved(status) ? [others] : [indexed, others]
}

/** In the order of `priorityRank`; the last one is any other. */
const priorityRanks = ['urgent', 'high', 'medium', 'low', undefined]

/** The keys of the order by priority: unresolved tickets first. */
function ranksOf({ priority, isActive }: Pick<SortedSearch, 'priority' | 'isActive'>): readonly number[] {
  const rank = priorityRanks.indexOf(priority)
  const ranks = priority === undefined ? [0, 1, 2, 3, 4] : [rank < 0 ? 4 : rank]
  return isActive === true ? ranks : [...ranks, ...ranks.map((each) => each + 10)]
}

interface SortedPart {
  readonly search: SortedSearch
  readonly part: Part
  readonly matches: readonly number[] | undefined
  /** The last ticket to read. */
  readonly end?: SortedRow | undefined
}

function sortedIds(
  dialect: Store['dialect'],
  workspaceId: number,
  { search, part, matches, end }: SortedPart,
): RawBuilder<SortedRow> {
  const conditions = [
    // The first, because SQLite starts at the first bound that it finds.
    end !== undefined && upTo(workspaceId, { search, part, end }),
    ...inOrder(workspaceId, { search, part }),
    ...toConditions(dialect, search),
    matches !== undefined && sql`id in ${jsonIds(dialect, matches)}`,
  ].filter((condition) => condition !== false)
  return sql`${planEachTime} select id, ${keyOf(search)} as sort_key from tickets where ${sql.join(conditions, sql` and `)}
    order by ${orderOf({ search, part })} limit ${search.limit} ${boundedRead}`
}

/** The last ticket that a page reads, if there are more. */
const endOfRead = (workspaceId: number, at: Pick<SortedPart, 'search' | 'part'>): RawBuilder<SortedRow> =>
  sql`${planEachTime} select id, ${keyOf(at.search)} as sort_key from tickets
    where ${sql.join(inOrder(workspaceId, at), sql` and `)}
    order by ${orderOf(at)} limit 1 offset ${sql.lit(maxRowsRead - 1)}`

const keyOf = ({ sort }: SortedSearch): RawBuilder<unknown> => (sort === undefined ? sql`number` : orders[sort].key)

function orderOf({ search, part }: Pick<SortedPart, 'search' | 'part'>): RawBuilder<unknown> {
  const { sort, assignee } = search
  // In the order of the index of active tickets, or PostgreSQL would read all tickets in the order of their numbers.
  if (sort === undefined && assignee === null && !isFiltered(search)) return sql`assigned_to desc, number desc`
  if (sort === undefined) return sql`number desc`
  const { key, direction } = orders[sort]
  const toward = sql.raw(direction)
  if (part.onlyKey !== undefined) return sql`id ${toward}`
  return part.isByNumber === true ? sql`number ${toward}` : sql`${key} ${toward}, id ${toward}`
}

/** The tickets of a part after the cursor. */
function inOrder(workspaceId: number, { search, part }: Pick<SortedPart, 'search' | 'part'>): RawBuilder<unknown>[] {
  const { sort, cursor, before, slaBefore, dueFrom, dueTo } = search
  const scope = [sql`workspace_id = ${workspaceId}`, ...part.conditions]
  if (sort === undefined)
    return before === undefined ? scope : [...scope, sql`number < ${selectNumber(workspaceId, before)}`]
  if (sort === 'sla' && slaBefore !== undefined) scope.push(sql`${slaDueAt} <= ${slaBefore}`)
  if (sort === 'due' && dueFrom !== undefined) scope.push(sql`${dueDay} >= ${dueFrom}`)
  if (sort === 'due' && dueTo !== undefined) scope.push(sql`${dueDay} <= ${dueTo}`)
  if (cursor === undefined) return scope
  const last = parseCursor(cursor, orders[sort])
  if (part.onlyKey !== undefined) return [...scope, sql`id > ${afterId(last, part.onlyKey)}`]
  if (part.isByNumber !== true) return [...scope, afterRow(orders[sort], last, sql.ref('id'))]
  return last.sort_key === part.key ? [...scope, sql`number > ${selectNumber(workspaceId, last.id)}`] : scope
}

/** The id after which a part with one key continues. */
function afterId({ sort_key, id }: ReturnType<typeof parseCursor>, key: number): number {
  if (Number(sort_key) < key) return 0
  return sort_key === key ? id : Number.MAX_SAFE_INTEGER
}

/** The tickets of a part up to the last one to read. */
function upTo(
  workspaceId: number,
  { search: { sort }, part, end }: Omit<SortedPart, 'matches'> & { readonly end: SortedRow },
) {
  const number = selectNumber(workspaceId, end.id)
  if (sort === undefined) return sql`number >= ${number}`
  if (part.isByNumber === true) return sql`number <= ${number}`
  if (part.onlyKey !== undefined) return sql`id <= ${end.id}`
  const { key, direction } = orders[sort]
  const order = { key, direction: direction === 'asc' ? 'desc' : 'asc', isInclusive: true } as const
  return afterRow(order, end, sql.ref('id'))
}

/** Columns are cheaper to compare than the matches of a frequent term are to collect. */
const toConditions = (dialect: Store['dialect'], search: SortedSearch) => [
  search.isActive === true && sql`resolved_at is null`,
  search.assignee !== undefined && isAssignedTo(search.assignee),
  search.dueFrom !== undefined && sql`${dueDay} >= ${search.dueFrom}`,
  search.dueTo !== undefined && sql`${dueDay} <= ${search.dueTo}`,
  search.slaBefore !== undefined && sql`${slaDueAt} <= ${search.slaBefore}`,
  search.status !== undefined && sql`status = ${search.status}`,
  search.priority !== undefined && sql`priority = ${search.priority}`,
  search.assigned_to !== undefined && sql`+assigned_to = ${search.assigned_to}`,
  search.project_id !== undefined && sql`+project_id = ${search.project_id}`,
  search.tag !== undefined && hasTag(dialect, search.tag),
]

const hasTag = (dialect: Store['dialect'], tag: string) =>
  dialect === 'sqlite'
    ? sql`exists (select 1 from json_each(tags) where value = ${tag})`
    : sql`exists (select from json_array_elements_text(tags::json) as tag where tag = ${tag})`
