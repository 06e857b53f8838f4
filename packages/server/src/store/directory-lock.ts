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

// One process per data directory. The lock is one of the operating system's on a file of its own, which is dropped when
// the process dies, however it dies; a pid in a file would be wrong after a crash and in every container. SQLite takes
// it, as it knows how on each system. POSIX drops a process's locks on a file as soon as that process closes *any*
// descriptor of it, so nothing but SQLite ever opens `service.lock`: whoever reads or copies it here gives it away.

/** The right to use a data directory, held until it is released or the process ends. */
export interface DirectoryLock {
  /** Writes down for other processes where this one is reached. */
  publish(address: ServerAddress): void
  release(): void
}

const lockFileName = 'service.lock'

/** A command that looks whether a server is there holds the lock for a moment; a start does not fail because of it. */
const patienceMs = 250
const checkEveryMs = 5000

type Connection = SqliteDatabase.Database

/**
 * Takes the lock of a directory; undefined when another process, or another server in this one, has it. Waiting blocks the
 * thread.
 */
export function lockDirectory(directory: string, waitMs = patienceMs): DirectoryLock | undefined {
  const path = join(directory, lockFileName)
  const first = take(path, waitMs)
  if (first === undefined) return undefined
  const held = [first]
  const file = createServerFile(directory)
  let watcher = watchFileItself(path, () => lookAgain())
  const lookAgain = () => {
    if (!holdAgain(path, held)) return
    watcher?.close()
    watcher = watchFileItself(path, lookAgain)
  }
  // Where the system tells nothing: asks for the file's status from time to time, and never opens it either.
  watchFile(path, { persistent: false, interval: checkEveryMs }, lookAgain)
  return {
    publish: file.write,
    release() {
      unwatchFile(path, lookAgain)
      watcher?.close()
      file.remove()
      for (const { connection } of held) connection.close()
    },
  }
}

export function isDirectoryLocked(directory: string): boolean {
  const path = join(directory, lockFileName)
  if (inodeOf(path) === undefined) return false
  const connection = new SqliteDatabase(path, { readonly: true, timeout: 0 })
  try {
    connection.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (fault) {
    if (isBusy(fault)) return true
    throw fault
  } finally {
    connection.close()
  }
}

interface Held {
  readonly connection: Connection
  readonly inode: number | undefined
}

function take(path: string, timeout: number): Held | undefined {
  createOnce(path)
  const connection = new SqliteDatabase(path, { timeout })
  try {
    // Nothing is ever written to it: no journal, and the lock itself is kept for as long as the connection lives.
    connection.pragma('journal_mode = memory')
    connection.pragma('locking_mode = exclusive')
    connection.exec('begin exclusive')
    return { connection, inode: inodeOf(path) }
  } catch (fault) {
    connection.close()
    if (isBusy(fault)) return undefined
    throw fault
  }
}

/** `wx` never opens a file that is there, so a second server in this process does not drop the first one's lock. */
function createOnce(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault
  }
}

/** Deleting a file that is open changes its status, which the system tells at once (inotify); it does not open the file. */
function watchFileItself(path: string, changed: () => void): FSWatcher | undefined {
  try {
    return watch(path, { persistent: false }, changed).on('error', () => undefined)
  } catch {
    return undefined
  }
}

/**
 * Somebody who deletes the file by hand would let a second process in: then the new file is locked as well. Says whether
 * there was a new one to lock.
 */
function holdAgain(path: string, held: Held[]): boolean {
  try {
    if (inodeOf(path) === held.at(-1)?.inode) return false
    const again = take(path, 0)
    if (again !== undefined) held.push(again)
    return again !== undefined
  } catch {
    // The directory itself is gone or full: what is written there says so.
    return false
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

const isBusy = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && String(fault.code).startsWith('SQLITE_BUSY')

/** Where a server that owns a data directory is reached. */
export interface ServerAddress {
  /** Null while it has no port. */
  readonly url: string | null
  /** The file that holds its admin token; null when the token came from elsewhere. */
  readonly tokenFile: string | null
}

/** A process that owns, or owned, a data directory. Whether it still runs is told by the lock alone. */
export interface RunningServer extends ServerAddress {
  readonly pid: number
  readonly host: string
}

const fileName = 'server.json'

/** The file that says which process has a data directory; it begins without an address. */
function createServerFile(directory: string): { write(address: ServerAddress): void; remove(): void } {
  const path = join(directory, fileName)
  const write = ({ url, tokenFile }: ServerAddress) => {
    const text = `${JSON.stringify({ pid: process.pid, host: hostname(), url, token_file: tokenFile })}\n`
    // Written beside and renamed, so that nobody ever reads half of it.
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  write({ url: null, tokenFile: null })
  return { write, remove: () => rmSync(path, { force: true }) }
}

/** What the last process that had the directory has written; undefined when there is nothing that can be read. */
export function readServerFile(directory: string): RunningServer | undefined {
  try {
    const { pid, host, url, token_file: tokenFile } = JSON.parse(readFileSync(join(directory, fileName), 'utf8'))
    return { pid, host, url, tokenFile }
  } catch {
    return undefined
  }
}

const ownerPatienceMs = 1000
const lookEveryMs = 10

/** The process that has just been found to own a directory: it writes the file as soon as it has the lock, so a moment is waited. */
export function readOwner(directory: string): RunningServer | undefined {
  for (let waitedMs = 0; waitedMs < ownerPatienceMs; waitedMs += lookEveryMs) {
    const owner = readServerFile(directory)
    if (owner !== undefined && !hasDied(owner)) return owner
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookEveryMs)
  }
  return undefined
}

/** Whether it is what a process has left that was killed. Of another machine nothing is known. */
function hasDied({ pid, host }: RunningServer): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'ESRCH'
  }
}

/** `process 4711 (http://127.0.0.1:8080)`, for a sentence. */
export function nameOfServer(running: RunningServer | undefined): string {
  if (running === undefined) return 'another process'
  const { pid, host, url } = running
  const elsewhere = host === hostname() ? '' : ` on ${host}`
  return `process ${pid}${elsewhere}${url === null ? '' : ` (${url})`}`
}
