import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'

/** A file that holds the whole platform as it was at one moment. */
export interface Backup {
  file: string
  /** `manual`, `scheduled` or `migration`. */
  reason: string
  created_at: string
  version: string
  database: 'sqlite' | 'postgres'
  /** The newest migration that it has. */
  schema: string | null
  /** Of all tables together. */
  rows: number
  /** Of the file. */
  size_bytes: number
  sha256: string
  /** Names the key of its encrypted secrets, which is not in it; null where nothing was encrypted. */
  key_fingerprint: string | null
}

/** Backups of the whole instance. Only for who administers the instance. */
export interface Backups {
  /** Newest first. */
  list(options?: CallOptions): Call<{ data: Backup[] }>
  /**
   * Made while others go on reading and writing; resolves when it is on the disk and was read back.
   *
   * @throws ConflictError where there is no directory for it, or one is being made.
   */
  create(options?: CreateOptions): Call<Backup>
}

/** How far the rotation of the encryption key is. */
export interface KeyRotation {
  /** Of the key that encrypts now. */
  key_fingerprint: string
  /** How many secrets are still encrypted with a key before; they can be read all the while. */
  remaining: number
}

/** The key of the encrypted secrets. Only for who administers the instance. */
export interface EncryptionKeys {
  /** A rotation that was interrupted goes on. Then call `reencrypt` until nothing remains. */
  rotate(options?: CallOptions): Call<KeyRotation>
  /** Some hundred secrets at a time. */
  reencrypt(options?: CallOptions): Call<KeyRotation>
}

/** What an operator asks about an instance. */
export interface SystemReport {
  version: string
  node: string
  database: { kind: 'sqlite' | 'postgres'; size_bytes: number }
  schema: { latest: string | null; applied: number; pending: number }
  workspaces: number
  deliveries: { pending: number; overdue_seconds: number; disabled_subscriptions: number }
  /** Days that each kind of record is kept; null for ever. */
  retention_days: Record<string, number | null>
  backups: {
    directory: string | null
    /** Null where none are made by themselves. */
    every_hours: number | null
    keep: number
    last_at: string | null
    age_seconds: number | null
  }
}

/** What one table weighs, its indexes included. */
export interface TableSize {
  table: string
  rows: number
  size_bytes: number
}

/** What a call to prune did. */
export interface Pruned {
  /** How many rows of all tables together. */
  removed: number
  /** Whether nothing is left to remove; else call again. */
  done: boolean
}

/** The instance itself. Only for who administers it. */
export interface SystemState {
  get(options?: CallOptions): Call<SystemReport>
  /** The largest first. On SQLite all of the file is read for it. */
  tables(options?: CallOptions): Call<{ data: TableSize[] }>
  /** Removes what is older than its retention, for about a second; the server does it by itself in time. */
  prune(options?: CallOptions): Call<Pruned>
}
