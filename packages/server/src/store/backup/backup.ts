import { once } from 'node:events'
import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { threadFile } from '../../core/body-reading-thread.ts'
import { databaseFileName } from '../directory-lock.ts'
import { giveToOwner } from '../directory-owner.ts'
import { OpenError } from '../open-error.ts'
import { requirePlatform } from '../require-platform.ts'
import { requireSameDatabase } from '../same-database.ts'
import { createFolder } from './backup-directory.ts'
import { type BackupManifest, explainBackup, readManifest } from './backup-file.ts'
import { makingBackup } from './partial-backup.ts'
import { backUpPostgres } from './postgres-backup.ts'
import type { BackupOptions } from './sqlite-backup.ts'

export interface BackupSource {
  readonly data?: string | undefined
  readonly databaseUrl?: string | undefined
  /** The same database without a pooler. */
  readonly databaseDirectUrl?: string | undefined
}

/** Makes a backup while others read and write. Verifies it before renaming it to its final name. */
export async function backUp(
  { data, databaseUrl, databaseDirectUrl = databaseUrl }: BackupSource,
  options: BackupOptions,
): Promise<BackupManifest> {
  if (data === undefined && databaseDirectUrl === undefined)
    throw new OpenError('An in-memory database cannot be backed up. Choose a data directory with --data.')
  await requireSameDatabase(databaseUrl, databaseDirectUrl)
  await requirePlatform({ data, databaseUrl: databaseDirectUrl })
  createFolderFor(options.path)
  const existing = await lstat(options.path).catch((fault: unknown) => {
    if (Object(fault).code !== 'ENOENT') throw explainBackup(fault, options.path)
    return undefined
  })
  if (existing !== undefined && !(existing.isFile() && (await isBackup(options.path))))
    throw new OpenError(`${options.path} exists and is not a backup. Name a new file for the backup.`)
  return makingBackup(options.path, async () => {
    const manifest = await (databaseDirectUrl === undefined
      ? inThread(join(data ?? '', databaseFileName), options)
      : backUpPostgres(databaseDirectUrl, options))
    giveToOwner(options.path)
    return manifest
  })
}

function createFolderFor(path: string): void {
  try {
    createFolder(dirname(path))
  } catch (fault) {
    throw explainBackup(fault, dirname(path))
  }
}

/** An older backup may be replaced, but not a database or a key. */
const isBackup = (path: string) =>
  readManifest(path).then(
    () => true,
    () => false,
  )

/** The copy runs in a thread, so it does not block requests. */
async function inThread(database: string, options: BackupOptions): Promise<BackupManifest> {
  const thread = new Worker(threadFile('backup-thread', import.meta.url), { workerData: { database, options } })
  const [answer] = (await once(thread, 'message')) as [Answer] // sent by `backup-thread.ts`
  if ('manifest' in answer) return answer.manifest
  throw answer.refused ? new OpenError(answer.message) : new Error(answer.message)
}

type Answer = { readonly manifest: BackupManifest } | { readonly refused: boolean; readonly message: string }
