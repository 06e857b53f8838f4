import { type RawBuilder, sql } from 'kysely'
import type { Store } from './store.ts'
import type { RowRef } from './workspace-keys.ts'

/**
 * A list of ids to stand after `in`. It travels as one parameter of JSON, so the statement's text is the same for a list
 * of any length and is prepared once; both engines unpack JSON, each in its own words.
 */
export function jsonIds(dialect: Store['dialect'], ids: readonly number[]): RawBuilder<number> {
  const json = JSON.stringify(ids)
  return dialect === 'sqlite'
    ? sql`(select value from json_each(${json}))`
    : sql`(select value::bigint from json_array_elements_text(${json}::json))`
}

/** The same for keys of a workspace, `(id, workspace_id)`. */
export function jsonKeys(dialect: Store['dialect'], keys: readonly RowRef[]): RawBuilder<unknown> {
  const json = JSON.stringify(keys.map(({ id, workspaceId }) => [id, workspaceId]))
  return dialect === 'sqlite'
    ? sql`(select value ->> 0, value ->> 1 from json_each(${json}))`
    : sql`(select (value ->> 0)::bigint, (value ->> 1)::bigint from json_array_elements(${json}::json))`
}
