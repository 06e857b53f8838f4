import type { PoolConfig } from 'pg'
import { after, stopwatchMs } from '../core/clock.ts'
import { describeFault, type Log } from '../core/log.ts'
import { healthLog, healthy, type StoreHealth } from './health.ts'
import { codeOf, hostOf, isConnectionLost, readOnlyCode, requirePostgresVersion } from './postgres-faults.ts'
import { TimeLimitError, withTimeLimit } from './time-limit.ts'

// Monitors the database over a dedicated connection, so that a full pool or a held lock does not look like an outage.
// During an outage, requests are rejected at once instead of each waiting for its limit.

export interface PostgresWatch {
  /** Whether to reject requests: the last two checks could not reach the database. */
  isDown(): boolean
  /** Counts outages and changes between read-only and writable. Connections from before one must not be reused. */
  outages(): number
  /** Checks now, for at most a second. */
  look(): Promise<StoreHealth>
  stop(): Promise<void>
}

interface WatchOptions {
  readonly url: string
  readonly connectMs: number
  readonly log: Pick<Log, 'error' | 'info'>
}

const betweenLooksMs = 250
/** No request is served during an outage, so recovery is checked more often. */
const betweenLooksWhileDownMs = 100
const lookLimitMs = 700
const missesUntilDown = 2

/** Connects, and throws if that fails or the server is too old. Then checks periodically. */
export async function watchPostgres({ url, connectMs, log }: WatchOptions): Promise<PostgresWatch> {
  const connection = await openLoneConnection({ connectionString: url, connectionTimeoutMillis: connectMs })
  try {
    const [row] = await connection.ask('show server_version_num', connectMs)
    requirePostgresVersion(Number(row?.['server_version_num']), hostOf(url))
  } catch (fault) {
    await connection.close()
    throw fault
  }
  const writes = watchWrites(connection)
  const note = healthLog(log)
  let looking: Promise<StoreHealth> | undefined
  let callOff: () => void = () => undefined
  let stopped = false
  let misses = 0
  let outages = 0
  let wasReadOnly = false

  async function lookOnce(): Promise<StoreHealth> {
    const until = stopwatchMs() + lookLimitMs
    try {
      const [row] = await connection.ask('select pg_is_in_recovery() as standby', lookLimitMs)
      misses = 0
      const fault = await writes.look(row?.['standby'] === true, until - stopwatchMs())
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

  function look(): Promise<StoreHealth> {
    looking ??= lookOnce().then((health) => {
      looking = undefined
      if (stopped) return health
      if (health.canRead || misses >= missesUntilDown) note(health)
      callOff()
      callOff = after(health.canRead ? betweenLooksMs : betweenLooksWhileDownMs, () => void look())
      return health
    })
    return looking
  }

  void look()
  return {
    isDown: () => misses >= missesUntilDown,
    outages: () => outages,
    look: () => (stopped ? Promise.resolve({ canRead: false, canWrite: false }) : look()),
    async stop() {
      stopped = true
      callOff()
      await connection.close()
    },
  }
}

const betweenWritesMs = 5000
const betweenFailedWritesMs = 1000
const shortestTryMs = 100
/** Before the first migration, the table of the write check does not exist. */
const noSuchTable = '42P01'

class StandbyError extends Error {}

const isReadOnly = (fault: unknown) => fault instanceof StandbyError || codeOf(fault) === readOnlyCode

/** Writes one row periodically; returns why writing fails, if known. */
function watchWrites(connection: LoneConnection) {
  let fault: unknown
  let slow = 0
  let triedAt = Number.NEGATIVE_INFINITY

  async function tryOnce(limitMs: number): Promise<unknown> {
    try {
      await connection.ask('update health_checks set checked_at = floor(extract(epoch from now()) * 1000000)', limitMs)
      slow = 0
      return undefined
    } catch (failure) {
      if (codeOf(failure) === noSuchTable) return undefined
      // A lost connection does not show whether writing works, and a single slow write only means a busy disk.
      if (isConnectionLost(failure)) return fault
      if (!(failure instanceof TimeLimitError)) return failure
      slow += 1
      return slow < missesUntilDown ? fault : failure
    }
  }

  return {
    async look(isStandby: boolean, limitMs: number): Promise<unknown> {
      const isQuiet = fault === undefined && slow === 0
      const isTime = stopwatchMs() - triedAt >= (isQuiet ? betweenWritesMs : betweenFailedWritesMs)
      if (isStandby) fault = new StandbyError('The database is a standby.')
      else if (isTime && limitMs >= shortestTryMs) {
        fault = await tryOnce(limitMs)
        triedAt = stopwatchMs()
      }
      return fault
    },
  }
}

/** One connection, replaced whenever it breaks or does not answer. */
interface LoneConnection {
  /** Throws a `TimeLimitError` if no response arrives in time. */
  ask(statement: string, limitMs: number): Promise<Record<string, unknown>[]>
  /** The next statement gets a new connection. */
  renew(): void
  close(): Promise<void>
}

const longestGoodbyeMs = 900

/** A pool of one. A connection that is established after the time limit may serve the next statement. */
async function openLoneConnection(config: PoolConfig): Promise<LoneConnection> {
  const { default: pg } = await import('pg')
  const open = () => {
    const opened = new pg.Pool({ ...config, max: 1, keepAlive: true, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // Without these listeners, a broken connection ends the process.
    opened.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
    return opened
  }
  let pool = open()
  async function askUntil(statement: string, until: number): Promise<Record<string, unknown>[]> {
    const leftMs = () => Math.max(1, until - stopwatchMs())
    const client = await withTimeLimit(leftMs(), pool.connect(), (late) => late.release())
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
    async ask(statement, limitMs) {
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
    close: () => withTimeLimit(longestGoodbyeMs, pool.end()).catch(() => undefined),
  }
}
