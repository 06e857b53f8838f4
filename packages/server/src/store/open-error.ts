import { ApiError } from '../core/errors.ts'

/** The data cannot be opened. The message names the path and what to do. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/** The message and remedy for each failure to open a path. Codes come from Node, or from SQLite (by prefix). */
const remedies: readonly (readonly [codes: RegExp, sentence: (path: string) => string])[] = [
  [
    /^(?:EEXIST|ENOTDIR)$/,
    (path) => `${path}, or a part of it, is a file and not a directory. Move it, or choose another data directory.`,
  ],
  [/^EISDIR$/, (path) => `${path} is a directory, not a file. Move it, or choose another data directory.`],
  [
    /^(?:EACCES|EPERM|SQLITE_PERM)$/,
    (path) => `Permission to open ${path} was denied. Make it owned by the user that runs the platform, with mode 700.`,
  ],
  [
    /^(?:EROFS|SQLITE_READONLY)/,
    (path) => `${path} is read-only. Mount it writable, or choose a writable data directory.`,
  ],
  [
    /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/,
    (path) => `There is no space left for ${path}. Free space on its disk and restart. No data was lost.`,
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

/** Converts a failure to open `path` into a message with a remedy. Other errors pass through. */
export function explainOpening(fault: unknown, path: string): unknown {
  if (fault instanceof ApiError && fault.cause !== undefined) return explainOpening(fault.cause, path)
  if (!(fault instanceof Error) || !('code' in fault)) return fault
  const code = String(fault.code)
  const found = remedies.find(([codes]) => codes.test(code))
  return found === undefined ? fault : new OpenError(`${found[1](path)} (${code})`, { cause: fault })
}
