import { closeSync, createReadStream, openSync, rmSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { explainOpening, OpenError } from '../open-error.ts'
import { type BackupFacts, type BackupManifest, type BackupReason, explainBackup, writeBackup } from './backup-file.ts'
import { toCopyPath } from './partial-backup.ts'

export interface BackupOptions {
  readonly path: string
  readonly reason: BackupReason
  readonly version: string
  readonly createdAt: string
}

/**
 * Backs up a database file while others write to it. SQLite copies a snapshot into a new file, which is checked and
 * then compressed. Blocks its thread during the copy, see `backup-thread.ts`. The caller removes the copy.
 */
export async function backUpSqlite(database: string, options: BackupOptions): Promise<BackupManifest> {
  const { path, reason, version, createdAt: created_at } = options
  const copy = toCopyPath(path)
  rmSync(copy, { force: true })
  try {
    copyInto(copy, database)
  } catch (fault) {
    const isDamaged = fault instanceof Error && 'code' in fault && /CORRUPT|NOTADB/.test(String(fault.code))
    throw isDamaged ? explainOpening(fault, database) : explainBackup(fault, path)
  }
  const facts = { reason, version, created_at, dialect: 'sqlite', ...inspectSqlite(copy) } as const
  return writeBackup(path, createReadStream(copy), () => facts)
}

function copyInto(copy: string, database: string): void {
  // SQLite would create it for all users to read. Its journal gets the same mode.
  closeSync(openSync(copy, 'wx', 0o600))
  const source = new SqliteDatabase(database, { readonly: true, fileMustExist: true })
  try {
    source.prepare('vacuum into ?').run(copy)
  } finally {
    source.close()
  }
}

/** Opens a database separately and checks all of it. */
export function inspectSqlite(path: string): Pick<BackupFacts, 'schema' | 'rows' | 'key_fingerprint'> {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
  try {
    const column = (statement: string) => database.prepare(statement).pluck().all() as string[] // one column of text
    const [integrity] = column('pragma integrity_check')
    if (integrity !== 'ok') throw new OpenError(`The database in ${path} is malformed: ${integrity}.`)
    const tables = column(`select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite%' order by name`)
    const count = (table: string) => database.prepare(`select count(*) from "${table}"`).pluck().get() as number
    return {
      schema: tables.includes('migrations') ? column('select name from migrations order by name') : [],
      rows: Object.fromEntries(tables.map((table) => [table, count(table)])),
      key_fingerprint: tables.includes('encryption_key')
        ? (column('select fingerprint from encryption_key')[0] ?? null)
        : null,
    }
  } finally {
    database.close()
  }
}
