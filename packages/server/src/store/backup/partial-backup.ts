import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '../directory-lock.ts'

// While a backup is made, its parts have the endings below, and its process holds a lock that ends with it. So a start
// can tell the parts of a killed process from those of another one that is still working.

/** The uncompressed copy of a SQLite database. */
export const toCopyPath = (path: string): string => `${path}.copy`
/** The backup before it is complete. */
export const toUnfinishedPath = (path: string): string => `${path}.unfinished`
const toLockPath = (path: string): string => `${path}.lock`

/** Runs `work`, which makes the backup `path`, and then removes its parts. */
export async function makingBackup<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  // On some network file systems nothing can be locked. A backup is still made there.
  const lock = tryLock(path)
  const removeOwnParts = () => removeParts(path, lock)
  process.once('exit', removeOwnParts)
  try {
    return await work()
  } finally {
    process.off('exit', removeOwnParts)
    removeOwnParts()
  }
}

/** Removes what killed processes have left in a backup directory. */
export function removePartialBackups(directory: string): void {
  for (const path of listPartial(directory)) {
    const lock = tryLock(path)
    if (lock !== undefined) removeParts(path, lock)
  }
}

type FileLock = ReturnType<typeof lockFile>

function tryLock(path: string): FileLock {
  try {
    return lockFile(toLockPath(path))
  } catch {
    return undefined
  }
}

function removeParts(path: string, lock: FileLock): void {
  for (const part of [toCopyPath(path), `${toCopyPath(path)}-journal`, toUnfinishedPath(path)])
    rmSync(part, { force: true })
  lock?.release()
  rmSync(toLockPath(path), { force: true })
}

const partName = /^(.+\.backup)\.(?:copy|copy-journal|unfinished|lock)$/

function listPartial(directory: string): ReadonlySet<string> {
  return new Set(
    namesIn(directory)
      .flatMap((name) => partName.exec(name)?.[1] ?? [])
      .map((name) => join(directory, name)),
  )
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
