import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { ConfigOptions } from '../core/config.ts'
import { toShellWord } from '../core/shell-word.ts'
import { databaseFileName } from './directory-lock.ts'
import { explainDatabase } from './open-directory.ts'
import { OpenError } from './open-error.ts'
import { connectClient, defaultLimits } from './postgres-client.ts'
import { askUsable, codeOf, hostOf, requireUsable, withoutPassword } from './postgres-faults.ts'
import { requireRestored } from './restore-journal.ts'
import { explainRights } from './table-rights.ts'
import { requireFinished } from './unfinished.ts'

type DatabaseLocation = Pick<ConfigOptions, 'data' | 'databaseUrl' | 'databaseConnectTimeoutMs'>

/** Succeeds on any database that the platform has set up, in any version. */
const probe = 'select name, checksum from migrations limit 1'

/** Asked first, so that the log of PostgreSQL has no error. Other programs have a table of this name with other columns. */
const countColumns = `select count(*)::int as found from pg_attribute
  where attrelid = to_regclass('migrations') and attname in ('name', 'checksum') and not attisdropped`

/** Rejects a directory or database that the platform has not set up. Creates nothing. */
export async function requirePlatform({
  data,
  databaseUrl,
  databaseConnectTimeoutMs,
}: DatabaseLocation): Promise<void> {
  if (await hasPlatform({ data, databaseUrl, databaseConnectTimeoutMs })) return
  throw new OpenError(
    databaseUrl === undefined
      ? `There is no platform in ${data}. Create one with service-server start --data ${toShellWord(data ?? '.')}, or choose another directory with --data.`
      : `There is no platform in the database ${withoutPassword(databaseUrl)}. Create one with service-server start, or check the database URL.`,
  )
}

/** Whether the platform has set up the directory or database. */
export async function hasPlatform({ data, databaseUrl, databaseConnectTimeoutMs }: DatabaseLocation): Promise<boolean> {
  if (databaseUrl !== undefined) return isInPostgres(databaseUrl, databaseConnectTimeoutMs)
  return data !== undefined && answers(data, probe)
}

/** Whether a directory has a platform on SQLite with workspaces. */
export const hasWorkspaces = (data: string): Promise<boolean> => answers(data, 'select 1 from workspaces limit 1')

/**
 * Whether the SQLite file of a directory has a row for the query. Not opened read-only: SQLite leaves its log files
 * behind if the last connection cannot write.
 */
async function answers(data: string, query: string): Promise<boolean> {
  requireRestored(data)
  const path = join(data, databaseFileName)
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined || status.size === 0) return false
  try {
    // SQLite would also open a file that it cannot write, and give its log files the same mode.
    accessSync(path, constants.R_OK | constants.W_OK)
    const database = new SqliteDatabase(path, { fileMustExist: true })
    try {
      await requireFinished(async (sql) => database.prepare(sql).all() as Record<string, unknown>[], 'sqlite') // rows as objects
      return database.prepare(query).get() !== undefined
    } finally {
      database.close()
    }
  } catch (fault) {
    if (codeOf(fault) === 'SQLITE_ERROR') return false
    throw explainDatabase(fault, data)
  }
}

async function isInPostgres(url: string, connectMs = defaultLimits.connectMs): Promise<boolean> {
  const client = await connectClient({ connectionString: url, connectionTimeoutMillis: connectMs })
  const run = async (sql: string) => (await client.query(sql)).rows
  try {
    const { rows } = await client.query(askUsable)
    requireUsable(rows[0], hostOf(url))
    await requireFinished(run, 'postgres')
    const { rows: columns } = await client.query<{ found: number }>(countColumns)
    return columns[0]?.found === 2 && (await client.query(probe)).rows.length > 0
  } catch (fault) {
    throw await explainRights(fault, url, run)
  } finally {
    await client.end()
  }
}
