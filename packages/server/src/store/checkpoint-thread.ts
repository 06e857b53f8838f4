import { parentPort, workerData } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'

/** Copies committed pages from the write-ahead log into the database, over a connection of its own; see `checkpoints.ts`. */
const database = new SqliteDatabase(workerData, { fileMustExist: true })

function checkpoint(): void {
  try {
    database.pragma('wal_checkpoint(passive)')
  } catch {
    // A full disk, or one that fails: nothing is lost, and the writer's own commits report it.
  }
  parentPort?.postMessage('done')
}

parentPort?.on('message', (order: 'checkpoint' | 'close') => {
  if (order === 'checkpoint') return checkpoint()
  database.close()
  parentPort?.close()
})
