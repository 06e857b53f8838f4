import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { setImmediate } from '../real-timers.ts'
import {
  afterCommit,
  announceCommit,
  currentTransaction,
  newTransaction,
  noteRows,
  runInTransaction,
} from './current-transaction.ts'
import type { Database } from './database.ts'
import { postgresSignals } from './postgres-signals.ts'
import { readOnly, routedDialect } from './routed-dialect.ts'
import type { Store } from './store.ts'

export interface PostgresOptions {
  readonly url: string
  readonly poolSize: number
  /** Off behind a pooler in transaction mode, which cannot keep named statements. */
  readonly namedStatements: boolean
}

/** Opens a pool of connections. `pg` is loaded only here: who stays on SQLite does not pay for it. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const pool = await openPool(options)
  const nameOf = options.namedStatements ? statementNames() : () => undefined
  const pooled = postgresConnection(pool, nameOf)
  const reading = readOnly(pooled)
  const underWay = new Set<Promise<unknown>>()
  const inOwnTransaction = counted(
    underWay,
    transactions(pool, nameOf, () => store),
  )
  const store: Store = {
    dialect: 'postgres',
    db: new Kysely<Database>({
      dialect: routedDialect(postgresParts, () => currentTransaction(store)?.connection ?? reading),
    }),
    transaction: (work) => (currentTransaction(store) === undefined ? inOwnTransaction(work) : work()),
    afterCommit: (act) => afterCommit(store, act),
    signals: postgresSignals(pool, options.url),
    migrateWith: (apply) =>
      inOwnTransaction(async () => {
        const connection = currentTransaction(store)?.connection ?? pooled
        await apply(
          async (sql, parameters = []) =>
            (await connection.executeQuery<Record<string, unknown>>({ sql, parameters } as CompiledQuery)).rows, // all that the connection reads
        )
      }),
    drained: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    ping: async () => void (await pool.query('select 1')),
    close: () => endPool(pool),
  }
  return store
}

async function openPool({ url, poolSize }: PostgresOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const int8 = 20
  const numeric = 1700
  const getTypeParser = ((oid: number, format?: 'text') =>
    oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser // its overloads differ only in the result
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types: { getTypeParser } })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** A pool that ends forgets who still waits for a connection, and they would wait for ever: they go first. */
async function endPool(pool: Pool): Promise<void> {
  while (pool.waitingCount > 0) await new Promise<void>((resolve) => setImmediate(resolve))
  await pool.end()
}

type Transact = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Keeps every transaction in `underWay` until it is over. */
function counted(underWay: Set<Promise<unknown>>, transact: Transact): Transact {
  return (work) => {
    const running = transact(work)
    const over = () => void underWay.delete(running)
    underWay.add(running)
    running.then(over, over)
    return running
  }
}

/** Deadlocks and serialization failures: the database undid the transaction and asks for it again. */
const askedToRepeat = new Set(['40001', '40P01'])
const mostRepeats = 5

function transactions(pool: Pool, nameOf: NameOf, store: () => Store): Transact {
  return async (work) => {
    for (let repeat = 0; ; repeat += 1) {
      const client = await pool.connect()
      try {
        return await inOneTransaction(client, { store: store(), connection: postgresConnection(client, nameOf) }, work)
      } catch (failure) {
        if (repeat >= mostRepeats || !askedToRepeat.has(codeOf(failure))) throw failure
      }
    }
  }
}

async function inOneTransaction<Result>(
  client: PoolClient,
  { store, connection }: { store: object; connection: DatabaseConnection },
  work: () => Promise<Result>,
): Promise<Result> {
  let broken: Error | undefined
  try {
    await client.query('begin')
    const transaction = newTransaction(store, connection)
    const result = await runInTransaction(transaction, work)
    await client.query('commit')
    announceCommit(transaction)
    return result
  } catch (failure) {
    await client.query('rollback').catch((fault: Error) => {
      broken = fault
    })
    throw failure
  } finally {
    client.release(broken)
  }
}

export function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : ''
}

type NameOf = (sql: string) => string | undefined

/** A statement gets a name, and so is planned once per connection, when its text comes a second time. */
function statementNames(capacity = 500): NameOf {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= capacity) return known
    if (!seen.has(sql)) {
      if (seen.size < capacity * 10) seen.add(sql)
      return undefined
    }
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}

function postgresConnection(client: Pool | PoolClient, nameOf: NameOf): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const name = nameOf(sql)
      const values = parameters as unknown[] // pg only reads them
      const result = await client.query<Row & Record<string, unknown>>(
        name === undefined ? { text: sql, values } : { name, text: sql, values },
      )
      const affected = result.rowCount ?? 0
      noteRows(sql, affected)
      return { rows: result.rows, numAffectedRows: BigInt(affected) }
    },
    streamQuery: () => {
      throw new TypeError('Streaming is not used: read pages with a limit instead.')
    },
  }
}

const postgresParts = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
