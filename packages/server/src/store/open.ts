import { join } from 'node:path'
import { formatInstant, type ServerClock } from '../core/clock.ts'
import type { Config, ConfigOptions } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { version } from '../core/version.ts'
import { syncSchedule } from './database-facts.ts'
import { databaseFileName } from './directory-lock.ts'
import { migrate, schemaStatus } from './migrate.ts'
import { explainDatabase, openDirectory } from './open-directory.ts'
import { openPostgres } from './postgres.ts'
import { requirePlatform } from './require-platform.ts'
import { openSqlite } from './sqlite.ts'
import type { RunStatement, Store } from './store.ts'
import { explainRights } from './table-rights.ts'
import { requireFinished } from './unfinished.ts'

/** A migrated, empty database. Further in-memory databases are copies of it and need no migration. */
let emptyInMemory: Buffer | undefined

interface OpenParts {
  readonly clock: ServerClock
  readonly log: Log
  readonly isEmbedded?: boolean | undefined
  /** Whether this command may open the database, before it is migrated. By default, no command may be unfinished. */
  readonly permit?: ((store: Store) => Promise<void>) | undefined
  /** Called before the migrations of a PostgreSQL database that is new or has no workspaces. */
  readonly onEmptyDatabase?: ((isNew: boolean) => Promise<void>) | undefined
}

/** Opens PostgreSQL if a URL is set, else SQLite in the data directory, else in memory, and migrates the schema. */
export async function openStore(
  config: Config,
  { clock, log, isEmbedded, permit = permitFinished, onEmptyDatabase }: OpenParts,
): Promise<Store> {
  if (isInMemory(config) && emptyInMemory !== undefined) {
    return openFromBytes(config, emptyInMemory, clock)
  }
  const store = await openDatabase(config, { clock, log, isEmbedded })
  try {
    await permit(store)
    // What a copy has written so far is in its source too.
    if (permit === permitFinished) await backUpBeforeMigrations(config, store, clock)
    if (onEmptyDatabase !== undefined) await reportIfEmpty(store, onEmptyDatabase)
    await migrate(store, clock)
    await syncSchedule(store, clock)
  } catch (fault) {
    const explained = await explainMigration(fault, config, store)
    await store.close()
    throw explained
  }
  if (isInMemory(config)) emptyInMemory = store.bytes?.()
  return store
}

async function explainMigration(fault: unknown, { data, databaseUrl }: Config, store: Store): Promise<unknown> {
  if (databaseUrl === undefined) return data === undefined ? fault : explainDatabase(fault, data)
  return explainRights(fault, databaseUrl, async (sql) => {
    let rows: Awaited<ReturnType<RunStatement>> = []
    await store.migrateWith(async (run) => {
      rows = await run(sql)
    })
    return rows
  })
}

/** A PostgreSQL database is new if it has no table of migrations, not even one of another program. */
async function reportIfEmpty(
  { dialect, migrateWith }: Store,
  onEmptyDatabase: NonNullable<OpenParts['onEmptyDatabase']>,
): Promise<void> {
  if (dialect === 'sqlite') return
  await migrateWith(async (run) => {
    const tables = await run(
      "select name from unnest(array['migrations', 'workspaces']) as name where to_regclass(name) is not null",
    )
    const hasTable = (wanted: string) => tables.some(({ name }) => name === wanted)
    const isNew = !hasTable('migrations')
    const isEmpty = hasTable('workspaces') && (await run('select 1 from workspaces limit 1')).length === 0
    if (isNew || isEmpty) await onEmptyDatabase(isNew)
  })
}

const permitFinished = ({ dialect, migrateWith }: Store) => migrateWith((run) => requireFinished(run, dialect))

/** Opens an existing platform database, also while a server runs on it. Creates nothing. */
export async function openExistingStore(config: Config, { clock, log }: OpenParts): Promise<Store> {
  await requirePlatform(config)
  const { data, databaseUrl, synchronous } = config
  if (databaseUrl !== undefined || data === undefined) return openDatabase(config, { clock, log })
  return openSqlite({ path: join(data, databaseFileName), synchronous, log, stopwatchMs: () => clock.elapsedMs() })
}

/** Backs up a SQLite file that holds data before its tables change. PostgreSQL backups are the operator's task. */
async function backUpBeforeMigrations(
  { data, databaseUrl, backupDirectory }: Config,
  store: Store,
  clock: ServerClock,
) {
  if (data === undefined || databaseUrl !== undefined) return
  const { applied, pending } = await schemaStatus(store)
  if (applied.length === 0 || pending.length === 0) return
  const [{ backUp }, { backupName }] = await Promise.all([
    import('./backup/backup.ts'),
    import('./backup/backup-directory.ts'),
  ])
  const now = clock.now()
  const path = join(backupDirectory ?? join(data, 'backups'), backupName('migration', now))
  await backUp({ data }, { path, reason: 'migration', version, createdAt: formatInstant(now) })
}

/** Opens a complete database in memory from `Store.bytes`. SQLite makes its own copy. */
export const openFromBytes = (
  { synchronous }: Pick<Config, 'synchronous'>,
  bytes: Uint8Array,
  clock: ServerClock,
): Store =>
  openSqlite({
    path: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    synchronous,
    stopwatchMs: () => clock.elapsedMs(),
  })

export const isInMemory = ({ data, databaseUrl }: Pick<ConfigOptions, 'data' | 'databaseUrl'>) =>
  data === undefined && databaseUrl === undefined

async function openDatabase(
  config: Config,
  { clock, log, isEmbedded }: Pick<OpenParts, 'clock' | 'log' | 'isEmbedded'>,
): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    return openPostgres({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      poolSize: config.databasePool,
      namedStatements: config.namedStatements,
      limits: {
        connectMs: config.databaseConnectTimeoutMs,
        waitMs: config.databaseWaitTimeoutMs,
        lockMs: config.databaseLockTimeoutMs,
        statementMs: config.databaseStatementTimeoutMs,
      },
      log,
    })
  }
  const { data, synchronous } = config
  const options = { synchronous, log, isEmbedded, stopwatchMs: () => clock.elapsedMs() }
  return data === undefined ? openSqlite({ ...options, path: ':memory:' }) : openDirectory(data, options)
}
