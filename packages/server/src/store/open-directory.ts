import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type DirectoryLock, databaseFileName, describeServer, lockDirectory, readOwner } from './directory-lock.ts'
import { explainOpening, OpenError } from './open-error.ts'
import { createPrivateDirectory } from './private-directory.ts'
import { completeRestore, requireRestored } from './restore-journal.ts'
import { keyFileName, removeTemporaryFiles } from './secret-file.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'
import type { Store } from './store.ts'

type DirectoryOptions = Pick<SqliteOptions, 'synchronous' | 'log' | 'isEmbedded' | 'stopwatchMs'>

/** Opens the database of a data directory, which belongs to this process alone until it is closed. */
export function openDirectory(data: string, options: DirectoryOptions): Store {
  const directory = resolve(data)
  const lock = withRemedy(directory, directory, () => {
    // The directory holds token hashes and personal data, so only its owner may read it.
    createPrivateDirectory(directory)
    return lockDirectory(directory)
  })
  if (lock === undefined) throw inUseError(directory)
  try {
    return openLocked(directory, options, lock)
  } catch (fault) {
    lock.release()
    throw fault
  }
}

/** Converts a failure to open the database in `data` into a message with a remedy. */
export const explainDatabase = (fault: unknown, data: string): unknown =>
  explainOpening(fault, join(resolve(data), databaseFileName), resolve(data))

function openLocked(directory: string, options: DirectoryOptions, lock: DirectoryLock): Store {
  removeTemporaryFiles(directory)
  const path = join(directory, databaseFileName)
  return withRemedy(path, directory, () => {
    requireRestored(directory)
    completeRestore(directory)
    requireContent(directory, { path, ...options })
    closeSync(openSync(path, 'a', 0o600))
    // The same object, by which transactions are found.
    return Object.assign(openSqlite({ path, ...options, closed: lock.release }), { publish: lock.publish })
  })
}

/** The key is created after the database, so a key next to an empty database, or to none, may mean that data was lost. */
function requireContent(directory: string, { path, log }: Pick<SqliteOptions, 'path' | 'log'>): void {
  const key = join(directory, keyFileName)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined && existsSync(key))
    log?.warn(
      `${directory} has an encryption key and no database, so a new platform begins. If its database was lost, stop the server and restore a backup.`,
    )
  if (size !== 0 || !existsSync(key)) return
  throw new OpenError(
    `${path} is empty, but ${key} belongs to an earlier database. Restore the database from a backup. To start over, move both files away.`,
  )
}

function inUseError(directory: string): OpenError {
  const running = describeServer(readOwner(directory))
  return new OpenError(
    `The data directory ${directory} is in use by ${running}. Use that server, stop it first, or choose another directory.`,
  )
}

function withRemedy<Result>(path: string, directory: string, open: () => Result): Result {
  try {
    return open()
  } catch (fault) {
    throw explainOpening(fault, path, directory)
  }
}
