import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { threadFile } from '../../core/body-reading-thread.ts'
import { databaseFileName } from '../open-directory.ts'
import { OpenError } from '../open-error.ts'
import { requirePlatform } from '../require-platform.ts'
import type { BackupManifest } from './backup-file.ts'
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
  await requirePlatform({ data, databaseUrl: databaseDirectUrl })
  await mkdir(dirname(options.path), { recursive: true, mode: 0o700 })
  if (databaseDirectUrl !== undefined) return backUpPostgres(databaseDirectUrl, options)
  return inThread(join(data ?? '', databaseFileName), options)
}

/** The copy runs in a thread, so it does not block requests. */
async function inThread(database: string, options: BackupOptions): Promise<BackupManifest> {
  const thread = new Worker(threadFile('backup-thread', import.meta.url), { workerData: { database, options } })
  const [answer] = (await once(thread, 'message')) as [Answer] // sent by `backup-thread.ts`
  if ('manifest' in answer) return answer.manifest
  throw answer.refused ? new OpenError(answer.message) : new Error(answer.message)
}

type Answer = { readonly manifest: BackupManifest } | { readonly refused: boolean; readonly message: string }
