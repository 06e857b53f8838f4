import type { Client } from 'pg'
import type { RunStatement } from './store.ts'

// Foreign keys slow down copying and prevent the distribution of tables. They are saved in a table, so that an interrupted
// run can continue. The shards of Citus are tables too, which it hides from `pg_class` but not from `pg_constraint`.

const savedKeysTable = 'saved_foreign_keys'

interface SavedKey {
  readonly owner: string
  readonly name: string
  readonly definition: string
}

const listSaved = async (client: Client): Promise<SavedKey[]> =>
  (await client.query<SavedKey>(`select owner, name, definition from ${savedKeysTable} order by owner, name`)).rows

/** Whether an interrupted run has left foreign keys to restore. */
export async function hasSavedKeys(run: RunStatement): Promise<boolean> {
  const [row] = await run(`select to_regclass('${savedKeysTable}') is not null as found`)
  return row?.['found'] === true
}

/** Saves all foreign keys and drops them. Run it in a transaction. */
export async function dropForeignKeys(client: Client): Promise<void> {
  // Otherwise Citus moves a table of the coordinator that loses its last key, and refuses if it has an identity column.
  await client.query('set local citus.enable_local_reference_table_foreign_keys = off')
  await client.query(`create table if not exists ${savedKeysTable} as
    select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace`)
  for (const { owner, name } of await listSaved(client))
    await client.query(`alter table ${owner} drop constraint if exists "${name}"`)
}

/** Adds the saved foreign keys. Run it in a transaction. */
export async function restoreForeignKeys(
  client: Client,
  adjust: (definition: string) => string = (definition) => definition,
): Promise<void> {
  for (const { owner, name, definition } of await listSaved(client))
    await client.query(`alter table ${owner} add constraint "${name}" ${adjust(definition)}`)
  await client.query(`drop table ${savedKeysTable}`)
}
