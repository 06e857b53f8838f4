import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ApiError } from '../core/errors.ts'
import { toShellWord } from '../core/shell-word.ts'
import { nearestExisting } from './nearest-existing.ts'

/** The data cannot be opened. The message names the path and what to do. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/** The message and remedy for each failure to open a path. Codes come from Node, or from SQLite (by prefix). */
const remedies: readonly (readonly [codes: RegExp, sentence: (path: string, directory: string) => string])[] = [
  [/^(?:EEXIST|ENOTDIR)$/, describeFile],
  [/^EISDIR$/, (path) => `${path} is a directory, not a file. Move it, or choose another data directory.`],
  [
    /^(?:EACCES|EPERM|SQLITE_PERM)$/,
    (path, directory) =>
      `Permission to open ${path} was denied. Make it owned by the user that runs the platform, with mode ${isFile(path) ? 600 : 700}.${describeOwner(directory)}`,
  ],
  [
    /^(?:EROFS|SQLITE_READONLY)/,
    (path) => `${path} is read-only. Mount it writable, or choose a writable data directory.`,
  ],
  [
    /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/,
    (path) => `There is no space left for ${path}. Free space on its disk, and try again. No data was lost.`,
  ],
  [
    /^SQLITE_NOTADB/,
    (path) => `${path} is not an SQLite database. Restore it from a backup, or choose another data directory.`,
  ],
  [
    /^SQLITE_CORRUPT/,
    (path) =>
      `${path} is malformed. Restore it from a backup, or salvage what can be read with the .recover command of sqlite3.`,
  ],
  [
    /^SQLITE_BUSY|^SQLITE_LOCKED/,
    (path) => `Another program (a sqlite3 shell, a backup) is using ${path}. Stop it and start again.`,
  ],
  [
    /^SQLITE_(?:CANTOPEN|IOERR)|^E(?:IO|NAMETOOLONG|LOOP|MFILE|NFILE|NOENT)$/,
    (path) => `${path} cannot be opened. Check the disk and the path, or choose another data directory.`,
  ],
]

/** A file in the place of a directory, such as the database itself. */
export function describeFile(path: string): string {
  const nearest = nearestExisting(path)
  // A link to a missing place does not exist either.
  const file = isFile(nearest) ? nearest : path
  return file.endsWith('.db')
    ? `${file} is a database and not a directory. Pass the directory that contains it: ${dirname(file)}.`
    : `${file} is not a directory. Move it, or choose another data directory.`
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

/** A volume that is mounted into a container often belongs to another user. */
function describeOwner(path: string): string {
  const user = process.getuid?.()
  const nearest = nearestExisting(path)
  const owner = statSync(nearest, { throwIfNoEntry: false })?.uid
  if (user === undefined || owner === undefined || owner === user) return ''
  const facts = ` This is the user ${user}, and ${nearest} belongs to the user ${owner}`
  // A parent directory, such as /var/lib, has other contents too.
  return nearest === path
    ? `${facts}: run this as that user, or run "chown -R ${user} ${toShellWord(path)}" as root.`
    : `${facts}.`
}

/**
 * Converts a failure to open `path` into a message with a remedy. Other errors pass through. `directory` is the data
 * directory, if the path is in it.
 */
export function explainOpening(fault: unknown, path: string, directory = path): unknown {
  if (fault instanceof ApiError && fault.cause !== undefined) return explainOpening(fault.cause, path, directory)
  if (!(fault instanceof Error) || !('code' in fault)) return fault
  const code = codeOf(fault, path)
  const found = remedies.find(([codes]) => codes.test(code))
  return found === undefined ? fault : new OpenError(`${found[1](path, directory)} (${code})`, { cause: fault })
}

/** SQLite has one code for every file that it cannot open. */
function codeOf(fault: Error & { readonly code: unknown }, path: string): string {
  const code = String(fault.code)
  return code.startsWith('SQLITE_CANTOPEN') && isDenied(path) ? 'EACCES' : code
}

function isDenied(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return false
  } catch (fault) {
    return Object(fault).code === 'EACCES'
  }
}

const pathCodes = /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|ENOTDIR)$/

/** Converts a failure that Node reports with its path. */
export function explainPath(fault: unknown): unknown {
  const { code, path } = Object(fault)
  return typeof path === 'string' && pathCodes.test(String(code)) ? explainOpening(fault, path) : fault
}
