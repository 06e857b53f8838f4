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
const betweenWritesMs = 5000

export interface SqliteHealth {
  look(): Promise<StoreHealth>
  /** Told of every failure: one that shows that the file is damaged is remembered. */
  noteDamage(fault: unknown): void
  /** Told what a transaction has failed with, where it was the disk. */
  failed(fault: unknown): void
  succeeded(): void
}

/** It does not pass until the server is started again, on a file that is whole. */
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

/** A full disk may still take a small row; after a failure only one that is as large as a request may be tells. */
const filler = 'x'.repeat(1024 * 1024)

/** Reads, and now and then writes one row as every writer does: a full disk can be read and not written. */
export function sqliteHealth({ path, reader, writing, group, log }: Parts): SqliteHealth {
  const note = log === undefined ? () => undefined : healthLog(log)
  const damage = rememberDamage(path, note)
  let writeFault: unknown
  let writtenAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

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
    underWay = undefined
  }

  /** Behind a long queue of writers the last word holds: being slow is not being full. */
  async function tryToWrite(): Promise<void> {
    if (writeFault === undefined && stopwatchMs() - writtenAt < betweenWritesMs) return
    underWay ??= writeOnce()
    await withTimeLimit(limitMs, underWay).catch((fault: unknown) => {
      if (!(fault instanceof TimeLimitError)) throw fault
    })
  }

  async function look(): Promise<StoreHealth> {
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

  const lookAndNote = async () => {
    const health = await look()
    note(health)
    return health
  }

  return {
    look: lookAndNote,
    noteDamage: damage.note,
    failed(fault) {
      writeFault = fault
      writtenAt = stopwatchMs()
      note({ canRead: true, canWrite: false, fault: describeFault(fault) })
    },
    succeeded() {
      // Where nobody asks for the health, the log still says that it is over.
      if (writeFault !== undefined && stopwatchMs() - writtenAt >= betweenWritesMs) void lookAndNote()
    },
  }
}
