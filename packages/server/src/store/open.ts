import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

/** PostgreSQL when a URL is given, else SQLite in the data directory, else SQLite in memory. */
export async function openStore(config: Config): Promise<Store> {
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
