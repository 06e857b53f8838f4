import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Page } from '../core/pagination.ts'
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
  return page.orderBy(id, 'desc').limit(limit)
}

/** Only rows with these values. Undefined values are ignored. */
export function whereEqual<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  values: Readonly<Record<string, string | number | undefined>>,
): SelectQueryBuilder<DB, TB, Row> {
  let filtered = query
  for (const [column, value] of Object.entries(values))
    if (value !== undefined) filtered = filtered.where(column as never, '=', value as never) // as in `newestFirst`
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
    : sql`(select value::bigint from json_array_elements_text(${json}::json))`
}

/** The same for composite keys, `(id, workspace_id)`. */
export function jsonKeys(dialect: Store['dialect'], keys: readonly RowRef[]): RawBuilder<unknown> {
  const json = JSON.stringify(keys.map(({ id, workspaceId }) => [id, workspaceId]))
  return dialect === 'sqlite'
    ? sql`(select value ->> 0, value ->> 1 from json_each(${json}))`
    : sql`(select (value ->> 0)::bigint, (value ->> 1)::bigint from json_array_elements(${json}::json))`
}

/** A user's name in a workspace; `workspaceId` is a column, `user` the table or alias of the user. */
export const memberName = <Name extends string | null = string>(workspaceId: string, user: string): RawBuilder<Name> =>
  sql`coalesce((
    select member_names.name from member_names
    where member_names.workspace_id = ${sql.ref(workspaceId)} and member_names.user_id = ${sql.ref(`${user}.id`)}
  ), ${sql.ref(`${user}.name`)})`
