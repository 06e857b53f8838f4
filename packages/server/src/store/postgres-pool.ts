import type { Pool, PoolClient } from 'pg'
import { stopwatchMs } from '../core/clock.ts'
import { unavailable } from '../core/errors.ts'
import { type FairQueue, fairQueue } from '../core/fair-queue.ts'
import { pendingWork } from '../core/lifecycle.ts'
import { clientLimitMs, destroy, idleLimitMs, loadPools, type PostgresLimits } from './postgres-client.ts'
import { ConnectTimeError, isTimeLimit, type ToRefusal, unavailableFor } from './postgres-faults.ts'
import type { PostgresWatch } from './postgres-watch.ts'
import { TimeLimitError, withTimeLimit } from './time-limit.ts'

interface Loan {
  readonly client: PoolClient
  release(isBroken?: boolean): void
}

/** Connections for requests. A request that gets none within its limits is answered with 503. */
export interface ConnectionPool {
  use(): PoolUse
  /** Workspaces whose writers wait take turns, so that none waits for all that another writes. */
  borrow(use: 'reading' | 'writing', workspaceId?: number): Promise<Loan>
  /** From now on, lends only new connections. */
  renew(): void
  /** Stops lending and closes all connections at once, even if the database hangs. */
  cutOff(): void
  /** Stops lending, rejects waiters, and closes once all connections are returned. */
  close(): Promise<void>
}

export interface PoolUse {
  readonly size: number
  readonly inUse: number
  readonly waiting: number
}

export interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly limits: PostgresLimits
  /** False for a pooler, which rejects limits at the start of a connection. */
  readonly limitsAtStart: boolean
  readonly toRefusal: ToRefusal
}

/** Writers block each other on locks. They never hold all connections, so that lists stay readable meanwhile. */
const writersShare = 0.7
/** With more waiters per connection than this, the last would not get one in time. */
const maxWaitingWriters = 100
const maxWaitingReaders = 200
const maxCloseMs = 2000

export async function openPool(options: PoolOptions, watch: PostgresWatch): Promise<ConnectionPool> {
  const { limits, size, toRefusal } = options
  const created = await createRenewablePool(options, watch)
  const { pool, clients, renew } = created
  const opener = clientOpener(created, limits)
  // Waiters queue here, because in pg's queue the connect timeout would also apply to waiting.
  const all = fairQueue({ slots: size, maxWaiting: size * maxWaitingReaders, refusal: tooManyWaiting })
  const writers = fairQueue({
    slots: Math.max(1, Math.floor(size * writersShare)),
    maxWaiting: size * maxWaitingWriters,
    refusal: tooManyWaiting,
  })
  // pg drops its waiters without an answer when a pool ends, so they are rejected first.
  const outstanding = pendingWork()
  let isClosing = false

  const enter = (queue: FairQueue, { until, workspaceId }: Entry) =>
    withTimeLimit(Math.max(1, until - stopwatchMs()), queue.enter(workspaceId), (leave) => leave())

  async function lend({ use, workspaceId, onRelease }: Lending): Promise<Loan> {
    // After a quiet period all connections are opened at once, and those who wait for one wait for that, too.
    const isOpening = opener.isOpening() || Math.max(writers.running, all.running) > pool.totalCount
    const until = stopwatchMs() + limits.waitMs + (isOpening ? limits.connectMs : 0)
    const held = [onRelease]
    const leave = () => {
      for (const each of held) each()
    }
    try {
      if (use === 'writing') held.push(await enter(writers, { until, workspaceId }))
      held.push(await enter(all, { until, workspaceId }))
      const client = await opener.open()
      return {
        client,
        release(isBroken = false) {
          client.release(isBroken)
          leave()
        },
      }
    } catch (failure) {
      leave()
      throw failure
    }
  }

  return {
    use: () => ({ size, inUse: pool.totalCount - pool.idleCount, waiting: all.waiting + writers.waiting }),
    async borrow(use, workspaceId) {
      if (isClosing) throw unavailable('The server is being stopped.')
      if (watch.isDown()) throw unavailableFor('lost')
      const { promise, resolve: giveBack } = Promise.withResolvers<void>()
      void outstanding.during(promise)
      try {
        return await lend({ use, workspaceId, onRelease: giveBack })
      } catch (failure) {
        throw toRefusal(failure)
      }
    },
    renew,
    cutOff() {
      isClosing = true
      for (const client of clients) destroy(client)
    },
    async close() {
      isClosing = true
      await outstanding.whenIdle()
      await withTimeLimit(maxCloseMs, pool.end()).catch(() => undefined)
      for (const client of clients) destroy(client)
    },
  }
}

const tooManyWaiting = () => new TimeLimitError('Too many requests are waiting for a database connection.')

interface Entry {
  readonly until: number
  readonly workspaceId: number | undefined
}

interface Lending extends Pick<Entry, 'workspaceId'> {
  readonly use: 'reading' | 'writing'
  readonly onRelease: () => void
}

/** Opening a connection has its own limit: a slow network or sign-in is not a shortage of connections. */
function clientOpener({ pool, isCurrent }: RenewablePool, { connectMs }: Pick<PostgresLimits, 'connectMs'>) {
  let opening = 0
  /** A connection from before an outage may be dead; using it would take the whole time limit. */
  async function openCurrent(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (isCurrent(client)) return client
      client.release(true)
    }
  }
  return {
    isOpening: () => opening > 0,
    async open(): Promise<PoolClient> {
      opening += 1
      try {
        return await withTimeLimit(connectMs, openCurrent(), (late) => late.release())
      } catch (failure) {
        throw isTimeLimit(failure) ? new ConnectTimeError(connectMs) : failure
      } finally {
        opening -= 1
      }
    },
  }
}

interface RenewablePool {
  readonly pool: Pool
  readonly clients: ReadonlySet<PoolClient>
  /** Whether the connection was made after the last outage and the last renewal. */
  readonly isCurrent: (client: PoolClient) => boolean
  readonly renew: () => void
}

async function createRenewablePool(
  { url, size, limits, limitsAtStart }: PoolOptions,
  watch: PostgresWatch,
): Promise<RenewablePool> {
  const { default: pg } = await import('pg')
  const int8 = 20
  const numeric = 1700
  const getTypeParser = ((oid: number, format?: 'text') =>
    oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser // its overloads differ only in the result
  const createPool = await loadPools()
  const pool = createPool({
    connectionString: url,
    max: size,
    types: { getTypeParser },
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: clientLimitMs(limits),
    ...(limitsAtStart
      ? {
          statement_timeout: limits.statementMs,
          lock_timeout: limits.lockMs,
          idle_in_transaction_session_timeout: idleLimitMs,
        }
      : {}),
  })
  const clients = new Set<PoolClient>()
  let renewals = 0
  const era = () => watch.outages() + renewals
  const eraOf = new WeakMap<PoolClient, number>()
  pool.on('connect', (client) => {
    clients.add(client)
    eraOf.set(client, era())
  })
  pool.on('remove', (client) => void clients.delete(client))
  const renew = () => {
    renewals += 1
  }
  return { pool, clients, isCurrent: (client) => eraOf.get(client) === era(), renew }
}
