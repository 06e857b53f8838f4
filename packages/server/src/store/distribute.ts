import type { Client } from 'pg'
import { dropForeignKeys, hasSavedKeys, restoreForeignKeys } from './foreign-keys.ts'
import { OpenError } from './open-error.ts'
import { connectWithoutLimits, inTransaction } from './postgres-client.ts'
import { requireNoServer } from './serving-lock.ts'
import type { RunStatement } from './store.ts'
import { markNames } from './unfinished.ts'
import { instanceTables } from './workspace-keys.ts'

// Distributes the tables of a database over the nodes of Citus by their workspace. Each step checks what is done already,
// so that an interrupted run can be repeated.

/** Tables that the rows of every workspace refer to. Each node has a copy. */
const referenceTables = ['workspaces', 'users']
/** The tables of a workspace have their rows on the same node as this table's. */
export const firstTable = 'members'

export interface Distribution {
  readonly table: string
  readonly placement: 'by workspace' | 'on every node' | 'on the coordinator'
}

/** Where the rows of each table are; undefined without Citus. */
export async function listDistribution(run: RunStatement): Promise<Distribution[] | undefined> {
  const [extension] = await run("select 1 from pg_extension where extname = 'citus'")
  if (extension === undefined) return undefined
  const rows = await run(`select relname, partmethod, repmodel
    from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname not in (${markNames}) order by relname`)
  return rows.map((row) => ({ table: String(row['relname']), placement: toPlacement(row) }))
}

function toPlacement({ partmethod, repmodel }: Readonly<Record<string, unknown>>): Distribution['placement'] {
  if (partmethod === 'h') return 'by workspace'
  return partmethod === 'n' && repmodel === 't' ? 'on every node' : 'on the coordinator'
}

/** Tables of workspaces that are still on the coordinator only. */
export const leftOut = (distribution: readonly Distribution[]): string[] =>
  distribution.flatMap(({ table, placement }) =>
    placement === 'on the coordinator' && !(table in instanceTables) ? [table] : [],
  )

/** Distributes a migrated database, and reports the share that is done, from 0 to 1. */
export async function distribute(url: string, onProgress: (done: number) => void): Promise<Distribution[]> {
  const client = await connectWithoutLimits({ connectionString: url, application_name: 'service-server db distribute' })
  try {
    const run: RunStatement = async (text) => (await client.query(text)).rows
    const left = leftOut(await requireCitus(run))
    await requireNoServer(client)
    if (left.length > 0) {
      await inTransaction(client, () => dropForeignKeys(client))
      await distributeTables(client, left, onProgress)
    }
    if (await hasSavedKeys(run)) await inTransaction(client, () => restoreForeignKeys(client, withoutSetNull))
    onProgress(1)
    return await requireCitus(run)
  } finally {
    await client.end()
  }
}

async function requireCitus(run: RunStatement): Promise<Distribution[]> {
  const distribution = await listDistribution(run)
  if (distribution !== undefined) return distribution
  throw new OpenError('The database does not have the Citus extension. Run "create extension citus" in it first.')
}

async function distributeTables(client: Client, tables: readonly string[], onProgress: (done: number) => void) {
  for (const table of referenceTables)
    await client.query(
      `select create_reference_table($1) where not exists (
      select 1 from pg_dist_partition where logicalrelid = $1::regclass)`,
      [table],
    )
  const inOrder = [...tables].sort((one, other) => Number(other === firstTable) - Number(one === firstTable))
  for (const [index, table] of inOrder.entries()) {
    await client.query(distributeStatement(table))
    onProgress((index + 1) / (inOrder.length + 1))
  }
}

export const distributeStatement = (table: string): string =>
  `select create_distributed_table('${table}', 'workspace_id'${table === firstTable ? '' : `, colocate_with => '${firstTable}'`})`

/** Citus does not set a part of a key to null. Retention clears such columns before it deletes. */
const withoutSetNull = (definition: string) => definition.replace(/ ON DELETE SET NULL \(\w+\)/, '')
