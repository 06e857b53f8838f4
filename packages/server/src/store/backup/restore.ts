import { createWriteStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import SqliteDatabase from 'better-sqlite3'
import type { Client } from 'pg'
import type { Clock } from '../../core/clock.ts'
import { copyIn } from '../copy-in.ts'
import { type DirectoryLock, databaseFileName, describeServer, lockDirectory, readOwner } from '../directory-lock.ts'
import { giveToOwner } from '../directory-owner.ts'
import { migrate, migrations } from '../migrate.ts'
import { namesOfLastRelease } from '../migrations/upgrade-from-last-release.ts'
import { explainOpening, OpenError } from '../open-error.ts'
import { openPostgres } from '../postgres.ts'
import { connectWithoutLimits, inTransaction } from '../postgres-client.ts'
import { askUsable, hostOf, requireUsable } from '../postgres-faults.ts'
import { createPrivateDirectory } from '../private-directory.ts'
import { beginRestore, incomingDatabase, keptName, replaceDatabase, undoRestore } from '../restore-journal.ts'
import { requireSameDatabase } from '../same-database.ts'
import type { RunStatement } from '../store.ts'
import { beginFilling, findUnfinished, lockForFilling } from '../unfinished.ts'
import type { BackupSource } from './backup.ts'
import { type BackupManifest, readBackup, readManifest, verifyBackup } from './backup-file.ts'
import { quoted, readDump, type TableHead } from './postgres-backup.ts'
import { inspectSqlite } from './sqlite-backup.ts'

export interface RestoreOptions extends BackupSource {
  readonly path: string
  /** Fingerprints of the keys that the restored platform will have. */
  readonly keyFingerprints: readonly string[]
  readonly keyLocation: string
  readonly clock: Clock
  /** How long to wait for a server on the directory to stop. */
  readonly waitMs: number
  /** Called with a message when waiting starts. */
  onWait(sentence: string): void
  /** A directory that leads to the PostgreSQL database afterwards. A server that uses it would go on with another one. */
  readonly redirected?: string | undefined
  /** The command that completes an interrupted restore into PostgreSQL. */
  readonly command?: string
  /** Called when nothing can refuse a restore into PostgreSQL anymore, just before it is marked as unfinished. */
  onBegin?(): void
}

/** What was restored, and where the previous database was moved. */
export interface Restored {
  readonly manifest: BackupManifest
  readonly aside: string | null
}

/** Replaces the database with a backup. Changes nothing unless the whole backup is valid. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(options.path)
  requireKnownSchema(manifest)
  requireKey(manifest, options)
  const wanted = options.databaseUrl === undefined ? 'sqlite' : 'postgres'
  if (manifest.dialect !== wanted) {
    throw new OpenError(
      `${options.path} is a backup of ${manifest.dialect}, and the database is ${wanted}. Restore it there, and use "service-server db copy" to switch.`,
    )
  }
  const { databaseUrl, databaseDirectUrl = databaseUrl } = options
  if (databaseDirectUrl !== undefined) {
    await requireSameDatabase(databaseUrl, databaseDirectUrl)
    await restorePostgres(databaseDirectUrl, { ...options, manifest })
    return { manifest, aside: null }
  }
  return { manifest, aside: await restoreSqlite(options, manifest) }
}

function requireKnownSchema({ schema, version, dialect }: BackupManifest): void {
  // A SQLite backup is a database, which the next start upgrades. A PostgreSQL backup is rows for tables created here.
  const known = new Set([...migrations.map(({ name }) => name), ...(dialect === 'sqlite' ? namesOfLastRelease : [])])
  const unknown = schema.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new OpenError(
    `The backup has a schema that this version does not know (${unknown.join(', ')}). Restore it with version ${version}, which created it.`,
  )
}

function requireKey({ key_fingerprint }: BackupManifest, { keyFingerprints, keyLocation }: RestoreOptions): void {
  if (key_fingerprint === null || keyFingerprints.includes(key_fingerprint)) return
  const state =
    keyFingerprints[0] === undefined
      ? `${keyLocation} is missing`
      : `the one in ${keyLocation} has ${keyFingerprints[0]}`
  throw new OpenError(
    `The secrets in the backup are encrypted with the key whose fingerprint is ${key_fingerprint}, and ${state}. Put that key there first.`,
  )
}

/** Returns the new path of the old database; null if there was none. */
async function restoreSqlite(options: RestoreOptions, manifest: BackupManifest): Promise<string | null> {
  const { data, path, clock } = options
  if (data === undefined) throw new OpenError('Pass --data to choose the data directory to restore into.')
  const lock = lockForRestore(data, options)
  try {
    undoRestore(data)
    const database = join(data, databaseFileName)
    const plan = { backup: path, aside: existsSync(database) ? keptName(new Date(clock.now() / 1000)) : null }
    beginRestore(data, plan)
    try {
      const incoming = incomingDatabase(data)
      await decompress(path, incoming)
      requireSameRows(manifest, inspectSqlite(incoming))
      if (plan.aside !== null) settle(database)
      replaceDatabase(data, plan)
    } catch (fault) {
      undoRestore(data)
      throw fault
    }
    return plan.aside === null ? null : join(data, plan.aside)
  } catch (fault) {
    throw explainOpening(fault, data)
  } finally {
    lock.release()
  }
}

/** Gives up an interrupted restore and keeps the previous database. Returns whether there was one. */
export function undoInterruptedRestore(options: Pick<RestoreOptions, 'waitMs' | 'onWait'> & { readonly data: string }) {
  const lock = lockForRestore(options.data, options)
  try {
    return undoRestore(options.data)
  } finally {
    lock.release()
  }
}

function lockForRestore(data: string, options: LockOptions): DirectoryLock {
  try {
    createPrivateDirectory(data)
    return lockDirectory(data) ?? waitForLock(data, options)
  } catch (fault) {
    throw explainOpening(fault, data)
  }
}

/** Writes the newest changes from the WAL into the file. A damaged database keeps its WAL. */
function settle(database: string): void {
  try {
    const connection = new SqliteDatabase(database)
    try {
      connection.pragma('wal_checkpoint(truncate)')
    } finally {
      connection.close()
    }
  } catch {
    // It is kept as it is.
  }
}

type LockOptions = Pick<RestoreOptions, 'waitMs' | 'onWait' | 'redirected'>

/** A server that is shutting down finishes its requests first. */
function waitForLock(data: string, { waitMs, onWait, redirected }: LockOptions): DirectoryLock {
  const running = describeServer(readOwner(data))
  onWait(`The data directory ${data} is in use by ${running}. Waiting up to ${waitMs / 1000} s for it to stop.`)
  const lock = lockDirectory(data, waitMs)
  if (lock !== undefined) return lock
  const remedy = redirected === undefined ? '' : ', or pass another directory with --data'
  throw new OpenError(`The data directory ${data} is in use by ${running}. Stop it before you restore${remedy}.`)
}

async function decompress(path: string, to: string): Promise<void> {
  await pipeline(Readable.from(readBackup(path)), createWriteStream(to, { mode: 0o600 }))
  const file = await open(to, 'r+')
  await file.sync()
  await file.close()
  giveToOwner(to)
}

function requireSameRows({ rows }: BackupManifest, found: Pick<BackupManifest, 'rows'>): void {
  const wrong = Object.keys(rows).filter((table) => rows[table] !== found.rows[table])
  if (wrong.length > 0)
    throw new OpenError(`The backup does not match the row counts in its manifest: ${wrong.join(', ')}.`)
}

interface PostgresRestore
  extends Pick<RestoreOptions, 'path' | 'clock' | 'command' | 'redirected' | 'waitMs' | 'onWait' | 'onBegin'> {
  readonly manifest: BackupManifest
}

/** Restores into an empty database, in one transaction. The old database is unchanged. */
async function restorePostgres(databaseUrl: string, { manifest, ...options }: PostgresRestore): Promise<void> {
  const { path, clock, command, redirected } = options
  await verifyBackup(path)
  const client = await connectWithoutLimits({
    connectionString: databaseUrl,
    application_name: 'service-server restore',
  })
  const run: RunStatement = async (text) => (await client.query(text)).rows
  let lock: DirectoryLock | undefined
  try {
    const [row] = await run(askUsable)
    requireUsable(row, hostOf(databaseUrl))
    await lockForFilling(run)
    await inTransaction(client, async () => {
      if ((await findUnfinished(run, 'postgres'))?.command !== 'restore') await requireEmpty(client)
      await beginFilling(run, 'postgres', { command: 'restore', source: path, completion: command })
      if (redirected !== undefined) lock = lockForRestore(redirected, options)
      options.onBegin?.()
    })
    await createTables(databaseUrl, manifest, clock)
    await client.query('begin')
    for await (const table of readDump(path)) await copyRows(client, table)
    await requireCounts(client, manifest)
    await client.query('drop table restore_progress')
    await client.query('commit')
  } finally {
    lock?.release()
    await client.end()
  }
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' limit 1`,
  )
  if (rows.length === 0) return
  throw new OpenError(
    'The database is not empty. Restore into a new one (createdb), start the platform on that, and keep the old one until you are sure.',
  )
}

