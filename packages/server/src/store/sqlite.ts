import SqliteDatabase from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { stopwatchMs } from '../core/clock.ts'
import { type ApiError, unavailable } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { oncePerTurn } from '../core/next-turn.ts'
import { type Checkpoints, createCheckpoints, pagesUntilWriterCheckpoints, walSizeLimitBytes } from './checkpoints.ts'
import type { Database } from './database.ts'
import { type GroupCommit, type GroupCommitOptions, groupCommit, type WriterConnection } from './group-commit.ts'
import { healthy } from './health.ts'
import { readOnly, routedDialect } from './routed-dialect.ts'
import { type SqliteHealth, sqliteHealth } from './sqlite-health.ts'
import type { RunStatement, Store } from './store.ts'
import {
  afterCommit,
  announceCommit,
  currentTransaction,
  joinTransaction,
  newTransaction,
  noteRows,
  noteWorkspaces,
  observeTransactions,
  runInTransaction,
} from './transaction.ts'

type Connection = SqliteDatabase.Database

export interface SqliteOptions extends Pick<GroupCommitOptions, 'stopwatchMs'> {
  /** A file path, `:memory:`, or the bytes of a database to open in memory. */
  readonly path: string | Buffer
  /** `full` survives a power failure; `normal` survives only a crash of the process. */
  readonly synchronous: 'full' | 'normal'
  /**
   * Whether an embedder's code runs in this process (default: true). It may read the asynchronous context of a write,
   * and may change the file directly between two requests of one event-loop turn.
   */
  readonly isEmbedded?: boolean | undefined
  readonly closed?: () => void
  /** Logs when the database stops accepting writes and when it recovers. */
  readonly log?: Pick<Log, 'error' | 'info' | 'warn'> | undefined
}

/** Opens SQLite with one writer and, for a file, one read-only connection. */
export function openSqlite(options: SqliteOptions): Store {
  const writer = openWriter(options)
  const { path, log, stopwatchMs, isEmbedded = true } = options
  const inMemory = typeof path !== 'string' || path === ':memory:'
  const reader = inMemory ? writer : openReader(path)
  const statements = statementCache(writer)
  const writing = sqliteConnection(writer)
  const checkpoints = inMemory ? undefined : createCheckpoints(writer, path)
  const group = groupCommit(writerConnection(writer, options.synchronous, checkpoints), {
    keepsContext: isEmbedded,
    ...(stopwatchMs === undefined ? {} : { stopwatchMs }),
  })
  const health = inMemory ? undefined : sqliteHealth({ path, reader, group, writing, log })
  const serialized = serializedOnce(writer, statements)
  const reading = readOnly(inMemory ? whenIdle(writing, group) : refusing(sqliteConnection(reader), health))
  const store: Store = {
    dialect: 'sqlite',
    db: queryBuilder(() => currentTransaction(store)?.connection ?? reading),
    transaction: async (work, { durability = 'now', workspaceId } = {}) => {
      if (joinTransaction(store, workspaceId)) return work()
      const transaction = newTransaction(store, writing, workspaceId)
      const result = await reportTo(
        health,
        group.submit(() => runInTransaction(transaction, work), { durability, workspaceId }),
      )
      announceCommit(transaction)
      return result
    },
    isInTransaction: () => currentTransaction(store) !== undefined,
    afterCommit: (act) => afterCommit(store, act),
    noteWorkspaces: (ids) => noteWorkspaces(store, ids),
    observeTransactions: (begin) => observeTransactions(store, begin),
    runForEach(sql, parameters) {
      const transaction = currentTransaction(store)
      if (transaction === undefined)
        throw new TypeError('Run row statements in a transaction: use inTransaction(app, work).')
      const statement = statements(sql)
      const changed = parameters.reduce((sum, each) => sum + statement.run(each).changes, 0)
      for (const observer of transaction.observers) observer.statementRan(sql, changed, [])
      return changed
    },
    migrateWith: (apply) => group.submit(() => apply(statementRunner(writing))),
    ...(inMemory
      ? { bytes: serialized.bytes }
      : { foreignChanges: isEmbedded ? changeCounter(statements) : oncePerTurn(changeCounter(statements)) }),
    drained: group.drained,
    health: health === undefined ? async () => healthy : health.check,
    close: async () => {
      await group.drained()
      await checkpoints?.close()
      for (const connection of new Set([reader, writer])) connection.close()
      serialized.forget()
      options.closed?.()
    },
  }
  return store
}

/** SQLite's count of commits made by other connections. */
const changeCounter = (statements: ReturnType<typeof statementCache>) => () =>
  Number(statements('pragma data_version').pluck().get())

const queryBuilder = (connectionForCaller: () => DatabaseConnection) =>
  new Kysely<Database>({ dialect: routedDialect(sqliteParts, connectionForCaller) })

/** Callers get the public form of a disk failure; the health check gets the original. */
async function reportTo<Result>(health: SqliteHealth | undefined, writing: Promise<Result>): Promise<Result> {
  try {
    const result = await writing
    health?.succeeded()
    return result
  } catch (fault) {
    health?.noteDamage(fault)
    const refusal = toRefusal(fault)
    if (refusal === undefined) throw fault
    health?.failed(fault)
    throw refusal
  }
}

/** Serialized once per change, so a hundred forks of one template share the bytes. */
function serializedOnce(database: Connection, statements: ReturnType<typeof statementCache>) {
  let known: { readonly bytes: Buffer; readonly changes: unknown } | undefined
  return {
    bytes(): Buffer {
      const changes = statements('select total_changes() as changes').pluck().get()
      if (known === undefined || known.changes !== changes) known = { bytes: database.serialize(), changes }
      return known.bytes
    },
    /** Test runners may keep a closed server, and with it this store, until the end of the run. */
    forget() {
      known = undefined
    },
  }
}

