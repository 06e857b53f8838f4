import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { validation } from '../core/errors.ts'
import type { Page, SortablePage, SortedRow } from '../core/pagination.ts'
import { planEachTime } from './statement-marks.ts'
import type { Store } from './store.ts'
import type { RowRef } from './workspace-keys.ts'

/** Keyset pagination over ids: each page costs the same at any depth, and new rows do not shift pages. */
export function newestFirst<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, before }: Page,
  column = 'id',
): SelectQueryBuilder<DB, TB, Row> {
  const id = column as never // the generic builder does not know the columns
  const page = before === undefined ? query : query.where(id, '<', before as never)
  return page.orderBy(id, 'desc').limit(limit).modifyEnd(planEachTime)
}

/** A sort order: the key of a row, without nulls, and its direction. Rows with the same key are ordered by id. */
export interface SortOrder {
  readonly key: RawBuilder<string | number>
  readonly direction: 'asc' | 'desc'
  /** Matches the text of a key. */
  readonly pattern: RegExp
}

export const integerKey = /^-?\d{1,16}$/
/** A rank is a 32-bit integer in PostgreSQL. */
export const rankKey = /^\d{1,2}$/
export const dayKey = /^[\d-]{1,10}$/

/** The last row of the previous page. */
export function parseCursor(cursor: string, { pattern }: SortOrder) {
  const [key = '', id = ''] = cursor.split(',')
  if (!pattern.test(key) || !integerKey.test(id)) throw validation({ cursor: ['The cursor field is invalid.'] })
  return { sort_key: pattern === dayKey ? key : Number(key), id: Number(id) }
}

/** Keyset pagination over a key and the id. */
export function afterRow(
  { key, direction, isInclusive = false }: Omit<SortOrder, 'pattern'> & { readonly isInclusive?: boolean },
  last: SortedRow,
  id: RawBuilder<unknown>,
) {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  // SQLite starts at a bound of an expression, but not of a pair.
  const orEqual = sql.raw(isInclusive ? '=' : '')
  return sql<boolean>`${key} ${beyond}= ${last.sort_key} and (${key}, ${id}) ${beyond}${orEqual} (${last.sort_key}, ${last.id})`
}

/** A page in the requested order, with `sort_key`; newest first without one. */
export function sortedBy<DB, TB extends keyof DB, Row, Sort extends string>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { sort, cursor, ...page }: SortablePage<Sort>,
  { orders, id = 'id' }: { orders: Readonly<Record<Sort, SortOrder>>; id?: string },
): SelectQueryBuilder<DB, TB, Row & { sort_key?: string | number }> {
  if (sort === undefined) return newestFirst(query, page, id) as never // without `sort_key`
  const order = orders[sort]
  return query
    .select(order.key.as('sort_key'))
    .$if(cursor !== undefined, (rows) => rows.where(afterRow(order, parseCursor(cursor ?? '', order), sql.ref(id))))
    .orderBy(order.key, order.direction)
    .orderBy(sql.ref(id), order.direction)
    .limit(page.limit)
    .modifyEnd(planEachTime) as never // with `sort_key`
}

/** Whether a value contains a text, without case. */
export function containsText(dialect: Store['dialect'], value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const lower = sql.raw(dialect === 'sqlite' ? 'lower_case' : 'lower')
  return sql`${lower}(${value}) like ${lower}(${`%${text.replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`
}

/** Filters rows by a text in one of these values; undefined without a text. */
export const whereText = (
  dialect: Store['dialect'],
  values: readonly RawBuilder<unknown>[],
  text: string | undefined,
) =>
  text === undefined
    ? undefined
    : <DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>): SelectQueryBuilder<DB, TB, Row> =>
        rows.where(
          sql<boolean>`(${sql.join(
            values.map((value) => containsText(dialect, value, text)),
            sql` or `,
          )})`,
        )

/** The rank of a priority: the most urgent first, unknown ones last. */
export const priorityRank =
  "case priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end"

/** Only rows with these values. Undefined values are ignored; null matches rows without a value. */
export function whereEqual<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  values: Readonly<Record<string, string | number | null | undefined>>,
): SelectQueryBuilder<DB, TB, Row> {
  let filtered = query
  for (const [column, value] of Object.entries(values))
    if (value !== undefined) filtered = filtered.where(column as never, value === null ? 'is' : '=', value as never) // as in `newestFirst`
  return filtered
}

/**
 * A list of ids to use after `in`. It is sent as one JSON parameter, so the statement's text does not depend on its
 * length and is prepared once. The two engines unpack JSON differently.
 */
export function jsonIds(dialect: Store['dialect'], ids: readonly number[]): RawBuilder<number> {
  const json = JSON.stringify(ids)
  return dialect === 'sqlite'
    ? sql`(select value from json_each(${json}))`
    : // PostgreSQL expects ten of an array and a hundred of JSON, for which it would rather read a workspace of average size.
      sql`(select unnest(${[...ids]}::bigint[]))`
}

/**
 * Whether a row has one of these keys, `(id, workspace_id)`. On PostgreSQL the workspaces are an array, from which a
 * distributed database knows the shards. Ids are unique in their table, so the pairs need not be compared.
 */
export function hasKey(
  { dialect, id, workspaceId }: { dialect: Store['dialect']; id: string; workspaceId: string },
  keys: readonly RowRef[],
): RawBuilder<boolean> {
  if (dialect === 'sqlite') {
    const json = JSON.stringify(keys.map((key) => [key.id, key.workspaceId]))
    return sql`(${sql.ref(id)}, ${sql.ref(workspaceId)}) in (select value ->> 0, value ->> 1 from json_each(${json}))`
  }
  const ids = keys.map((key) => key.id)
  return sql`${isInWorkspaces(
    workspaceId,
    keys.map((key) => key.workspaceId),
  )} and ${sql.ref(id)} = any(${ids}::bigint[])`
}

/** PostgreSQL: whether a row is of one of these workspaces. */
export const isInWorkspaces = (column: string, workspaceIds: readonly number[]): RawBuilder<boolean> =>
  sql`${sql.ref(column)} = any(${[...new Set(workspaceIds)]}::bigint[])`

/** The value of an id filter: `none` matches rows without one. */
export const idOrNull = (filter: number | 'none' | undefined) => (filter === 'none' ? null : filter)

/** The name of the rule that created a row of `table`; null for other origins. */
export const originName = (workspaceId: number, table: 'messages' | 'tasks'): RawBuilder<string | null> =>
  sql`(select name from automation_rules where automation_rules.workspace_id = ${workspaceId}
    and automation_rules.id = ${sql.ref(`${table}.origin_id`)})`

/**
 * A user's name in a workspace; administrators of the instance who are not members are named as such. `user` is the
 * table or alias of the user. The workspace is a value and not a column of the
 * statement, because a distributed database would not infer the shard from that.
 */
export const memberName = <Name extends string | null = string>(
  workspaceId: number | RawBuilder<unknown>,
  user: string,
): RawBuilder<Name> =>
  sql`coalesce((
    select member_names.name from member_names
    where member_names.workspace_id = ${workspaceId} and member_names.user_id = ${sql.ref(`${user}.id`)}
  ), case when ${sql.ref(`${user}.is_instance_admin`)} = 1 then ${sql.ref(`${user}.name`)} || coalesce((
    select '' from members where members.workspace_id = ${workspaceId} and members.user_id = ${sql.ref(`${user}.id`)}
  ), ' (instance)') else ${sql.ref(`${user}.name`)} end)`
