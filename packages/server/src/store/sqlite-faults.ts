import { type ApiError, unavailable } from '../core/errors.ts'

// Which failures of SQLite pass by themselves once there is room, or the disk is back. They are answered 503, so that
// callers repeat. A malformed database does not pass and stays a fault of ours.

const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^SQLITE_FULL/, 'The database has no room at the moment. Try again shortly.'],
  [/^SQLITE_READONLY/, 'The database takes no changes at the moment. Try again shortly.'],
  [/^SQLITE_(?:IOERR|CANTOPEN|PROTOCOL)/, 'The disk of the database fails at the moment. Try again shortly.'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'Another program holds the database. Try again shortly.'],
]

/** The refusal for a failure that passes by itself; undefined for all that repeating does not mend. */
export function passingFault(fault: unknown): ApiError | undefined {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  const found = sentences.find(([codes]) => codes.test(code))
  return found === undefined ? undefined : unavailable(found[1], 2)
}
