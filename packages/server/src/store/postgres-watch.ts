import type { PoolConfig } from 'pg'
import { after, stopwatchMs } from '../core/clock.ts'
import { describeFault, type Log } from '../core/log.ts'
import { healthLog, healthy, type StoreHealth } from './health.ts'
import { loadPools } from './postgres-client.ts'
import { askUsable, codeOf, hostOf, isConnectionLost, readOnlyCode, requireUsable } from './postgres-faults.ts'
import { explainTls, TlsError } from './postgres-tls.ts'
import { differentDatabases, lockCheck } from './same-database.ts'
import { TimeLimitError, withTimeLimit } from './time-limit.ts'

// Monitors the database over a dedicated connection, so that a full pool or a held lock does not look like an outage.
// During an outage, requests are rejected at once instead of each waiting for its limit.

export interface PostgresWatch {
  /** Whether to reject requests: the last two checks could not reach the database. */
  isDown(): boolean
  /** Counts outages and changes between read-only and writable. Connections from before one must not be reused. */
  outages(): number
  /** Checks now, for at most a second. */
  check(): Promise<StoreHealth>
  stop(): Promise<void>
}

interface WatchOptions {
  readonly url: string
  /** The same database, perhaps through a pooler, which must answer too. */
  readonly pooledUrl: string
  readonly connectMs: number
  readonly log: Pick<Log, 'error' | 'info'>
}

const checkIntervalMs = 250
/** No request is served during an outage, so recovery is checked more often. */
const checkIntervalWhileDownMs = 100
const checkLimitMs = 700
const missesUntilDown = 2

const stateOfDatabase = "select pg_is_in_recovery() as standby, to_regclass('health_checks') is not null as has_table"

interface DatabaseState {
  readonly isStandby: boolean
  /** Before the first migration, the table of the write check does not exist. */
  readonly hasTable: boolean
}

/** Connects, and throws if that fails or the server is too old. Then checks periodically. */
export async function watchPostgres({ url, pooledUrl, connectMs, log }: WatchOptions): Promise<PostgresWatch> {
  const { connection, pooler, isSame } = await openConnections({ url, pooledUrl, connectMs })
  const writes = watchWrites(connection)
  const logHealth = healthLog(log)
  let checking: Promise<StoreHealth> | undefined
  let cancelTimer: () => void = () => undefined
  let stopped = false
  let misses = 0
  let outages = 0
  let wasReadOnly = false

  async function checkOnce(): Promise<StoreHealth> {
    const until = stopwatchMs() + checkLimitMs
    try {
      const [row] = await connection.query(stateOfDatabase, checkLimitMs)
      if (!(await isSame(until - stopwatchMs()))) throw differentDatabases(pooledUrl, url)
      misses = 0
      const state = { isStandby: row?.['standby'] === true, hasTable: row?.['has_table'] === true }
      const fault = await writes.check(state, until - stopwatchMs())
      noteReadOnly(isReadOnly(fault))
      return fault === undefined ? healthy : { canRead: true, canWrite: false, fault: describeFault(fault) }
    } catch (fault) {
      misses += 1
      if (misses === missesUntilDown) outages += 1
      return { canRead: false, canWrite: false, fault: describeFault(fault) }
    }
  }

  /** Another server may accept writes now, so all connections are replaced. */
  function noteReadOnly(readOnly: boolean): void {
    if (readOnly) connection.renew()
    if (readOnly !== wasReadOnly) outages += 1
    wasReadOnly = readOnly
  }

  function probe(): Promise<StoreHealth> {
    checking ??= checkOnce().then((health) => {
      checking = undefined
      if (stopped) return health
      if (health.canRead || misses >= missesUntilDown) logHealth(health)
      cancelTimer()
      cancelTimer = after(health.canRead ? checkIntervalMs : checkIntervalWhileDownMs, () => void probe())
      return health
    })
    return checking
  }

  void probe()
  return {
    isDown: () => misses >= missesUntilDown,
    outages: () => outages,
    check: () => (stopped ? Promise.resolve({ canRead: false, canWrite: false }) : probe()),
    async stop() {
      stopped = true
      cancelTimer()
      await Promise.all([connection.close(), pooler?.close()])
    },
  }
}

/** The direct connection, and one through the pooler if there is one. Both must lead to the same database. */
async function openConnections({ url, pooledUrl, connectMs }: Omit<WatchOptions, 'log'>) {
  const connection = await openDedicatedConnection({ connectionString: url, connectionTimeoutMillis: connectMs })
  const pooler = pooledUrl === url ? undefined : await openDedicatedConnection({ connectionString: pooledUrl })
  try {
    const [row] = await connection.query(askUsable, connectMs)
    requireUsable(row, hostOf(url))
    const isSame = watchSame({ connection, pooler })
    if (!(await isSame(connectMs).catch(unlessWrong))) throw differentDatabases(pooledUrl, url)
    return { connection, pooler, isSame }
  } catch (fault) {
    await Promise.all([connection.close(), pooler?.close()])
    throw fault
  }
}

