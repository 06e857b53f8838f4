import { copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toShellWord } from '../core/shell-word.ts'
import { databaseFileName } from './directory-lock.ts'
import { OpenError } from './open-error.ts'
import { removeTemporaryFiles, replaceSecret, syncDirectory } from './secret-file.ts'

// A restore replaces the database of a data directory by one rename. Before, it stores its plan in a journal. If it is
// killed, the next command can tell: after the rename, the restore is complete. Before, the previous database is still in
// place, and the restore is either repeated or undone.
//
// Locked by the caller: every function here needs the lock of the directory.

/** What a restore is about to do. */
export interface RestorePlan {
  /** The path of the backup. */
  readonly backup: string
  /** The name that the previous database will have; null if there is none. */
  readonly aside: string | null
}

/** A new name for the previous database. */
export const keptName = (at: Date): string =>
  `${databaseFileName}.before-restore-${at.toISOString().replace(/[:.]/g, '-')}`

const pathsIn = (directory: string) => {
  const database = join(directory, databaseFileName)
  return { database, incoming: `${database}.restoring`, journal: `${database}.restore.json` }
}

/** Where the restored database is written before it gets its name. */
export const incomingDatabase = (directory: string): string => pathsIn(directory).incoming

export function beginRestore(directory: string, plan: RestorePlan): void {
  replaceSecret(pathsIn(directory).journal, JSON.stringify(plan))
}

/** Replaces the database by the incoming one, and keeps the previous one under the name of the plan. */
export function replaceDatabase(directory: string, { aside }: RestorePlan): void {
  const { database, incoming } = pathsIn(directory)
  if (aside !== null) {
    const kept = join(directory, aside)
    // SQLite finds a WAL by the name of its database, and would apply it to the restored one.
    for (const suffix of ['-wal', '']) if (existsSync(database + suffix)) keepAs(database + suffix, kept + suffix)
    syncDirectory(directory)
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true })
    syncDirectory(directory)
  }
  renameSync(incoming, database)
  syncDirectory(directory)
  endRestore(directory)
}

function keepAs(path: string, kept: string): void {
  rmSync(kept, { force: true })
  try {
    linkSync(path, kept)
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault) || fault.code === 'ENOENT') throw fault
    // A file system without hard links.
    copyFileSync(path, kept)
  }
}

function endRestore(directory: string): void {
  rmSync(pathsIn(directory).journal, { force: true })
  removeTemporaryFiles(directory)
  syncDirectory(directory)
}

/** Deletes the journal of a restore that has replaced the database. */
export function completeRestore(directory: string): void {
  const plan = readPlan(directory)
  if (plan !== undefined && isReplaced(directory, plan)) endRestore(directory)
}

/**
 * Puts the directory back into the state before an interrupted restore. Returns whether there was one. Also completes
 * one that has replaced the database already.
 */
export function undoRestore(directory: string): 'nothing' | 'undone' | 'completed' {
  const { database, incoming } = pathsIn(directory)
  const plan = readPlan(directory)
  if (plan !== undefined && isReplaced(directory, plan)) {
    endRestore(directory)
    return 'completed'
  }
  if (plan === undefined && !existsSync(incoming)) return 'nothing'
  if (plan?.aside) putBack(database, join(directory, plan.aside))
  rmSync(incoming, { force: true })
  endRestore(directory)
  return 'undone'
}

function putBack(database: string, kept: string): void {
  for (const suffix of ['-wal', '-shm', '']) {
    if (!existsSync(kept + suffix)) continue
    if (existsSync(database + suffix)) rmSync(kept + suffix, { force: true })
    else renameSync(kept + suffix, database + suffix)
  }
}

/** Rejects a directory in which a restore was interrupted before it replaced the database. Needs no lock. */
export function requireRestored(directory: string): void {
  const plan = readPlan(directory)
  if (plan !== undefined && isReplaced(directory, plan)) return
  if (plan === undefined && !existsSync(incomingDatabase(directory))) return
  const command = 'service-server restore'
  const backup = plan === undefined ? '<backup>' : toShellWord(plan.backup)
  const place = `--data ${toShellWord(directory)}`
  throw new OpenError(
    `A restore of ${plan?.backup ?? 'a backup'} into ${directory} has not finished. Run "${command} ${backup} ${place}" again to complete it, or "${command} --undo ${place}" to keep the previous database.`,
  )
}

/** Whether the rename took place: the incoming database is gone, and what it replaced has its new name. */
function isReplaced(directory: string, { aside }: RestorePlan): boolean {
  const { database, incoming } = pathsIn(directory)
  if (existsSync(incoming) || !existsSync(database)) return false
  return aside === null || existsSync(join(directory, aside))
}

function readPlan(directory: string): RestorePlan | undefined {
  try {
    return JSON.parse(readFileSync(pathsIn(directory).journal, 'utf8')) as RestorePlan // written only by `beginRestore`
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return undefined
    throw fault
  }
}
