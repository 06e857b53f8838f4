import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

/** A migrated and empty database, so that the second one in memory costs a copy and no migration. */
let emptyInMemory: Buffer | undefined

/** PostgreSQL when a URL is given, else SQLite in the data directory, else SQLite in memory; with the newest schema. */
export async function openStore(config: Config, clock: Clock): Promise<Store> {
  if (isInMemory(config) && emptyInMemory !== undefined) {
    return openFromBytes(config, emptyInMemory)
  }
  const store = await openDatabase(config)
  try {
    await migrate(store, clock)
  } catch (fault) {
    await store.close()
    throw fault
  }
  if (isInMemory(config)) emptyInMemory = store.bytes?.()
  return store
}

/** What a server in memory begins with. */
export function emptyDatabase(): Uint8Array {
  if (emptyInMemory === undefined) throw new TypeError('No database was opened in memory yet.')
  return emptyInMemory
}

/** Goes on in memory from a whole database, as `Store.bytes` gives it; SQLite makes its own copy. */
export const openFromBytes = ({ synchronous }: Pick<Config, 'synchronous'>, bytes: Uint8Array): Store =>
  openSqlite({ path: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), synchronous })

export const isInMemory = ({ data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>) =>
  data === undefined && databaseUrl === undefined

async function openDatabase(config: Config): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    return openPostgres({
      url: config.databaseUrl,
      poolSize: config.databasePool,
      namedStatements: config.namedStatements,
    })
  }
  return openSqlite({ path: databasePath(config), synchronous: config.synchronous })
}

function databasePath({ data }: Config): string {
  if (data === undefined) return ':memory:'
  // The directory holds tokens' hashes and people's data: nobody but its owner needs to look in.
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const path = join(data, 'service.db')
  closeSync(openSync(path, 'a', 0o600))
  return path
}
