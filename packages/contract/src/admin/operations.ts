import * as z from 'zod/mini'
import { Bytes } from '../bytes.ts'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { wholeListOf } from './pages.ts'

const count = z.int().check(z.nonnegative())

/** A file with a consistent copy of the whole platform. */
export const Backup = z.object({
  file: z.string(),
  /** `manual`, `scheduled` or `migration`. */
  reason: z.string(),
  created_at: instant,
  version: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** The newest migration in it. */
  schema: z.nullable(z.string()),
  /** The total of all tables. */
  rows: count,
  /** The size of the file. */
  size_bytes: count,
  sha256: z.string(),
  /** Identifies the key of its encrypted secrets, which is not in the backup. Null if nothing is encrypted. */
  key_fingerprint: z.nullable(z.string()),
})

export type Backup = z.output<typeof Backup>

/** The state of an instance, for its operator. */
export const SystemReport = z.object({
  version: z.string(),
  node: z.string(),
  database: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    size_bytes: count,
    /** The data directory of the server that answers; null in memory. */
    directory: z.nullable(z.string()),
  }),
  schema: z.object({ latest: z.nullable(z.string()), applied: count, pending: count }),
  workspaces: count,
  deliveries: z.object({
    pending: count,
    /** Of deliveries to working receivers. */
    overdue_seconds: z.number(),
    failing_subscriptions: count,
    disabled_subscriptions: count,
  }),
  /** How many days each kind of record is kept. Null means indefinitely. */
  retention_days: z.record(z.string(), z.nullable(count)),
  backups: z.object({
    directory: z.nullable(z.string()),
    /** Null if backups are not scheduled. */
    every_hours: z.nullable(z.number()),
    keep: integerId,
    last_at: z.nullable(instant),
    age_seconds: z.nullable(z.number()),
  }),
})

export type SystemReport = z.output<typeof SystemReport>

/** The size of one table, including its indexes. */
export const TableSize = z.object({ table: z.string(), rows: count, size_bytes: count })

export type TableSize = z.output<typeof TableSize>

/** The result of pruning. */
export const Pruned = z.object({
  /** The number of rows removed from all tables. */
  removed: count,
  /** Whether nothing is left to remove. If false, call again. */
  done: z.boolean(),
})

export type Pruned = z.output<typeof Pruned>

/** The progress of rotating the encryption key. */
export const KeyRotation = z.object({
  /** Identifies the current key. */
  key_fingerprint: z.string(),
  /** How many secrets are still encrypted with an older key. They stay readable. */
  remaining: count,
})

export type KeyRotation = z.output<typeof KeyRotation>

// None of the paths with these kinds names a resource, so their routes do not return 404.
const get = { surface: 'admin', role: 'instance', method: 'GET', errorStatuses: [401, 429, 500, 503] } as const
const post = { ...get, method: 'POST', errorStatuses: [401, 409, 429, 500, 503] } as const

export const operationsAdminRoutes = [
  { ...get, operation: 'backups.list', path: '/backups', responses: { 200: wholeListOf(Backup) } },
  { ...post, operation: 'backups.create', path: '/backups', takesLong: true, responses: { 201: Backup } },
  { ...get, operation: 'system.get', path: '/system', responses: { 200: SystemReport } },
  {
    ...get,
    operation: 'system.tables',
    path: '/system/tables',
    takesLong: true,
    responses: { 200: wholeListOf(TableSize) },
  },
  { ...post, operation: 'system.prune', path: '/system/prune', responses: { 200: Pruned } },
  { ...post, operation: 'encryptionKey.rotate', path: '/encryption-key/rotate', responses: { 200: KeyRotation } },
  { ...post, operation: 'encryptionKey.reencrypt', path: '/encryption-key/reencrypt', responses: { 200: KeyRotation } },
] as const satisfies readonly AdminRoute[]

/** Separate, because the client has no method for a route that returns a stream. */
export const backupDownloadRoutes = [
  {
    ...get,
    operation: 'backups.download',
    path: '/backups/{file}',
    responses: { 200: Bytes },
    errorStatuses: [401, 404, 429, 500, 503],
  },
] as const satisfies readonly AdminRoute[]
