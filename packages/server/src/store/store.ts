import type { TransactionObserver } from '../core/request-capture.ts'
import type { Db } from './database.ts'
import type { ServerAddress } from './directory-lock.ts'
import type { StoreHealth } from './health.ts'
import type { PoolUse } from './postgres-pool.ts'

/** A database behind one face. `transaction.ts` is the only caller of `transaction`. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /** Inside a transaction this very object reads and writes in it; outside it only reads. */
  readonly db: Db
  /** Runs `work` in a transaction and resolves once it is durable. Inside one, joins it. */
  transaction<Result>(work: () => Promise<Result>, options?: WriteOptions): Promise<Result>
  /** Whether the caller is in a transaction, and so sees what may yet be undone. */
  isInTransaction(): boolean
  /** Calls `act` once the caller's transaction is durable, and never when it is undone; outside of one at once. */
  afterCommit(act: () => void): void
  /** Says whose rows the caller's transaction changes, where `WriteOptions` do not: who follows a workspace is told. */
  noteWorkspaces(ids: Iterable<number>): void
  /** From now on each transaction gets an observer of its own; gives back what ends it. */
  observeTransactions(begin: () => TransactionObserver): () => void
  /**
   * Where the database is in the process: runs a statement for each list of parameters, inside the caller's transaction,
   * without going through the query builder each time. Gives back how many rows were changed.
   */
  runForEach?(statement: string, parameters: readonly (readonly unknown[])[]): number
  /** Where several processes share a database: how they wake one another. */
  readonly signals?: StoreSignals
  /** And how they tell one another which tables have changed. */
  readonly changeSignals?: StoreSignals
  migrateWith(apply: (run: RunStatement) => Promise<void>): Promise<void>
  drained(): Promise<void>
  /** Where it has a directory of its own: writes down there how this process is reached. */
  publish?(address: ServerAddress): void
  /** The whole database, where it is in memory. */
  bytes?(): Buffer
  /** Where the database is a file: changes when another process has written to it. */
  foreignChanges?(): number
  /** Whether the database can be read and written, found out within a second whatever else it is asked. Never throws. */
  health(): Promise<StoreHealth>
  /** Said when the server is to stop: from now on a database that hangs is not waited for much longer. */
  stopWaiting?(): void
  poolUse?(): PoolUse
  close(): Promise<void>
}

interface WriteOptions {
  /** `now` unless told otherwise. */
  readonly durability?: Durability
  /** The only workspace whose rows it changes, where that is known. */
  readonly workspaceId?: number | undefined
}

/**
 * `soon` does not wait for the disk: such a commit survives the end of the process, and a power cut may undo it together
 * with all that came after it and did not wait either. It is for what may be done once more. PostgreSQL waits all the same:
 * there nobody else stands still meanwhile.
 */
export type Durability = 'now' | 'soon'

/** A word to all processes on the same database. It may get lost; who waits for one also looks from time to time. */
export interface StoreSignals {
  send(word?: string): Promise<void>
  /** Resolves to what ends it. A word that is empty may stand for any that was lost. */
  receive(onSignal: (word: string) => void): Promise<() => Promise<void>>
}

export type RunStatement = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
