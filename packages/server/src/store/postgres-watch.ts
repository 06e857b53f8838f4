import type { PoolConfig } from 'pg'
import { after, stopwatchMs } from '../core/clock.ts'
import { describeFault, type Log } from '../core/log.ts'
import { healthLog, healthy, type StoreHealth } from './health.ts'
import { codeOf, hostOf, isConnectionLost, readOnlyCode, requirePostgresVersion } from './postgres-faults.ts'
import { TimeLimitError, withTimeLimit } from './time-limit.ts'

// Looks after the database over a connection of its own, so that neither a full pool nor a lock that somebody holds makes
// it seem to be gone. When it is gone, requests are refused at once instead of each waiting for its limit.

export interface PostgresWatch {
  /** Whether requests are to be refused: the last two looks found no database. */
  isDown(): boolean
  /** How often it has gone down or become read-only or writable. Connections from before are not to be trusted. */
  outages(): number
  /** Looks now, for at most a second. */
  look(): Promise<StoreHealth>
  stop(): Promise<void>
}

interface WatchOptions {
  readonly url: string
  readonly connectMs: number
  readonly log: Pick<Log, 'error' | 'info'>
}

const betweenLooksMs = 250
/** Nobody is served meanwhile, so the end of an outage is looked for more often. */
const betweenLooksWhileDownMs = 100
const lookLimitMs = 700
const missesUntilDown = 2

/** Connects, and throws when that fails or the server is too old; then looks from time to time. */
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

  /** The server that takes changes may be another one by now, so all connections are made anew. */
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
/** Before the first migration nothing is known yet about writing. */
const noSuchTable = '42P01'

class StandbyError extends Error {}

const isReadOnly = (fault: unknown) => fault instanceof StandbyError || codeOf(fault) === readOnlyCode

/** Writes one row from time to time; gives back why that is not possible, as far as is known. */
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
      // What was lost with its connection is not about writing, and one slow write is only a busy disk.
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
  /** Throws a `TimeLimitError` when no answer came in time. */
  ask(statement: string, limitMs: number): Promise<Record<string, unknown>[]>
  /** The next statement gets a new connection. */
  renew(): void
  close(): Promise<void>
}

const longestGoodbyeMs = 900

/** A pool of one. A connection that is still being made when its time is over may serve the next statement. */
async function openLoneConnection(config: PoolConfig): Promise<LoneConnection> {
  const { default: pg } = await import('pg')
  const open = () => {
    const opened = new pg.Pool({ ...config, max: 1, keepAlive: true, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // Without these listeners a connection that breaks ends the process.
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
