import { AsyncLocalStorage } from 'node:async_hooks'
import { type DatabaseConnection, sql } from 'kysely'
import type { App, TxApp } from '../context.ts'
import { currentCapture, type TransactionObserver } from '../core/request-capture.ts'
import { traceTransaction } from '../core/tracing.ts'

/**
 * Runs `work` in a transaction and resolves once its changes are on disk. Inside a transaction, joins it.
 * The inner name shadows the outer one on purpose: `inTransaction(app, async (app) => …)`.
 * Keep slow work (network, files, hashing) outside: on SQLite every writer waits for it.
 */
export function inTransaction<Result>(app: App, work: (app: TxApp) => Promise<Result>): Promise<Result> {
  const { store, workspaceId } = app
  const inside = () => work(app as TxApp) // the only place that applies the brand
  if (store.isInTransaction()) return store.transaction(inside, { workspaceId })
  return traceTransaction(inside, (inside) => store.transaction(inside, { workspaceId }))
}

/** Like `inTransaction`, but does not wait for the disk: for work that can be repeated after a power failure. */
export function inQuickTransaction<Result>(app: App, work: (app: TxApp) => Promise<Result>): Promise<Result> {
  return app.store.transaction(() => work(app as TxApp), { durability: 'soon', workspaceId: app.workspaceId }) // as above
}

/** Runs `work` in a separate transaction and rolls it back. */
export async function rolledBack<Result>(app: App, work: (app: TxApp) => Promise<Result>): Promise<Result> {
  const undo = new Error('This transaction is always rolled back.')
  const results: Result[] = []
  await inTransaction(app, async (app) => {
    results.push(await work(app))
    throw undo
  }).catch((thrown: unknown) => {
    if (thrown !== undo) throw thrown
  })
  return results[0] as Result // set, because only `undo` was thrown
}

/** Serializes transactions that lock the same text. On SQLite all transactions are serialized. */
export async function lockText(app: TxApp, text: string): Promise<void> {
  if (app.store.dialect === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(app.db)
}

// With stock Kysely, using the outer database inside a transaction deadlocks on SQLite and escapes the transaction on
// PostgreSQL. Here the driver looks up the caller's transaction, which prevents both.

export interface CurrentTransaction {
  readonly store: object
  readonly connection: DatabaseConnection
  /** False once it has committed or rolled back. Code that continues afterwards reads outside. */
  open: boolean
  readonly onCommit: Set<() => void>
  /** Observers of the request that the transaction belongs to, or of all commits. */
  readonly observers: readonly TransactionObserver[]
  /** The only workspace whose rows the transaction changes, if known. */
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

/** Creates an observer for each later transaction of the store; returns a function that stops this. */
export function observeTransactions(store: object, begin: () => TransactionObserver): () => void {
  const all = watchers.get(store) ?? new Set()
  watchers.set(store, all.add(begin))
  return () => void all.delete(begin)
}

/** Reports to the observers of the caller's transaction how many rows a statement changed. */
export function noteRows(sql: string, rows: number, parameters: readonly unknown[]): void {
  for (const observer of current.getStore()?.observers ?? []) observer.statementRan(sql, rows, parameters)
}

const current = new AsyncLocalStorage<CurrentTransaction>()

export function currentTransaction(store: object): CurrentTransaction | undefined {
  const transaction = current.getStore()
  return transaction?.open && transaction.store === store ? transaction : undefined
}

/** The transaction that an app belongs to, as the key of what is counted in it. */
export function transactionOf({ store }: TxApp): object {
  const transaction = currentTransaction(store)
  if (transaction === undefined) throw new TypeError('An app of a transaction is used outside of it.')
  return transaction
}

/** Whether the caller is already in a transaction, which then also covers this change. */
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

/** Records whose rows the caller's transaction changes, to notify followers. */
export function noteWorkspaces(store: object, ids: Iterable<number>): void {
  const transaction = currentTransaction(store)
  for (const id of ids) transaction?.workspaceIds.add(id)
}

/** Calls `act` once after the caller's transaction has committed, even if added repeatedly; outside one, at once. */
export function afterCommit(store: object, act: () => void): void {
  const transaction = currentTransaction(store)
  if (transaction === undefined) act()
  else transaction.onCommit.add(act)
}

export function announceCommit({ onCommit, observers, workspaceId, workspaceIds }: CurrentTransaction): void {
  for (const observer of observers) observer.committed(workspaceId, workspaceIds)
  for (const act of onCommit) act()
}
