import type { StoreName } from '../on-every-store.ts'
import type { Tables } from '../tables.ts'

const listTables = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  postgres: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  memory: '',
} as const satisfies Record<StoreName, string>

/** All rows of the database by table. Two results are equal if nothing was written in between. */
export async function everyRow(tables: Tables, store: StoreName): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const { name } of await tables.rows(listTables[store])) {
    const found = await tables.rows(`select * from ${String(name)}`)
    rows[String(name)] = found.map((row) => JSON.stringify(row)).toSorted()
  }
  return rows
}
