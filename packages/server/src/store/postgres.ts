import { type CompiledQuery, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { after } from '../core/clock.ts'
import { pendingWork } from '../core/lifecycle.ts'
import type { Log } from '../core/log.ts'
import type { Database } from './database.ts'
import { clientLimitMs, connectClient, defaultLimits, destroy, type PostgresLimits } from './postgres-client.ts'
import { pooledConnection, postgresTransactions, statementNames } from './postgres-connection.ts'
import { createRefusals, explainStart } from './postgres-faults.ts'
import { type ConnectionPool, openPool } from './postgres-pool.ts'
import { postgresSignals } from './postgres-signals.ts'
import { type PostgresWatch, watchPostgres } from './postgres-watch.ts'
import { readOnly, routedDialect } from './routed-dialect.ts'
import type { Store } from './store.ts'
import { afterCommit, currentTransaction, joinTransaction, noteWorkspaces, observeTransactions } from './transaction.ts'

export interface PostgresOptions {
  readonly url: string
  /** The same database without a pooler, which would drop LISTEN and limit migrations; defaults to `url`. */
  readonly directUrl?: string | undefined
  readonly poolSize: number
  /** False for a pooler in transaction mode, which does not support named statements. */
  readonly namedStatements: boolean
  readonly limits?: PostgresLimits
  readonly log?: Log
}

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined }

/** Opens a connection pool. `pg` is loaded only here, so SQLite users do not pay for it. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { url, directUrl = url, poolSize: size, namedStatements, limits = defaultLimits, log = silent } = options
  const { connectMs } = limits
  const watch = await watchPostgres({ url: directUrl, pooledUrl: url, connectMs, log }).catch((failure: unknown) => {
    throw explainStart(failure, directUrl, connectMs)
  })
  const toRefusal = createRefusals(log)
  const shared = { limits, limitsAtStart: namedStatements, toRefusal }
  const pool = await openPool({ url, size, ...shared }, watch)
  const directPool = directUrl === url ? pool : await openPool({ url: directUrl, size: 1, ...shared }, watch)
  const nameOf = namedStatements ? statementNames() : () => undefined
  const reading = readOnly(pooledConnection(pool, { nameOf, toRefusal }))
  const pending = pendingWork()
  const transactions = postgresTransactions({ pool, nameOf, ...shared, store: () => store })
  const migrations = postgresTransactions({ pool: directPool, nameOf, ...shared, store: () => store })
  const store: Store = {
    dialect: 'postgres',
    db: new Kysely<Database>({
      dialect: routedDialect(postgresParts, () => currentTransaction(store)?.connection ?? reading),
    }),
    transaction: (work, { workspaceId } = {}) =>
      joinTransaction(store, workspaceId)
        ? work()
        : pending.during(
            transactions.run(() => {
              if (workspaceId !== undefined) noteWorkspaces(store, [workspaceId])
              return work()
            }, workspaceId),
          ),
    isInTransaction: () => currentTransaction(store) !== undefined,
    afterCommit: (act) => afterCommit(store, act),
    noteWorkspaces: (ids) => noteWorkspaces(store, ids),
    observeTransactions: (begin) => observeTransactions(store, begin),
    signals: postgresSignals(pool, { url: directUrl, connectMs, channel: 'service_deliveries' }),
    changeSignals: postgresSignals(pool, { url: directUrl, connectMs, channel: 'service_changes' }),
    migrateWith: (apply) => {
      const cancelCutOff = cutOffWhenDown({ pool: directPool, watch, waitMs: connectMs })
      const migrating = migrations.runMigration(async () => {
        const connection = currentTransaction(store)?.connection ?? reading
        await apply(
          async (sql, parameters = []) =>
            (await connection.executeQuery<Record<string, unknown>>({ sql, parameters } as CompiledQuery)).rows, // all that the connection reads
        )
      })
      return pending.during(migrating).finally(cancelCutOff)
    },
    withSession: (work) => pending.during(withSession({ url: directUrl, connectMs }, work)),
    drained: pending.whenIdle,
    health: watch.check,
    poolUse: pool.use,
    stopWaiting: () => void cutOffWhenDown({ pool, watch, waitMs: Math.min(stopWaitMs, clientLimitMs(limits)) }),
    close: async () => {
      await pool.close()
      if (directPool !== pool) await directPool.close()
      await watch.stop()
    },
  }
  return store
}

async function withSession(
  { url, connectMs }: { readonly url: string; readonly connectMs: number },
  work: Parameters<NonNullable<Store['withSession']>>[0],
): Promise<void> {
  const client = await connectClient({ connectionString: url, connectionTimeoutMillis: connectMs })
  try {
    await work(async (sql, parameters = []) => (await client.query(sql, [...parameters])).rows)
  } finally {
    destroy(client)
  }
}

/** At shutdown, how long an unresponsive database gets to recover. */
const stopWaitMs = 4000
const checkIntervalMs = 250

interface CutOff {
  readonly pool: ConnectionPool
  readonly watch: PostgresWatch
  readonly waitMs: number
}

function cutOffWhenDown({ pool, watch, waitMs }: CutOff): () => void {
  const check = () => {
    if (watch.isDown()) pool.cutOff()
    cancelTimer = after(checkIntervalMs, check)
  }
  let cancelTimer = after(waitMs, check)
  return () => cancelTimer()
}

const postgresParts = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
