import type * as z from 'zod/mini'
import type { Backup, operationsAdminRoutes } from '../../admin/operations.ts'
import type { DocsOf } from '../../route-docs.ts'

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

/** Documentation of what belongs to the whole instance. */
export const operationsAdminDocs: DocsOf<typeof operationsAdminRoutes> = {
  'backups.list': {
    summary: 'List backups',
    description: 'The backups in the directory of backups, newest first.',
    answers: { backups: { data: [backup] } },
  },
  'backups.create': {
    summary: 'Make a backup',
    description:
      'Of one moment, while others go on reading and writing; answers when it is on the disk and was read back. 409 where there is no directory for it or one is being made.',
    answers: { created: { ...backup, reason: 'manual', file: 'manual-2026-11-20T18-51-53-123Z.backup' } },
  },
  'encryptionKey.rotate': {
    summary: 'Begin to rotate the encryption key',
    description:
      'Makes a new key in the key file, which encrypts from now on; a rotation that was interrupted goes on instead. Call `reencrypt` until nothing remains. 409 where keys are configured and none is there as a previous one.',
    answers: { begun: { key_fingerprint: '1f3a9c0d2b4e6f80', remaining: 1200 } },
  },
  'encryptionKey.reencrypt': {
    summary: 'Encrypt some secrets with the new key',
    description: 'Some hundred at a time. When nothing remains, the key file forgets the keys before.',
    answers: { progress: { key_fingerprint: '1f3a9c0d2b4e6f80', remaining: 700 } },
  },
  'system.get': {
    summary: 'Get the state of the instance',
    description: 'Version, database, schema, what waits to be delivered, how long records are kept, and backups.',
  },
  'system.prune': {
    summary: 'Remove what is older than its retention',
    description:
      'What the server does by itself in time, at once: some hundred rows in a transaction, for about a second. Call it again until it is done.',
    answers: { some: { removed: 64_000, done: false } },
  },
  'system.tables': {
    summary: 'List what each table weighs',
    description: 'The largest first. On SQLite all of the file is read for it.',
    answers: { tables: { data: [{ table: 'tickets', rows: 1_000_000, size_bytes: 312_475_648 }] } },
  },
}
