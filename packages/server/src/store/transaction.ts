import { sql } from 'kysely'
import type { App, TxApp } from '../context.ts'

/**
 * Runs `work` in a transaction and resolves once its changes are on disk. Inside a transaction it joins that one.
 * The inner name hides the outer one on purpose: `inTransaction(app, async (app) => …)`.
 * Nothing slow (network, files, hashing) belongs inside: on SQLite every writer waits for it.
 */
export function inTransaction<Result>(app: App, work: (app: TxApp) => Promise<Result>): Promise<Result> {
  return app.store.transaction(() => work(app as TxApp), { workspaceId: app.workspaceId }) // the one place where the brand is given
}

/** The same for what may be done once more after a power cut: it does not wait for the disk. */
export function inQuickTransaction<Result>(app: App, work: (app: TxApp) => Promise<Result>): Promise<Result> {
  return app.store.transaction(() => work(app as TxApp), { durability: 'soon', workspaceId: app.workspaceId }) // as above
}

/** Lets transactions that name the same text run one after the other. On SQLite all of them do. */
export async function lockText(app: TxApp, text: string): Promise<void> {
  if (app.store.dialect === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(app.db)
}
