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
import { type Checkpoints, createCheckpoints, pagesUntilWriterHelps } from './checkpoints.ts'
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
  /** A file path, `:memory:`, or the bytes of a database to go on from in memory. */
  readonly path: string | Buffer
  /** `full` survives a power cut, `normal` only a crash of the process. */
  readonly synchronous: 'full' | 'normal'
  /**
   * Whether an embedder's code runs in this process; the default. It may look at the asynchronous context of a write, and
   * may change the file by itself between two requests of one turn of the event loop.
   */
  readonly isEmbedded?: boolean | undefined
  readonly closed?: () => void
  /** Told when the database cannot be written any more, and when it can again. */
  readonly log?: Pick<Log, 'error' | 'info'> | undefined
}

/** Opens SQLite with one writer and, for a file, one read-only connection beside it. */
export function openSqlite(options: SqliteOptions): Store {
  const writer = openWriter(options)
  const { path, log, stopwatchMs, isEmbedded = true } = options
  const inMemory = typeof path !== 'string' || path === ':memory:'
  const reader = inMemory ? writer : new SqliteDatabase(path, { readonly: true })
  const statements = statementCache(writer)
  const writing = sqliteConnection(writer)
  const checkpoints = inMemory ? undefined : createCheckpoints(writer, path)
  const group = groupCommit(writerConnection(writer, options.synchronous, checkpoints), {
    keepsContext: isEmbedded,
    ...(stopwatchMs === undefined ? {} : { stopwatchMs }),
  })
  const foreignChanges = foreignChangesOf(statements)
  const health = inMemory ? undefined : sqliteHealth({ path, reader, group, writing, log })
  const reading = readOnly(inMemory ? idleConnection(writing, group) : passing(sqliteConnection(reader), health))
  const store: Store = {
    dialect: 'sqlite',
    db: queryBuilder(() => currentTransaction(store)?.connection ?? reading),
    transaction: async (work, { durability = 'now', workspaceId } = {}) => {
      if (joinTransaction(store, workspaceId)) return work()
      const transaction = newTransaction(store, writing, workspaceId)
      const result = await telling(
        health,
        group.submit(() => runInTransaction(transaction, work), { durability }),
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
      if (transaction === undefined) throw new TypeError('Statements for rows belong in a transaction.')
      const statement = statements(sql)
      const changed = parameters.reduce((sum, each) => sum + statement.run(each).changes, 0)
      for (const observer of transaction.observers) observer.statementRan(sql, changed)
      return changed
    },
    migrateWith: (apply) => group.submit(() => apply(statementRunner(writing))),
    ...(inMemory
      ? { bytes: bytesOf(writer, statements) }
      : { foreignChanges: isEmbedded ? foreignChanges : oncePerTurn(foreignChanges) }),
    drained: group.drained,
    health: health === undefined ? async () => healthy : health.look,
    close: async () => {
      await group.drained()
      await checkpoints?.close()
      if (reader !== writer) reader.close()
      writer.close()
      options.closed?.()
    },
  }
  return store
}

/** The count that SQLite keeps of commits that this connection has not made itself. */
const foreignChangesOf = (statements: ReturnType<typeof statementCache>) => () =>
  Number(statements('pragma data_version').pluck().get())

const queryBuilder = (connectionForCaller: () => DatabaseConnection) =>
  new Kysely<Database>({ dialect: routedDialect(sqliteParts, connectionForCaller) })

/** Callers get what they may be told of a disk that fails; the health gets to know of it. */
async function telling<Result>(health: SqliteHealth | undefined, writing: Promise<Result>): Promise<Result> {
  try {
    const result = await writing
    health?.succeeded()
    return result
  } catch (fault) {
    health?.noteDamage(fault)
    const refusal = passingFault(fault)
    if (refusal === undefined) throw fault
    health?.failed(fault)
    throw refusal
  }
}

/** As long as nothing is written the bytes are the same: a hundred forks of one template share them. */
function bytesOf(database: Connection, statements: ReturnType<typeof statementCache>): () => Buffer {
  let known: { readonly bytes: Buffer; readonly changes: unknown } | undefined
  return () => {
    const changes = statements('select total_changes() as changes').pluck().get()
    if (known === undefined || known.changes !== changes) known = { bytes: database.serialize(), changes }
    return known.bytes
  }
}

function openWriter({ path, synchronous }: SqliteOptions): Connection {
  const writer = new SqliteDatabase(path)
  try {
    writer.pragma('journal_mode = wal')
    // In WAL mode better-sqlite3 starts with NORMAL, which can lose acknowledged commits when the power goes.
    writer.pragma(`synchronous = ${synchronous}`)
    writer.pragma('foreign_keys = on')
    writer.pragma('busy_timeout = 5000')
    writer.pragma(`wal_autocheckpoint = ${pagesUntilWriterHelps}`)
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
  let set = synchronous
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
      // With NORMAL nothing is lost when the process ends, and a later commit with FULL brings all before it to the disk.
      const wanted = durability === 'soon' ? 'normal' : synchronous
      if (wanted === set) return
      set = wanted
      database.pragma(`synchronous = ${wanted}`)
    },
  }
}

