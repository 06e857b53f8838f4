import { parentPort, workerData } from 'node:worker_threads'
import { OpenError } from '../open-error.ts'
import { type BackupOptions, backUpSqlite } from './sqlite-backup.ts'

/** Worker thread that backs up a SQLite database; started by `backup.ts`. */
const { database, options } = workerData as { readonly database: string; readonly options: BackupOptions }

parentPort?.postMessage(
  await backUpSqlite(database, options).then(
    (manifest) => ({ manifest }),
    (fault: unknown) => ({
      refused: fault instanceof OpenError,
      message: fault instanceof Error ? fault.message : String(fault),
    }),
  ),
)