/** Statement journals and sorters in memory. Read-only containers often have no writable directory for temporary files. */
const withoutTemporaryFiles = 'temp_store = memory'

/** SQLite's own `lower` changes only ASCII letters. */
const addFunctions = (database: Connection) =>
  database.function('lower_case', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )

function openReader(path: string): Connection {
  const reader = addFunctions(new SqliteDatabase(path, { readonly: true }))
  reader.pragma(withoutTemporaryFiles)
  return reader
}

function openWriter({ path, synchronous }: SqliteOptions): Connection {
  const writer = addFunctions(new SqliteDatabase(path))
  try {
    writer.pragma('journal_mode = wal')
    // In WAL mode better-sqlite3 defaults to NORMAL, which can lose acknowledged commits in a power failure.
    writer.pragma(`synchronous = ${synchronous}`)
    writer.pragma('foreign_keys = on')
    writer.pragma(withoutTemporaryFiles)
    writer.pragma('busy_timeout = 5000')
    writer.pragma(`wal_autocheckpoint = ${pagesUntilWriterCheckpoints}`)
    writer.pragma(`journal_size_limit = ${walSizeLimitBytes}`)
    return writer
  } catch (fault) {
    writer.close()
    throw fault
  }
}

const statementRunner =
  (writing: DatabaseConnection): RunStatement =>
  async (sql, parameters = []) =>
    (await writing.executeQuery<Record<string, unknown>>(raw(sql, parameters))).rows

const raw = (sql: string, parameters: readonly unknown[]) => ({ sql, parameters }) as CompiledQuery // all that the connection reads

function writerConnection(
  database: Connection,
  synchronous: SqliteOptions['synchronous'],
  checkpoints: Checkpoints | undefined,
): WriterConnection {
  const statements = statementCache(database)
  let currentLevel = synchronous
  return {
    get inTransaction() {
      return database.inTransaction
    },
    run(sql) {
      const startedAt = stopwatchMs()
      statements(sql).run()
      if (sql === 'commit') checkpoints?.committed(stopwatchMs() - startedAt)
    },
    prepareFor(durability) {
      // With NORMAL, a process exit loses nothing, and a later commit with FULL syncs all earlier ones.
      const level = durability === 'soon' ? 'normal' : synchronous
      if (level === currentLevel) return
      currentLevel = level
      database.pragma(`synchronous = ${level}`)
    },
  }
}

function sqliteConnection(database: Connection): DatabaseConnection {
  const statements = statementCache(database)
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const statement = statements(sql)
      if (statement.reader) {
        const rows = statement.all(parameters) as Row[] // Kysely knows the type of the query
        if (!statement.readonly) noteRows(sql, rows.length, parameters)
        return { rows }
      }
      const { changes, lastInsertRowid } = statement.run(parameters)
      noteRows(sql, changes, parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    streamQuery: () => {
      throw new TypeError('Streaming is not supported with SQLite. Read pages with a limit.')
    },
  }
}

/** Maps a temporarily unreadable disk to 503 too. */
const refusing = (connection: DatabaseConnection, health: SqliteHealth | undefined): DatabaseConnection => ({
  ...connection,
  executeQuery: <Row>(query: CompiledQuery) =>
    connection.executeQuery<Row>(query).catch((fault: unknown) => {
      health?.noteDamage(fault)
      throw toRefusal(fault) ?? fault
    }),
})

/** An in-memory database has one connection. Readers wait until no transaction is open, so they see only commits. */
function whenIdle(connection: DatabaseConnection, group: GroupCommit): DatabaseConnection {
  return {
    ...connection,
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      await group.idle()
      return connection.executeQuery<Row>(query)
    },
  }
}

/** Preparing a statement costs as much as running it. A full cache evicts the oldest statement. */
function statementCache(database: Connection, capacity = 500): (sql: string) => SqliteDatabase.Statement {
  const statements = new Map<string, SqliteDatabase.Statement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const [oldest] = statements.keys()
    if (oldest !== undefined && statements.size >= capacity) statements.delete(oldest)
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

const sqliteParts = {
  createAdapter: () => new ManyReadersAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => new PlanKeepingCompiler(),
}

/** Stock Kysely serializes access to SQLite's one connection with a lock; our driver picks the connection itself. */
class ManyReadersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Writes each parameter as `+?`. SQLite as built by better-sqlite3 (with STAT4) plans a join again whenever a bare
 * parameter is rebound, which costs half as much as running it. A no-op expression prevents that.
 */
class PlanKeepingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

// SQLite failures that pass once there is space or the disk is back. They are answered with 503, so that callers retry.
// A malformed database does not recover and stays a 500.

const messages: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^SQLITE_FULL/, 'The database has no space left at the moment. Try again shortly.'],
  [/^SQLITE_READONLY/, 'The database is read-only at the moment. Try again shortly.'],
  [/^SQLITE_IOERR_GETTEMPPATH/, 'The database has no writable directory for temporary files. Try again later.'],
  [/^SQLITE_IOERR_NOMEM/, 'The database has not enough memory at the moment. Try again shortly.'],
  [/^SQLITE_CANTOPEN/, 'A file of the database cannot be opened at the moment. Try again shortly.'],
  [/^SQLITE_(?:IOERR|PROTOCOL)/, 'The disk of the database is failing at the moment. Try again shortly.'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'Another program has locked the database. Try again shortly.'],
]

/** The 503 response to a temporary failure; undefined if a retry cannot help. */
function toRefusal(fault: unknown): ApiError | undefined {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  const found = messages.find(([codes]) => codes.test(code))
  return found === undefined ? undefined : Object.assign(unavailable(found[1], 2), { cause: fault })
}
