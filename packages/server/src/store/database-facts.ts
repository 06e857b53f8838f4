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

/** Tables by size, the largest first. Counting a large table would take seconds, so its rows are estimated. */
export async function listTables(store: Store): Promise<StoredTable[]> {
  const tables = await (store.dialect === 'postgres' ? postgresTables(store) : sqliteTables(store))
  return tables.toSorted((one, other) => other.size_bytes - one.size_bytes || one.table.localeCompare(other.table))
}

/** Tables with more rows are estimated. */
const maxCounted = 10_000

async function countRows({ db }: Store, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows
    from (select 1 from ${sql.table(table)} limit ${sql.lit(maxCounted)}) as counted
    ${acrossWorkspaces('figures')}`.execute(db)
  return Number(rows[0]?.rows ?? 0)
}

/** The sizes are exact. A vacuum updates the estimate of the rows. */
async function postgresTables(store: Store): Promise<StoredTable[]> {
  const { rows } = await sql<StoredTable>`select relname as "table", reltuples as rows,
      pg_total_relation_size(oid) as size_bytes
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(store.db)
  const tables: StoredTable[] = []
  for (const { table, rows: estimated, size_bytes } of rows) {
    const counted = Number(estimated) > maxCounted ? Number(estimated) : await countRows(store, table)
    tables.push({ table, rows: counted, size_bytes: Number(size_bytes) })
  }
  return tables
}

/** The size of the file is divided by the number of rows and the average length of the newest ones. */
async function sqliteTables(store: Store): Promise<StoredTable[]> {
  const { rows } = await sql<{ table: string; indexes: number; columns: string }>`select name as "table",
      (select count(*) from pragma_index_list(tables.name)) as indexes,
      (select json_group_array(name) from pragma_table_info(tables.name)) as columns
    from pragma_table_list as tables
    where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite%' and name <> 'ticket_search_terms'
      and name not like '%~_words' escape '~'`.execute(store.db)
  const weighed: (StoredTable & { readonly weight: number })[] = []
  for (const { table, indexes, columns } of rows) {
    const counted = await estimateRows(store, table)
    const length = table === 'ticket_search' ? bytesOfSearch : await averageLength(store, table, JSON.parse(columns))
    weighed.push({
      table,
      rows: counted,
      size_bytes: 0,
      weight: counted * (length + indexes * bytesOfIndexEntry) + emptyBytes,
    })
  }
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const size = await databaseBytes(store)
  return weighed.map(({ weight, ...table }) => ({ ...table, size_bytes: Math.round((size * weight) / total) }))
}

// Approximate, measured with two million tickets.
const bytesOfIndexEntry = 20
const bytesOfSearch = 90
const emptyBytes = 4096

/** The last id minus the first one, if there are many. */
async function estimateRows(store: Store, table: string): Promise<number> {
  const counted = await countRows(store, table)
  if (counted < maxCounted) return counted
  const { rows } = await sql<{
    rows: number
  }>`select (select rowid from ${sql.table(table)} order by rowid desc limit 1)
    - (select rowid from ${sql.table(table)} order by rowid limit 1) + 1 as rows
    ${acrossWorkspaces('figures')}`.execute(store.db)
  return rows[0]?.rows ?? 0
}

async function averageLength({ db }: Store, table: string, columns: readonly string[]): Promise<number> {
  const lengths = columns.map((column) => sql`coalesce(length(cast(${sql.ref(column)} as blob)), 0)`)
  const { rows } = await sql<{ bytes: number | null }>`select avg(bytes) as bytes from (
      select ${sql.join(lengths, sql` + `)} as bytes from ${sql.table(table)} order by rowid desc limit 50
    ) as newest ${acrossWorkspaces('figures')}`.execute(db)
  return rows[0]?.bytes ?? 0
}

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
