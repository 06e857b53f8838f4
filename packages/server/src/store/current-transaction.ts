import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection } from 'kysely'
import { currentTrace, type Trace } from '../trace.ts'
import { addCounts, countRows, type RowCounts } from './row-counts.ts'

// With stock Kysely, using the outer database inside a transaction waits for ever on SQLite and escapes the transaction
// on PostgreSQL. Here the driver asks which transaction the calling code is in, so both are impossible.

/** The transaction that the running code belongs to. */
export interface CurrentTransaction {
  readonly store: object
  readonly connection: DatabaseConnection
  /** False once it has committed or rolled back; code that lingers then reads outside. */
  open: boolean
  /** What is called once the changes are on disk. */
  readonly onCommit: Set<() => void>
  /** Present while somebody looks at the request that the transaction belongs to. */
  readonly changes: { readonly trace: Trace; readonly rows: RowCounts } | undefined
}

export const newTransaction = (store: object, connection: DatabaseConnection): CurrentTransaction => ({
  store,
  connection,
  open: true,
  onCommit: new Set(),
  changes: beginCounting(),
})

function beginCounting(): CurrentTransaction['changes'] {
  const trace = currentTrace()
  return trace === undefined ? undefined : { trace, rows: new Map() }
}

/** Counts what a statement of the caller's transaction has changed, where somebody looks. */
export function noteRows(sql: string, rows: number): void {
  const changes = current.getStore()?.changes
  if (changes !== undefined) countRows(changes.rows, sql, rows)
}

const current = new AsyncLocalStorage<CurrentTransaction>()

/** The open transaction of `store` that the caller runs in, if any. */
export function currentTransaction(store: object): CurrentTransaction | undefined {
  const transaction = current.getStore()
  return transaction?.open && transaction.store === store ? transaction : undefined
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

/** Calls `act` when the caller's transaction has committed, once however often it is asked; outside of one at once. */
export function afterCommit(store: object, act: () => void): void {
  const transaction = currentTransaction(store)
  if (transaction === undefined) act()
  else transaction.onCommit.add(act)
}

export function announceCommit({ onCommit, changes }: CurrentTransaction): void {
  if (changes?.trace.open === true) addCounts(changes.trace.rows, changes.rows)
  for (const act of onCommit) act()
}
