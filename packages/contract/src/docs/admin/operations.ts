import type * as z from 'zod/mini'
import type { Backup, backupDownloadRoutes, operationsAdminRoutes } from '../../admin/operations.ts'
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

/** Documentation of the download of a backup. */
export const backupDownloadDocs: DocsOf<typeof backupDownloadRoutes> = {
  'backups.download': {
    summary: 'Download a backup',
    description:
      'The file, to restore with `service-server restore <file>`. It contains all data of the instance, but not the encryption key. The audit log records each download. A caller downloads one file at a time.',
    responses: {},
  },
}

/** Documentation of the operation of the whole instance. */
export const operationsAdminDocs: DocsOf<typeof operationsAdminRoutes> = {
  'backups.list': {
    summary: 'List backups',
    description: 'The backups in the backup directory, newest first.',
    responses: { backups: { data: [backup] } },
  },
  'backups.create': {
    summary: 'Make a backup',
    description:
      'Copies a consistent state while reads and writes continue. Answers when the backup is on disk and verified, which takes minutes on a large database: give the client and proxies time, or schedule backups. Answers 409 if no directory is configured or another backup is running.',
    responses: { created: { ...backup, reason: 'manual', file: 'manual-2026-11-20T18-51-53-123Z.backup' } },
  },
  'encryptionKey.rotate': {
    summary: 'Start to rotate the encryption key',
    description:
      'Adds a new key to the key file, which encrypts from now on. An interrupted rotation continues instead. Call `reencrypt` until nothing remains. Answers 409 if the keys are configured without a previous one.',
    responses: { begun: { key_fingerprint: '1f3a9c0d2b4e6f80', remaining: 1200 } },
  },
  'encryptionKey.reencrypt': {
    summary: 'Encrypt some secrets with the new key',
    description: 'A few hundred per call. When nothing remains, the older keys are removed from the key file.',
    responses: { progress: { key_fingerprint: '1f3a9c0d2b4e6f80', remaining: 700 } },
  },
  'system.get': {
    summary: 'Get the state of the instance',
    description: 'Version, database, schema, pending deliveries, retention of records, and backups.',
  },
  'system.prune': {
    summary: 'Remove records past their retention',
    description:
      'Does immediately what the server otherwise does on a schedule: removes a few hundred rows per transaction, for about a second. Call it again until `done` is true.',
    responses: { some: { removed: 64_000, done: false } },
  },
  'system.tables': {
    summary: 'List the sizes of tables',
    description: 'Largest first. On SQLite this reads the whole file.',
    responses: { tables: { data: [{ table: 'tickets', rows: 1_000_000, size_bytes: 312_475_648 }] } },
  },
}
