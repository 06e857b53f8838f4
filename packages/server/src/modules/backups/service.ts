import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseInstant } from '@service/intake/sanitize/instant'
import type { App } from '../../context.ts'
import { formatInstant, type Micros, microsPerHour } from '../../core/clock.ts'
import { conflict } from '../../core/errors.ts'
import { version } from '../../core/version.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { backupName, findBackupProblem, findBackups, removeOldest } from '../../store/backup/backup-directory.ts'
import type { BackupManifest, BackupReason } from '../../store/backup/backup-file.ts'
import { OpenError } from '../../store/open-error.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

/** The backup directory; undefined if none is configured. */
export const backupDirectory = ({ config }: App): string | undefined =>
  config.backupDirectory ?? (config.data === undefined ? undefined : join(config.data, 'backups'))

/** At startup: refuses a schedule that cannot produce backups, and logs a warning for other problems. */
export function checkBackupDirectory(app: App): void {
  const directory = backupDirectory(app)
  const fault = directory === undefined ? undefined : findBackupProblem(directory)
  if (fault === undefined) return
  if (app.config.backupEvery !== undefined) throw new OpenError(fault)
  app.log.warn(fault)
}

export async function listBackups(app: App) {
  const directory = backupDirectory(app)
  return { data: directory === undefined ? [] : (await findBackups(directory)).map(toBackup) }
}

/** Apps with a backup in progress. */
const busy = new WeakSet<App>()

export async function createBackup(app: App, reason: BackupReason = 'manual') {
  const directory = backupDirectory(app)
  if (directory === undefined)
    throw conflict('No backup directory is configured. Set backupDirectory (SERVICE_BACKUP_DIRECTORY).')
  if (busy.has(app)) throw conflict('A backup is already running. Try again when it has finished.')
  busy.add(app)
  try {
    const now = app.clock.now()
    const target = { path: join(directory, backupName(reason, now)), reason, version, createdAt: formatInstant(now) }
    const { backUp } = await import('../../store/backup/backup.ts')
    const manifest = await backUp(app.config, target)
    await inTransaction(app, ({ db }) => queries.setMark(db, 'backup-finished', now))
    return toBackup({ path: target.path, sizeBytes: (await stat(target.path)).size, manifest })
  } finally {
    busy.delete(app)
  }
}

interface StoredBackup {
  readonly path: string
  readonly sizeBytes: number
  readonly manifest: BackupManifest
}

const toBackup = ({ path, sizeBytes, manifest }: StoredBackup) => ({
  file: path.slice(path.lastIndexOf('/') + 1),
  reason: manifest.reason,
  created_at: manifest.created_at,
  version: manifest.version,
  database: manifest.dialect,
  schema: manifest.schema.at(-1) ?? null,
  rows: Object.values(manifest.rows).reduce((sum, count) => sum + count, 0),
  size_bytes: sizeBytes,
  sha256: manifest.sha256,
  key_fingerprint: manifest.key_fingerprint,
})

/** When the newest backup was created, by a platform process or by the command line. */
export async function lastBackupAt(app: App): Promise<Micros | undefined> {
  const directory = backupDirectory(app)
  const [newest] = directory === undefined ? [] : await findBackups(directory)
  const found = newest === undefined ? null : parseInstant(newest.manifest.created_at)
  const marked = await queries.findMark(app.db, 'backup-finished')
  return marked === undefined || found === null ? (marked ?? found ?? undefined) : Math.max(marked, found)
}

/** The backup interval in hours, from `6h` or `1d`; undefined without a schedule. */
export function hoursBetween({ config: { backupEvery } }: App): number | undefined {
  if (backupEvery === undefined) return undefined
  return Number.parseInt(backupEvery, 10) * (backupEvery.endsWith('d') ? 24 : 1)
}

/** Scheduled backups. If several processes share a database, only one of them creates each backup. */
export function backupTask(app: App): MaintenanceTask[] {
  const { backupKeep } = app.config
  const everyHours = hoursBetween(app)
  const directory = backupDirectory(app)
  if (everyHours === undefined || directory === undefined) return []
  const dueAfter = (begun: Micros | undefined) => (begun === undefined ? 0 : begun + everyHours * microsPerHour)
  return [
    {
      nextDueAt: async () => dueAfter(await queries.findMark(app.db, 'backup-begun')),
      async run() {
        const now = app.clock.now()
        const from = await queries.findMark(app.db, 'backup-begun')
        if (dueAfter(from) > now) return false
        if (!(await inTransaction(app, ({ db }) => queries.moveMark(db, 'backup-begun', { from, to: now }))))
          return false
        try {
          const { file } = await createBackup(app, 'scheduled')
          app.log.info(`Created the backup ${file}.`, { file })
          await removeOldest(directory, 'scheduled', backupKeep)
        } catch (fault) {
          const message = fault instanceof Error ? fault.message : String(fault)
          app.log.error(`The scheduled backup failed: ${message}`, { fault: message })
        }
        return true
      },
    },
  ]
}
