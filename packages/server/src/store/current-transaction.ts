import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection } from 'kysely'

// With stock Kysely, using the outer database inside a transaction waits for ever on SQLite and escapes the transaction
// on PostgreSQL. Here the driver asks which transaction the calling code is in, so both are impossible.

/** The transaction that the running code belongs to. */
export interface CurrentTransaction {
  readonly store: object
  readonly connection: DatabaseConnection
  /** False once it has committed or rolled back; code that lingers then reads outside. */
  open: boolean
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
