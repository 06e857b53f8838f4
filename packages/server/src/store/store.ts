import type { Db } from './database.ts'

/** A database behind one face. `transaction.ts` is the only caller of `transaction`. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /** Inside a transaction this very object reads and writes in it; outside it only reads. */
  readonly db: Db
  /** Runs `work` in a transaction and resolves once it is durable. Inside one, joins it. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs statements that make up a migration, in one transaction and alone. */
  migrateWith(apply: (run: RunStatement) => Promise<void>): Promise<void>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type RunStatement = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
