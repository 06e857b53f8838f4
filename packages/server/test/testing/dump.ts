import Database from 'better-sqlite3'
import type { TestServer } from '../../src/testing/entries/testing.ts'

/** The state of a server: the rows of all tables, the id counters, the clock, and the number of random draws. */
export interface Dump {
  readonly head: unknown
  readonly tables: Readonly<Record<string, readonly unknown[]>>
}

export async function dump(server: TestServer): Promise<Dump> {
  const bytes = Buffer.from(await server.snapshot())
  const end = bytes.indexOf('\n')
  const database = new Database(bytes.subarray(end + 1))
  try {
    const names = database.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()
    // The migration time is not state: an empty database is created once per process.
    const tables = names.map(String).filter((name) => name !== 'migrations')
    return {
      head: JSON.parse(bytes.subarray(0, end).toString()),
      tables: Object.fromEntries(tables.map((name) => [name, rowsOf(database, name)])),
    }
  } finally {
    database.close()
  }
}

const rowsOf = (database: Database.Database, table: string) =>
  database
    .prepare(`select * from "${table}"`)
    .all()
    .map((row) => JSON.stringify(row))
    .toSorted()