function sqliteConnection(database: Connection): DatabaseConnection {
  const statements = statementCache(database)
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const statement = statements(sql)
      if (statement.reader) {
        const rows = statement.all(parameters) as Row[] // the query's type is Kysely's to know
        if (!statement.readonly) noteRows(sql, rows.length)
        return { rows }
      }
      const { changes, lastInsertRowid } = statement.run(parameters)
      noteRows(sql, changes)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    streamQuery: () => {
      throw new TypeError('Streaming is not used with SQLite: read pages with a limit instead.')
    },
  }
}

/** A disk that cannot be read at the moment is no fault of ours either. */
const passing = (connection: DatabaseConnection, health: SqliteHealth | undefined): DatabaseConnection => ({
  ...connection,
  executeQuery: <Row>(query: CompiledQuery) =>
    connection.executeQuery<Row>(query).catch((fault: unknown) => {
      health?.noteDamage(fault)
      throw passingFault(fault) ?? fault
    }),
})

/** In memory there is one connection; a reader waits until no transaction is open, so that it never sees half of one. */
function idleConnection(connection: DatabaseConnection, group: GroupCommit): DatabaseConnection {
  return {
    ...connection,
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      await group.idle()
      return connection.executeQuery<Row>(query)
    },
  }
}

/** Preparing costs as much as running; the oldest statement leaves when the cache is full. */
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

/** Stock Kysely takes turns on SQLite's one connection with a lock; our driver hands out the right one by itself. */
class ManyReadersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Writes each parameter as `+?`. As better-sqlite3 builds it (with STAT4), SQLite plans a join anew whenever a bare
 * parameter is bound again, which costs half as much as running it; an expression that does nothing keeps it from that.
 */
class PlanKeepingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

// Which failures of SQLite pass by themselves once there is room, or the disk is back. They are answered 503, so that
// callers repeat. A malformed database does not pass and stays a fault of ours.

const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^SQLITE_FULL/, 'The database has no room at the moment. Try again shortly.'],
  [/^SQLITE_READONLY/, 'The database takes no changes at the moment. Try again shortly.'],
  [/^SQLITE_(?:IOERR|CANTOPEN|PROTOCOL)/, 'The disk of the database fails at the moment. Try again shortly.'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'Another program holds the database. Try again shortly.'],
]

/** The refusal for a failure that passes by itself; undefined for all that repeating does not mend. */
function passingFault(fault: unknown): ApiError | undefined {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  const found = sentences.find(([codes]) => codes.test(code))
  return found === undefined ? undefined : Object.assign(unavailable(found[1], 2), { cause: fault })
}