async function createTables(url: string, { schema }: BackupManifest, clock: Clock): Promise<void> {
  const store = await openPostgres({ url, poolSize: 2, namedStatements: false })
  try {
    const names = new Set(schema)
    await migrate(
      store,
      clock,
      migrations.filter(({ name }) => names.has(name)),
    )
  } finally {
    await store.close()
  }
}

async function copyRows(
  client: Client,
  { table, columns, next_id, rows }: TableHead & { rows: AsyncIterable<Buffer> },
) {
  // A migration may have inserted a row, and the triggers of the audit log would prevent its deletion.
  await client.query(`alter table "${table}" disable trigger user`)
  await client.query(`delete from "${table}"`)
  await copyIn(client, `copy "${table}" (${quoted(columns)}) from stdin`, Readable.from(rows))
  await client.query(`alter table "${table}" enable trigger user`)
  if (next_id !== null)
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [`"${table}"`, next_id])
}

async function requireCounts(client: Client, { rows }: BackupManifest): Promise<void> {
  for (const [table, expected] of Object.entries(rows)) {
    const counted = await client.query<{ count: string }>(`select count(*) from "${table}"`)
    if (Number(counted.rows[0]?.count) !== expected)
      throw new OpenError(`The backup does not match its manifest: expected ${expected} rows of ${table}.`)
  }
}
