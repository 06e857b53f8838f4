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
import {
  afterCommit,
  announceCommit,
  currentTransaction,
  newTransaction,
  noteRows,
  runInTransaction,
} from './current-transaction.ts'
import type { Database } from './database.ts'
import { type GroupCommit, groupCommit, type WriterConnection } from './group-commit.ts'
import { readOnly, routedDialect } from './routed-dialect.ts'
import type { Store } from './store.ts'

type Connection = SqliteDatabase.Database

export interface SqliteOptions {
  /** A file path, `:memory:`, or the bytes of a database to go on from in memory. */
  readonly path: string | Buffer
  /** `full` survives a power cut, `normal` only a crash of the process. */
  readonly synchronous: 'full' | 'normal'
}

/** Opens SQLite with one writer and, for a file, one read-only connection beside it. */
export function openSqlite(options: SqliteOptions): Store {
  const writer = openWriter(options)
  const { path } = options
  const inMemory = typeof path !== 'string' || path === ':memory:'
  const reader = inMemory ? writer : new SqliteDatabase(path, { readonly: true })
  const statements = statementCache(writer)
  const writing = sqliteConnection(writer)
  const group = groupCommit(writerConnection(writer, options.synchronous))
  const reading = readOnly(inMemory ? idleConnection(writing, group) : sqliteConnection(reader))
  const store: Store = {
    dialect: 'sqlite',
    db: new Kysely<Database>({
      dialect: routedDialect(sqliteParts, () => currentTransaction(store)?.connection ?? reading),
    }),
    transaction: async (work, durability = 'now') => {
      if (currentTransaction(store) !== undefined) return work()
      const transaction = newTransaction(store, writing)
      const result = await group.submit(() => runInTransaction(transaction, work), durability)
      announceCommit(transaction)
      return result
    },
    afterCommit: (act) => afterCommit(store, act),
    runForEach(statement, parameters) {
      if (currentTransaction(store) === undefined) throw new TypeError('Statements for rows belong in a transaction.')
      const prepared = statements(statement)
      const changed = parameters.reduce((sum, each) => sum + prepared.run(each).changes, 0)
      noteRows(statement, changed)
      return changed
    },
    migrateWith: (apply) =>
      group.submit(() =>
        apply(
          async (sql, parameters = []) =>
            (await writing.executeQuery<Record<string, unknown>>(raw(sql, parameters))).rows,
        ),
      ),
    ...(inMemory ? { bytes: bytesOf(writer, statements) } : {}),
    drained: group.drained,
    ping: async () => void reader.prepare('select 1').get(),
    close: async () => {
      await group.drained()
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
  return store
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
  writer.pragma('journal_mode = wal')
  // In WAL mode better-sqlite3 starts with NORMAL, which can lose acknowledged commits when the power goes.
  writer.pragma(`synchronous = ${synchronous}`)
  writer.pragma('foreign_keys = on')
  writer.pragma('busy_timeout = 5000')
  return writer
}

const raw = (sql: string, parameters: readonly unknown[]) => ({ sql, parameters }) as CompiledQuery // all that the connection reads

function writerConnection(database: Connection, synchronous: SqliteOptions['synchronous']): WriterConnection {
  const statements = statementCache(database)
  let set = synchronous
  return {
    get inTransaction() {
      return database.inTransaction
    },
    run: (sql) => void statements(sql).run(),
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
      const { changes } = statement.run(parameters)
      noteRows(sql, changes)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    streamQuery: () => {
      throw new TypeError('Streaming is not used with SQLite: read pages with a limit instead.')
    },
  }
}

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
