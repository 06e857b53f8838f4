import { ApiError } from '../core/errors.ts'

/** The data cannot be opened. The message names the path and what to do. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/** What each failure means for a path, and its remedy. Codes are Node's and, by their beginning, SQLite's. */
const sentences: readonly (readonly [codes: RegExp, sentence: (path: string) => string])[] = [
  [
    /^(?:EEXIST|ENOTDIR)$/,
    (path) => `${path}, or a part of it, is a file and no directory. Move it away, or name another data directory.`,
  ],
  [/^EISDIR$/, (path) => `${path} is a directory and no file. Move it away, or name another data directory.`],
  [
    /^(?:EACCES|EPERM|SQLITE_PERM)$/,
    (path) => `${path} may not be opened. Make it belong to the user that runs the platform, with mode 700.`,
  ],
  [
    /^(?:EROFS|SQLITE_READONLY)/,
    (path) => `${path} is read-only. Mount it writable, or name a data directory that is.`,
  ],
  [
    /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/,
    (path) => `There is no space left for ${path}. Make room on its disk and start again; nothing was lost.`,
  ],
  [
    /^SQLITE_NOTADB/,
    (path) => `${path} is not an SQLite database. Restore it from a backup, or name another data directory.`,
  ],
  [
    /^SQLITE_CORRUPT/,
    (path) =>
      `${path} is malformed. Restore it from a backup, or salvage what can be read with the .recover command of sqlite3.`,
  ],
  [
    /^SQLITE_BUSY|^SQLITE_LOCKED/,
    (path) => `${path} is used by another program. End it (a sqlite3 shell, a backup) and start again.`,
  ],
  [
    /^SQLITE_(?:CANTOPEN|IOERR)|^E(?:IO|NAMETOOLONG|LOOP|MFILE|NFILE|NOENT)$/,
    (path) => `${path} cannot be opened. Check the disk and the path, or name another data directory.`,
  ],
]

/** A failure to open `path` as a sentence with its remedy; what is no such failure stays as it is. */
export function explainOpening(fault: unknown, path: string): unknown {
  if (fault instanceof ApiError && fault.cause !== undefined) return explainOpening(fault.cause, path)
  if (!(fault instanceof Error) || !('code' in fault)) return fault
  const code = String(fault.code)
  const found = sentences.find(([codes]) => codes.test(code))
  return found === undefined ? fault : new OpenError(`${found[1](path)} (${code})`, { cause: fault })
}
