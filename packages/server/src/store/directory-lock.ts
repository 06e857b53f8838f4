import { closeSync, type FSWatcher, openSync, statSync, unwatchFile, watch, watchFile } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { createServerFile, type ServerAddress } from './server-file.ts'

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

export const lockFileName = 'service.lock'

/** A command that looks whether a server is there holds the lock for a moment; a start does not fail because of it. */
const patienceMs = 250
const checkEveryMs = 5000

type Connection = SqliteDatabase.Database

/** Takes the lock of a directory; undefined when another process, or another server in this one, has it. */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  const path = join(directory, lockFileName)
  const first = take(path, patienceMs)
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

/** Whether a running process has the lock of a directory. */
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
