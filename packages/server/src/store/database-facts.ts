import { sql } from 'kysely'
import type { ServerClock } from '../core/clock.ts'
import type { Store } from './store.ts'
import { acrossWorkspaces } from './workspace-keys.ts'

export interface StoredTable {
  readonly table: string
  readonly rows: number
  readonly size_bytes: number
}

export async function databaseBytes({ dialect, db }: Store): Promise<number> {
  const query =
    dialect === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  const { rows } = await query.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

export async function listTables({ dialect, db }: Store): Promise<StoredTable[]> {
  const { rows } = await (dialect === 'postgres' ? postgresTables : sqliteTables).execute(db)
  const tables: StoredTable[] = []
  for (const { table, size_bytes } of rows) {
    const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}
      ${acrossWorkspaces('figures')}`.execute(db)
    tables.push({ table, rows: Number(counted.rows[0]?.rows ?? 0), size_bytes: Number(size_bytes) })
  }
  return tables
}

interface SizeRow {
  readonly table: string
  readonly size_bytes: number
}

const postgresTables = sql<SizeRow>`select relname as "table", pg_total_relation_size(oid) as size_bytes
  from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 2 desc, 1`

const sqliteTables = sql<SizeRow>`select tbl_name as "table", sum(pages.bytes) as size_bytes
  from sqlite_schema join (select name, sum(pgsize) as bytes from dbstat group by name) as pages using (name)
  where tbl_name not like 'sqlite%' group by tbl_name order by 2 desc, 1`

/** PostgreSQL: the current time of the database. `now()` would return the start of the transaction. */
export const databaseMicros = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`

/** Sets the schedule by a shared database's clock, so that due times mean the same to all processes. */
export async function syncSchedule({ dialect, db }: Store, clock: ServerClock): Promise<void> {
  if (dialect === 'sqlite' || clock.syncSchedule === undefined) return
  const sentAtMs = clock.elapsedMs()
  const { rows } = await sql<{ clock: number }>`select ${databaseMicros} as clock`.execute(db)
  const receivedAtMs = clock.elapsedMs()
  for (const { clock: at } of rows) clock.syncSchedule({ databaseTime: at, sentAtMs, receivedAtMs })
}

/** How far the database's clock is ahead of this machine's; 0 for SQLite. */
export async function clockDifferenceMs({ dialect, db }: Store, clock: Pick<ServerClock, 'now'>): Promise<number> {
  if (dialect === 'sqlite') return 0
  const { rows } = await sql<{ clock: number }>`select ${databaseMicros} as clock`.execute(db)
  return Number(rows[0]?.clock ?? 0) / 1000 - clock.now() / 1000
}
