import { sql } from 'kysely'
import type { TxApp } from '../core/context.ts'

/** Lets transactions that name the same text run one after the other. On SQLite all of them do. */
export async function lockText(app: TxApp, text: string): Promise<void> {
  if (app.store.dialect === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(app.db)
}
