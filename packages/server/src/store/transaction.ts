import { AsyncLocalStorage } from 'node:async_hooks'
import { type DatabaseConnection, sql } from 'kysely'
import type { App, TxApp } from '../context.ts'
import { currentCapture, type TransactionObserver } from '../core/request-capture.ts'

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

/** Runs `work` in a transaction of its own, and takes back what it changed. */
export async function rolledBack<Result>(app: App, work: (app: TxApp) => Promise<Result>): Promise<Result> {
  const undo = new Error('This transaction is only tried.')
  const results: Result[] = []
  await inTransaction(app, async (app) => {
    results.push(await work(app))
    throw undo
  }).catch((thrown: unknown) => {
    if (thrown !== undo) throw thrown
  })
  return results[0] as Result // nothing else was thrown, so it was reached
}

/** Lets transactions that name the same text run one after the other. On SQLite all of them do. */
export async function lockText(app: TxApp, text: string): Promise<void> {
  if (app.store.dialect === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(app.db)
}

// With stock Kysely, using the outer database inside a transaction waits for ever on SQLite and escapes the transaction
// on PostgreSQL. Here the driver asks which transaction the calling code is in, so both are impossible.

export interface CurrentTransaction {
  readonly store: object
  readonly connection: DatabaseConnection
  /** False once it has committed or rolled back; code that lingers then reads outside. */
  open: boolean
  readonly onCommit: Set<() => void>
  /** Who looks on: at the request that the transaction belongs to, or at all that is committed. */
  readonly observers: readonly TransactionObserver[]
  /** The only workspace whose rows it changes, where that is known. */
  workspaceId: number | undefined
  readonly workspaceIds: Set<number>
}

export function newTransaction(
  store: object,
  connection: DatabaseConnection,
  workspaceId?: number,
): CurrentTransaction {
  const observers = Array.from(watchers.get(store) ?? [], (begin) => begin())
  const capture = currentCapture()
  if (capture !== undefined) observers.push(capture.observeTransaction())
  const workspaceIds = new Set(workspaceId === undefined ? [] : [workspaceId])
  return { store, connection, open: true, onCommit: new Set(), observers, workspaceId, workspaceIds }
}

const watchers = new WeakMap<object, Set<() => TransactionObserver>>()

/** From now on each transaction of the store has an observer of its own; gives back what ends it. */
export function observeTransactions(store: object, begin: () => TransactionObserver): () => void {
  const all = watchers.get(store) ?? new Set()
  watchers.set(store, all.add(begin))
  return () => void all.delete(begin)
}

/** Tells the observers of the caller's transaction what a statement has changed. */
export function noteRows(sql: string, rows: number): void {
  for (const observer of current.getStore()?.observers ?? []) observer.statementRan(sql, rows)
}

const current = new AsyncLocalStorage<CurrentTransaction>()

export function currentTransaction(store: object): CurrentTransaction | undefined {
  const transaction = current.getStore()
  return transaction?.open && transaction.store === store ? transaction : undefined
}

/** Whether the caller is in a transaction already. It then takes part in it, and may change what that was not begun for. */
export function joinTransaction(store: object, workspaceId: number | undefined): boolean {
  const transaction = currentTransaction(store)
  if (transaction === undefined) return false
  if (workspaceId !== undefined) transaction.workspaceIds.add(workspaceId)
  if (transaction.workspaceId !== workspaceId) transaction.workspaceId = undefined
  return true
}

export async function runInTransaction<Result>(
  transaction: CurrentTransaction,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await current.run(transaction, work)
  } finally {
    transaction.open = false
  }
}

/** Says whose rows the caller's transaction changes, for who follows them. */
export function noteWorkspaces(store: object, ids: Iterable<number>): void {
  const transaction = currentTransaction(store)
  for (const id of ids) transaction?.workspaceIds.add(id)
}

/** Calls `act` when the caller's transaction has committed, once however often it is asked; outside of one at once. */
export function afterCommit(store: object, act: () => void): void {
  const transaction = currentTransaction(store)
  if (transaction === undefined) act()
  else transaction.onCommit.add(act)
}

export function announceCommit({ onCommit, observers, workspaceId, workspaceIds }: CurrentTransaction): void {
  for (const observer of observers) observer.committed(workspaceId, workspaceIds)
  for (const act of onCommit) act()
}
