import { parentPort, workerData } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'

/** Worker thread that copies committed pages from the WAL into the database; see `checkpoints.ts`. */
const database = new SqliteDatabase(workerData, { fileMustExist: true })

function checkpoint(): void {
  try {
    database.pragma('wal_checkpoint(passive)')
  } catch {
    // A full or failing disk loses nothing, and the writer's own commits report it.
  }
  parentPort?.postMessage('done')
}

parentPort?.on('message', (order: 'checkpoint' | 'close') => {
  if (order === 'checkpoint') return checkpoint()
  database.close()
  parentPort?.close()
})
