import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute, RefusalStatus } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'

const readRefusals = [401, 429, 500, 503] as const satisfies readonly RefusalStatus[]
const actionRefusals = [401, 409, 429, 500, 503] as const satisfies readonly RefusalStatus[]

const count = z.int().check(z.nonnegative())

/** A file that holds the whole platform as it was at one moment. */
export const Backup = z.object({
  file: z.string(),
  /** `manual`, `scheduled` or `migration`. */
  reason: z.string(),
  created_at: instant,
  version: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** The newest migration that it has. */
  schema: z.nullable(z.string()),
  /** Of all tables together. */
  rows: count,
  /** Of the file. */
  size_bytes: count,
  sha256: z.string(),
  /** Names the key of its encrypted secrets, which is not in it; null where nothing was encrypted. */
  key_fingerprint: z.nullable(z.string()),
})
export type Backup = z.output<typeof Backup>

/** What an operator asks about an instance. */
export const SystemReport = z.object({
  version: z.string(),
  node: z.string(),
  database: z.object({ kind: z.enum(['sqlite', 'postgres']), size_bytes: count }),
  schema: z.object({ latest: z.nullable(z.string()), applied: count, pending: count }),
  workspaces: count,
  deliveries: z.object({ pending: count, overdue_seconds: z.number(), disabled_subscriptions: count }),
  /** Days that each kind of record is kept; null for ever. */
  retention_days: z.record(z.string(), z.nullable(count)),
  backups: z.object({
    directory: z.nullable(z.string()),
    /** Null where none are made by themselves. */
    every_hours: z.nullable(z.number()),
    keep: integerId,
    last_at: z.nullable(instant),
    age_seconds: z.nullable(z.number()),
  }),
})
export type SystemReport = z.output<typeof SystemReport>

/** What one table weighs, its indexes included. */
export const TableSize = z.object({ table: z.string(), rows: count, size_bytes: count })
export type TableSize = z.output<typeof TableSize>

/** What a call to prune did. */
export const Pruned = z.object({
  /** How many rows of all tables together. */
  removed: count,
  /** Whether nothing is left to remove; else call again. */
  done: z.boolean(),
})
export type Pruned = z.output<typeof Pruned>

/** How far the rotation of the encryption key is. */
export const KeyRotation = z.object({
  /** Of the key that encrypts now. */
  key_fingerprint: z.string(),
  /** How many secrets are still encrypted with a key before; they can be read all the while. */
  remaining: count,
})
export type KeyRotation = z.output<typeof KeyRotation>

const common = { surface: 'admin', role: 'instance' } as const

export const operationsAdminRoutes = [
  {
    ...common,
    operation: 'backups.list',
    method: 'GET',
    path: '/backups',
    answers: { 200: z.object({ data: z.array(Backup) }) },
    refusals: readRefusals,
  },
  {
    ...common,
    operation: 'backups.create',
    method: 'POST',
    path: '/backups',
    answers: { 201: Backup },
    refusals: actionRefusals,
  },
  {
    ...common,
    operation: 'system.get',
    method: 'GET',
    path: '/system',
    answers: { 200: SystemReport },
    refusals: readRefusals,
  },
  {
    ...common,
    operation: 'system.tables',
    method: 'GET',
    path: '/system/tables',
    answers: { 200: z.object({ data: z.array(TableSize) }) },
    refusals: readRefusals,
  },
  {
    ...common,
    operation: 'system.prune',
    method: 'POST',
    path: '/system/prune',
    answers: { 200: Pruned },
    refusals: actionRefusals,
  },
  {
    ...common,
    operation: 'encryptionKey.rotate',
    method: 'POST',
    path: '/encryption-key/rotate',
    answers: { 200: KeyRotation },
    refusals: actionRefusals,
  },
  {
    ...common,
    operation: 'encryptionKey.reencrypt',
    method: 'POST',
    path: '/encryption-key/reencrypt',
    answers: { 200: KeyRotation },
    refusals: actionRefusals,
  },
] as const satisfies readonly AdminRoute[]

/** Documentation of what belongs to the whole instance. */
export const operationsAdminDocs = (): DocsOf<typeof operationsAdminRoutes> => {
  const backup = {
    file: 'scheduled-2026-11-20T18-51-53-123Z.backup',
    reason: 'scheduled',
    created_at: '2026-11-20T18:51:53.123456Z',
    version: '0.1.0',
    database: 'sqlite',
    schema: '0009-operations',
    rows: 48_210,
    size_bytes: 5_242_880,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    key_fingerprint: '1f3a9c0d2b4e6f80',
  } satisfies z.output<typeof Backup>
  return {
    'backups.list': {
      tag: 'Operations',
      summary: 'List backups',
      description: 'The backups in the directory of backups, newest first.',
      answers: { backups: { data: [backup] } },
    },
    'backups.create': {
      tag: 'Operations',
      summary: 'Make a backup',
      description:
        'Of one moment, while others go on reading and writing; answers when it is on the disk and was read back. 409 where there is no directory for it or one is being made.',
      answers: { created: { ...backup, reason: 'manual', file: 'manual-2026-11-20T18-51-53-123Z.backup' } },
    },
    'encryptionKey.rotate': {
      tag: 'Operations',
      summary: 'Begin to rotate the encryption key',
      description:
        'Makes a new key in the key file, which encrypts from now on; a rotation that was interrupted goes on instead. Call `reencrypt` until nothing remains. 409 where keys are configured and none is there as a previous one.',
      answers: { begun: { key_fingerprint: '1f3a9c0d2b4e6f80', remaining: 1200 } },
    },
    'encryptionKey.reencrypt': {
      tag: 'Operations',
      summary: 'Encrypt some secrets with the new key',
      description: 'Some hundred at a time. When nothing remains, the key file forgets the keys before.',
      answers: { progress: { key_fingerprint: '1f3a9c0d2b4e6f80', remaining: 700 } },
    },
    'system.get': {
      tag: 'Operations',
      summary: 'Get the state of the instance',
      description: 'Version, database, schema, what waits to be delivered, how long records are kept, and backups.',
    },
    'system.prune': {
      tag: 'Operations',
      summary: 'Remove what is older than its retention',
      description:
        'What the server does by itself in time, at once: some hundred rows in a transaction, for about a second. Call it again until it is done.',
      answers: { some: { removed: 64_000, done: false } },
    },
    'system.tables': {
      tag: 'Operations',
      summary: 'List what each table weighs',
      description: 'The largest first. On SQLite all of the file is read for it.',
      answers: { tables: { data: [{ table: 'tickets', rows: 1_000_000, size_bytes: 312_475_648 }] } },
    },
  }
}
