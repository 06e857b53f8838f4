import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { checkingFetch } from './checking-fetch.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage, type StoreName } from './on-every-store.ts'

/** The stores whose tables can be read from outside. */
export const onDisk = ['sqlite', 'postgres'] as const satisfies readonly StoreName[]

/** Direct access to the database of a server. */
export interface Tables {
  /** Runs one statement and returns its rows. */
  rows(statement: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** A server, and direct access to its tables over a separate connection. */
export async function startWithTables(
  store: StoreName,
  options: ServerOptions = {},
): Promise<{ server: Server; tables: Tables; place: ServerOptions }> {
  const place = await createStorage(store)
  const server = await createServer({ clock: manualClock(), ...place.options, ...options })
  const tables = await openTables(place.options)
  onTestFinished(async () => {
    await tables.close()
    await server.close()
    await place.remove()
  })
  return { server: { ...server, fetch: checkingFetch(server) }, tables, place: place.options }
}

/** Opens the database that a server with these options uses. */
export async function openTables({ data, databaseUrl }: ServerOptions): Promise<Tables> {
  if (databaseUrl !== undefined) return openPostgresTables(databaseUrl)
  if (data === undefined) throw new TypeError('A database in memory cannot be opened from outside.')
  return openSqliteTables(join(data, 'service.db'))
}

function openSqliteTables(path: string): Tables {
  const database = new SqliteDatabase(path, { timeout: 60_000 })
  return {
    async rows(statement) {
      const prepared = database.prepare<[], Record<string, unknown>>(statement)
      if (prepared.reader) return prepared.all()
      prepared.run()
      return []
    },
    close: async () => void database.close(),
  }
}

async function openPostgresTables(connectionString: string): Promise<Tables> {
  const int8 = 20
  const getTypeParser = ((oid: number, format?: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser // its overloads differ only in the result
  const client = new pg.Client({ connectionString, types: { getTypeParser } })
  await client.connect()
  return { rows: async (statement) => (await client.query(statement)).rows, close: () => client.end() }
}