/** A pooler that does not answer is reported by the checks that follow. */
function unlessWrong(fault: unknown): true {
  if (fault instanceof TlsError) throw fault
  return true
}

interface BothConnections {
  readonly connection: DedicatedConnection
  readonly pooler: DedicatedConnection | undefined
}

/** Whether the pooler leads to the same database: a failover may move one of the two. */
function watchSame({ connection, pooler }: BothConnections): (limitMs: number) => Promise<boolean> {
  if (pooler === undefined) return async () => true
  const { hold, probe } = lockCheck()
  return async (limitMs) => {
    const until = stopwatchMs() + limitMs
    // A new connection does not have the lock yet. Holding it twice is harmless.
    await connection.query(hold, limitMs)
    const rows = await pooler.query(probe, until - stopwatchMs()).catch(unlessSlow)
    return rows?.[0]?.['differs'] !== true
  }
}

/** A pooler without a free connection does not answer in time. That is not an outage. */
function unlessSlow(fault: unknown): undefined {
  if (!(fault instanceof TimeLimitError)) throw fault
}

const writeIntervalMs = 5000
const writeIntervalAfterFailureMs = 1000
const minWriteMs = 100

class StandbyError extends Error {}

const isReadOnly = (fault: unknown) => fault instanceof StandbyError || codeOf(fault) === readOnlyCode

/** Writes one row periodically; returns why writing fails, if known. */
function watchWrites(connection: DedicatedConnection) {
  let fault: unknown
  let slow = 0
  let triedAt = Number.NEGATIVE_INFINITY

  async function tryOnce(limitMs: number): Promise<unknown> {
    try {
      await connection.query(
        'update health_checks set checked_at = floor(extract(epoch from now()) * 1000000)',
        limitMs,
      )
      slow = 0
      return undefined
    } catch (failure) {
      // A lost connection does not show whether writing works, and a single slow write only means a busy disk.
      if (isConnectionLost(failure)) return fault
      if (!(failure instanceof TimeLimitError)) return failure
      slow += 1
      return slow < missesUntilDown ? fault : failure
    }
  }

  return {
    async check({ isStandby, hasTable }: DatabaseState, limitMs: number): Promise<unknown> {
      const isQuiet = fault === undefined && slow === 0
      const isTime = stopwatchMs() - triedAt >= (isQuiet ? writeIntervalMs : writeIntervalAfterFailureMs)
      if (isStandby) fault = new StandbyError('The database is a standby.')
      else if (isTime && limitMs >= minWriteMs) {
        fault = hasTable ? await tryOnce(limitMs) : undefined
        triedAt = stopwatchMs()
      }
      return fault
    },
  }
}

/** One connection, replaced whenever it breaks or does not answer. */
interface DedicatedConnection {
  /** Throws a `TimeLimitError` if no response arrives in time. */
  query(statement: string, limitMs: number): Promise<Record<string, unknown>[]>
  /** The next statement gets a new connection. */
  renew(): void
  close(): Promise<void>
}

const maxCloseMs = 900

interface DedicatedConfig extends Pick<PoolConfig, 'connectionTimeoutMillis'> {
  readonly connectionString: string
}

/** A pool of one. A connection that is established after the time limit may serve the next statement. */
async function openDedicatedConnection(config: DedicatedConfig): Promise<DedicatedConnection> {
  const createPool = await loadPools()
  const open = () => createPool({ ...config, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  let pool = open()
  async function askUntil(statement: string, until: number): Promise<Record<string, unknown>[]> {
    const leftMs = () => Math.max(1, until - stopwatchMs())
    const client = await withTimeLimit(leftMs(), pool.connect(), (late) => late.release()).catch((fault: unknown) => {
      throw explainTls(fault, { url: config.connectionString, where: hostOf(config.connectionString) }) ?? fault
    })
    try {
      const { rows } = await withTimeLimit(leftMs(), client.query<Record<string, unknown>>(statement))
      client.release()
      return rows
    } catch (fault) {
      client.release(true)
      throw fault
    }
  }
  return {
    async query(statement, limitMs) {
      const until = stopwatchMs() + limitMs
      return askUntil(statement, until).catch((fault: unknown) => {
        if (!isConnectionLost(fault)) throw fault
        return askUntil(statement, until)
      })
    },
    renew() {
      pool.end().catch(() => undefined)
      pool = open()
    },
    close: () => withTimeLimit(maxCloseMs, pool.end()).catch(() => undefined),
  }
}
