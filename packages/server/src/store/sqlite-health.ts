import type SqliteDatabase from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection } from 'kysely'
import { machineTimeMs, stopwatchMs } from '../core/clock.ts'
import { describeFault, type Log } from '../core/log.ts'
import type { GroupCommit } from './group-commit.ts'
import { healthLog, type StoreHealth } from './health.ts'
import { TimeLimitError, withTimeLimit } from './time-limit.ts'

interface Parts {
  readonly path: string
  readonly reader: SqliteDatabase.Database
  readonly writing: DatabaseConnection
  readonly group: GroupCommit
  readonly log: Pick<Log, 'error' | 'info'> | undefined
}

const limitMs = 900
const writeIntervalMs = 5000

export interface SqliteHealth {
  check(): Promise<StoreHealth>
  /** Call it with every failure. One that shows a damaged file is remembered. */
  noteDamage(fault: unknown): void
  /** Call it with the disk failure of a transaction. */
  failed(fault: unknown): void
  succeeded(): void
}

/** Damage persists until the server restarts on an intact file. */
function rememberDamage(path: string, note: (health: StoreHealth) => void) {
  let damaged: StoreHealth | undefined
  return {
    health: () => damaged,
    note(fault: unknown) {
      if (damaged !== undefined || !isDamage(fault)) return
      damaged = { canRead: false, canWrite: false, fault: describeFault(fault), damaged: path }
      note(damaged)
    },
  }
}

const isDamage = (fault: unknown) =>
  fault instanceof Error && 'code' in fault && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(fault.code))

/** A full disk may still accept a small row, so after a failure the probe writes as much as a request may. */
const filler = 'x'.repeat(1024 * 1024)

/** Reads, and periodically writes one row through the writer: a full disk is readable but not writable. */
export function sqliteHealth({ path, reader, writing, group, log }: Parts): SqliteHealth {
  const logHealth = log === undefined ? () => undefined : healthLog(log)
  const damage = rememberDamage(path, logHealth)
  let writeFault: unknown
  let writtenAt = Number.NEGATIVE_INFINITY
  let pendingWrite: Promise<void> | undefined

  const write = (text: string | null) => {
    const sql = 'update health_checks set checked_at = ?, filler = ?'
    const statement = { sql, parameters: [machineTimeMs() * 1000, text] }
    return group.submit(() => writing.executeQuery(statement as unknown as CompiledQuery)) // all that the connection reads
  }

  async function writeOnce(): Promise<void> {
    try {
      if (writeFault !== undefined) await write(filler)
      await write(null)
      writeFault = undefined
    } catch (fault) {
      writeFault = fault
    }
    writtenAt = stopwatchMs()
    pendingWrite = undefined
  }

  /** If the writers' queue is long, the last result stays valid: a slow database is not a full one. */
  async function tryToWrite(): Promise<void> {
    if (writeFault === undefined && stopwatchMs() - writtenAt < writeIntervalMs) return
    pendingWrite ??= writeOnce()
    await withTimeLimit(limitMs, pendingWrite).catch((fault: unknown) => {
      if (!(fault instanceof TimeLimitError)) throw fault
    })
  }

  async function checkOnce(): Promise<StoreHealth> {
    const known = damage.health()
    if (known !== undefined) return known
    try {
      reader.prepare('select 1 from health_checks').get()
    } catch (fault) {
      damage.note(fault)
      return damage.health() ?? { canRead: false, canWrite: false, fault: describeFault(fault) }
    }
    await tryToWrite()
    damage.note(writeFault)
    if (writeFault === undefined) return { canRead: true, canWrite: true }
    return damage.health() ?? { canRead: true, canWrite: false, fault: describeFault(writeFault) }
  }

  const check = async () => {
    const health = await checkOnce()
    logHealth(health)
    return health
  }

  return {
    check: check,
    noteDamage: damage.note,
    failed(fault) {
      writeFault = fault
      writtenAt = stopwatchMs()
      logHealth({ canRead: true, canWrite: false, fault: describeFault(fault) })
    },
    succeeded() {
      // Logs the recovery even if no health check runs.
      if (writeFault !== undefined && stopwatchMs() - writtenAt >= writeIntervalMs) void check()
    },
  }
}
