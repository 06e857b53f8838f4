import type { Db } from './database.ts'

/** A database behind one face. `transaction.ts` is the only caller of `transaction`. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /** Inside a transaction this very object reads and writes in it; outside it only reads. */
  readonly db: Db
  /** Runs `work` in a transaction and resolves once it is durable. Inside one, joins it. */
  transaction<Result>(work: () => Promise<Result>, durability?: Durability): Promise<Result>
  /** Calls `act` once the caller's transaction is durable, and never when it is undone; outside of one at once. */
  afterCommit(act: () => void): void
  /**
   * Where the database is in the process: runs a statement for each list of parameters, inside the caller's transaction,
   * without going through the query builder each time. Gives back how many rows were changed.
   */
  runForEach?(statement: string, parameters: readonly (readonly unknown[])[]): number
  /** Where several processes share a database: how they wake one another. */
  readonly signals?: StoreSignals
  /** Runs statements that make up a migration, in one transaction and alone. */
  migrateWith(apply: (run: RunStatement) => Promise<void>): Promise<void>
  /** Resolves when nothing is being written, and nothing waits to be. */
  drained(): Promise<void>
  /** The whole database, where it is in memory. */
  bytes?(): Buffer
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * `soon` does not wait for the disk: such a commit survives the end of the process, and a power cut may undo it together
 * with all that came after it and did not wait either. It is for what may be done once more. PostgreSQL waits all the same:
 * there nobody else stands still meanwhile.
 */
export type Durability = 'now' | 'soon'

/** A word to all processes on the same database. It may get lost; who waits for one also looks from time to time. */
export interface StoreSignals {
  send(): Promise<void>
  /** Resolves to what ends it. */
  receive(onSignal: () => void): Promise<() => Promise<void>>
}

export type RunStatement = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
