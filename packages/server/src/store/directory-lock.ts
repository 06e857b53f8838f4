import {
  closeSync,
  type FSWatcher,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unwatchFile,
  watch,
  watchFile,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { giveToOwner } from './directory-owner.ts'
import { explainOpening } from './open-error.ts'

// One process per data directory. The lock is an operating-system lock on a separate file, which is released when the
// process dies, however it dies; a pid file would be wrong after a crash and in every container. SQLite takes the lock
// in the right way for each system. POSIX drops a process's locks on a file when that process closes *any* descriptor
// of it, so only SQLite may open `service.lock`: reading or copying it in this process would release the lock.

/** The right to use a data directory, held until it is released or the process ends. */
export interface DirectoryLock {
  /** Stores the address of this process for other processes. */
  publish(address: ServerAddress): void
  release(): void
}

const lockFileName = 'service.lock'
export const databaseFileName = 'service.db'

/** A command that checks for a server holds the lock for a moment; a start must not fail because of that. */
const lockWaitMs = 250
const checkIntervalMs = 5000

type Connection = SqliteDatabase.Database

/**
 * Locks a directory; undefined if another process, or another server in this one, holds the lock. Waiting blocks the
 * thread.
 */
export function lockDirectory(directory: string, waitMs = lockWaitMs): DirectoryLock | undefined {
  const path = join(directory, lockFileName)
  const first = acquire(path, waitMs)
  if (first === undefined) return undefined
  const held = [first]
  const file = createServerFile(directory)
  let watcher = watchLockFile(path, () => recheck())
  const recheck = () => {
    if (!lockNewFile(path, held)) return
    watcher?.close()
    watcher = watchLockFile(path, recheck)
  }
  // Without file system events, polls the status of the file. This does not open it either.
  watchFile(path, { persistent: false, interval: checkIntervalMs }, recheck)
  return {
    publish: file.write,
    release() {
      unwatchFile(path, recheck)
      watcher?.close()
      file.remove()
      for (const { connection } of held) connection.close()
    },
  }
}

export function isDirectoryLocked(directory: string): boolean {
  const path = join(directory, lockFileName)
  let connection: Connection | undefined
  try {
    if (findInode(path) === undefined) return false
    connection = new SqliteDatabase(path, { readonly: true, timeout: 0 })
    connection.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (fault) {
    if (isBusy(fault)) return true
    throw explainOpening(fault, path, directory)
  } finally {
    connection?.close()
  }
}

/**
 * Locks a separate file, created if missing, until it is released or the process ends; undefined if another process
 * holds the lock.
 */
export function lockFile(path: string, waitMs = lockWaitMs): { release(): void } | undefined {
  const held = acquire(path, waitMs)
  return held === undefined ? undefined : { release: () => void held.connection.close() }
}

interface Held {
  readonly connection: Connection
  readonly inode: number | undefined
}

function acquire(path: string, timeout: number): Held | undefined {
  createIfMissing(path)
  const connection = new SqliteDatabase(path, { timeout })
  try {
    // Nothing is written to this file, so it needs no journal. The lock lasts as long as the connection.
    connection.pragma('journal_mode = memory')
    connection.pragma('locking_mode = exclusive')
    connection.exec('begin exclusive')
    return { connection, inode: findInode(path) }
  } catch (fault) {
    connection.close()
    if (isBusy(fault)) return undefined
    throw fault
  }
}

/** `wx` never opens an existing file, so a second server in this process does not release the first one's lock. */
function createIfMissing(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    giveToOwner(path)
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault
  }
}

/** Deleting an open file changes its status, which the system reports at once (inotify). Watching does not open it. */
function watchLockFile(path: string, changed: () => void): FSWatcher | undefined {
  try {
    return watch(path, { persistent: false }, changed).on('error', () => undefined)
  } catch {
    return undefined
  }
}

/**
 * Deleting the file by hand would admit a second process, so the new file is locked as well. Returns whether there was
 * a new file to lock.
 */
function lockNewFile(path: string, held: Held[]): boolean {
  try {
    if (findInode(path) === held.at(-1)?.inode) return false
    const again = acquire(path, 0)
    if (again !== undefined) held.push(again)
    return again !== undefined
  } catch {
    // The directory itself is gone or full, which the next write reports.
    return false
  }
}

function findInode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

const isBusy = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && String(fault.code).startsWith('SQLITE_BUSY')

/** The address of a server that owns a data directory. */
export interface ServerAddress {
  /** Null until it listens on a port. */
  readonly url: string | null
  /** The configured URL under which people reach it; null if it has none. */
  readonly publicUrl: string | null
  /** The file with its admin token; null if the token was configured otherwise. */
  readonly tokenFile: string | null
}

/** A process that owns, or owned, a data directory. Only the lock shows whether it still runs. */
export interface RunningServer extends ServerAddress {
  readonly pid: number
  readonly host: string
}

const fileName = 'server.json'

/** The file that names the process that owns a data directory, at first without an address. */
function createServerFile(directory: string): { write(address: ServerAddress): void; remove(): void } {
  const path = join(directory, fileName)
  const write = ({ url, publicUrl, tokenFile }: ServerAddress) => {
    const server = { pid: process.pid, host: hostname(), url, public_url: publicUrl, token_file: tokenFile }
    const text = `${JSON.stringify(server)}\n`
    // Written to another file and renamed, so that readers never see half of it.
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  write({ url: null, publicUrl: null, tokenFile: null })
  return { write, remove: () => rmSync(path, { force: true }) }
}

/** The file written by the last owner of the directory; undefined if missing or unreadable. */
export function readServerFile(directory: string): RunningServer | undefined {
  try {
    const { pid, host, url, ...others } = JSON.parse(readFileSync(join(directory, fileName), 'utf8'))
    // Earlier versions write no public URL.
    return { pid, host, url, publicUrl: others.public_url ?? null, tokenFile: others.token_file }
  } catch {
    return undefined
  }
}

const ownerWaitMs = 1000
const pollIntervalMs = 10

/** The process that owns a locked directory. It writes the file right after locking, so this waits for a moment. */
export function readOwner(directory: string): RunningServer | undefined {
  for (let waitedMs = 0; waitedMs < ownerWaitMs; waitedMs += pollIntervalMs) {
    const owner = readServerFile(directory)
    if (owner !== undefined && !hasDied(owner)) return owner
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollIntervalMs)
  }
  return undefined
}

/** Whether the file was left by a killed process of this machine. Other machines cannot be checked. */
function hasDied({ pid, host }: RunningServer): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'ESRCH'
  }
}

/** `process 4711 (http://127.0.0.1:8080)`, for use in a sentence. */
export function describeServer(running: RunningServer | undefined): string {
  if (running === undefined) return 'another process'
  const { pid, host, url } = running
  const elsewhere = host === hostname() ? '' : ` on ${host}`
  return `process ${pid}${elsewhere}${url === null ? '' : ` (${url})`}`
}
