import type { TransactionObserver } from '../core/request-capture.ts'
import type { Db } from './database.ts'
import type { ServerAddress } from './directory-lock.ts'
import type { StoreHealth } from './health.ts'
import type { PoolUse } from './postgres-pool.ts'

/** The interface to either database. Only `transaction.ts` calls `transaction`. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /** Inside a transaction, reads and writes through it. Outside, read-only. */
  readonly db: Db
  /** Runs `work` in a transaction and resolves once it is durable. Inside one, joins it. */
  transaction<Result>(work: () => Promise<Result>, options?: WriteOptions): Promise<Result>
  /** Whether the caller is in a transaction and so sees uncommitted changes. */
  isInTransaction(): boolean
  /** Calls `act` once the caller's transaction is durable, never after a rollback; outside a transaction, at once. */
  afterCommit(act: () => void): void
  /** Records whose rows the caller's transaction changes, if `WriteOptions` does not, to notify followers. */
  noteWorkspaces(ids: Iterable<number>): void
  /** Creates an observer for each later transaction; returns a function that stops this. */
  observeTransactions(begin: () => TransactionObserver): () => void
  /**
   * SQLite only: runs a statement for each list of parameters inside the caller's transaction, without the query
   * builder. Returns the number of changed rows.
   */
  runForEach?(statement: string, parameters: readonly (readonly unknown[])[]): number
  /** Wakes the workers of other processes on a shared database. */
  readonly signals?: StoreSignals
  /** Tells other processes on a shared database which tables have changed. */
  readonly changeSignals?: StoreSignals
  migrateWith(apply: (run: RunStatement) => Promise<void>): Promise<void>
  /** PostgreSQL only: a separate connection without time limits, for statements that cannot run in a transaction. */
  withSession?(work: (run: RunStatement) => Promise<void>): Promise<void>
  drained(): Promise<void>
  /** With a data directory: stores this process's address there. */
  publish?(address: ServerAddress): void
  /** In-memory databases only: the whole database. */
  bytes?(): Buffer
  /** File databases only: a count that changes when another process has written to the file. */
  foreignChanges?(): number
  /** Whether the database can be read and written, determined within a second even under load. Never throws. */
  health(): Promise<StoreHealth>
  /** Called at shutdown. From then on, the store waits only briefly for an unresponsive database. */
  stopWaiting?(): void
  poolUse?(): PoolUse
  close(): Promise<void>
}

export interface WriteOptions {
  /** Default: `now`. */
  readonly durability?: Durability
  /** The only workspace whose rows the transaction changes, if known. Workspaces take turns. */
  readonly workspaceId?: number | undefined
}

/**
 * `soon` does not wait for the disk: the commit survives a crash of the process, but a power failure may undo it
 * together with later `soon` commits. Use it for repeatable work. PostgreSQL always waits, because a waiting commit
 * does not block other writers there.
 */
export type Durability = 'now' | 'soon'

/** Notifications between the processes on one database. They may be lost, so receivers also poll. */
export interface StoreSignals {
  send(word?: string): Promise<void>
  /** Resolves to a function that stops receiving. An empty word means that notifications may have been lost. */
  receive(onSignal: (word: string) => void): Promise<() => Promise<void>>
}

export type RunStatement = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
