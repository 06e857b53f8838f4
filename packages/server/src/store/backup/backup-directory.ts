import { accessSync, constants, existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { formatInstant, type Micros } from '../../core/clock.ts'
import { giveToOwner } from '../directory-owner.ts'
import { nearestExisting } from '../nearest-existing.ts'
import { createPrivateDirectory } from '../private-directory.ts'
import { type BackupManifest, type BackupReason, readManifest } from './backup-file.ts'

export interface StoredBackup {
  readonly path: string
  readonly sizeBytes: number
  readonly manifest: BackupManifest
}

/** Also a link to a missing place, such as a disk that is not mounted. */
function isEntry(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

/** Why backups cannot be written to a directory, with the remedy. Creates nothing, not even a missing directory. */
export function findBackupProblem(directory: string): string | undefined {
  const path = resolve(directory)
  try {
    const entry = nearestExisting(path, isEntry)
    if (!existsSync(entry))
      return `${entry} is a link to ${readlinkSync(entry)}, which is missing, so no backup can be written to ${path}. ${remedy}`
    if (!statSync(entry).isDirectory()) return `${entry} is a file, so no backup can be written to ${path}. ${remedy}`
    accessSync(entry, constants.W_OK | constants.X_OK)
    return undefined
  } catch (fault) {
    return describeFault(path, fault)
  }
}

/** The same, after creating the directory if it is missing. */
export function createBackupDirectory(directory: string): string | undefined {
  const path = resolve(directory)
  const problem = findBackupProblem(path)
  if (problem !== undefined) return problem
  try {
    createFolder(path)
    return undefined
  } catch (fault) {
    return describeFault(path, fault)
  }
}

export function createFolder(path: string): void {
  if (createPrivateDirectory(path)) giveToOwner(path)
}

const describeFault = (path: string, fault: unknown): string =>
  `No backup can be written to ${path} (${Object(fault).code}). ${remedy}`

const remedy =
  'Make the directory writable for the user that runs the platform, or set another one in SERVICE_BACKUP_DIRECTORY (backupDirectory).'

const extension = '.backup'

/** `scheduled-2026-11-20T18-51-53-123Z.backup`: sorts by time, and every file system allows its characters. */
export const backupName = (reason: BackupReason, at: Micros): string =>
  `${reason}-${new Date(at / 1000).toISOString().replace(/[:.]/g, '-')}${extension}`

/** Newest first. Unreadable files are skipped. */
export async function findBackups(directory: string): Promise<StoredBackup[]> {
  const names = await readdir(directory).catch(() => [])
  const found = await Promise.all(
    names.filter((name) => name.endsWith(extension)).map((name) => open(join(directory, name)).catch(() => undefined)),
  )
  return found
    .filter((backup) => backup !== undefined)
    .sort((a, b) => (a.manifest.created_at < b.manifest.created_at ? 1 : -1))
}

const open = async (path: string): Promise<StoredBackup> => ({
  path,
  sizeBytes: (await stat(path)).size,
  manifest: await readManifest(path),
})

interface Kept {
  readonly keep: number
  readonly latest: Micros
}

/**
 * Keeps the newest backups made for this reason and deletes the others. Those later than `latest` count as the oldest: they
 * were made while the clock was wrong.
 */
export async function removeOldest(directory: string, reason: BackupReason, { keep, latest }: Kept): Promise<void> {
  const all = (await findBackups(directory)).filter(({ manifest }) => manifest.reason === reason)
  const isLater = ({ manifest }: StoredBackup) => manifest.created_at > formatInstant(latest)
  const byAge = [...all.filter((backup) => !isLater(backup)), ...all.filter(isLater)]
  for (const { path } of byAge.slice(keep)) await rm(path)
}
