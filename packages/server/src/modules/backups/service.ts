import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseInstant } from '@service/intake/sanitize/instant'
import type { App } from '../../context.ts'
import { formatInstant, type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../core/clock.ts'
import { conflict, notFound, unavailable } from '../../core/errors.ts'
import { version } from '../../core/version.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import {
  backupName,
  createBackupDirectory,
  findBackupProblem,
  findBackups,
  removeOldest,
} from '../../store/backup/backup-directory.ts'
import type { BackupManifest, BackupReason } from '../../store/backup/backup-file.ts'
import { removePartialBackups } from '../../store/backup/partial-backup.ts'
import { createdAt } from '../../store/migrate.ts'
import { OpenError } from '../../store/open-error.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

/** The backup directory; undefined if none is configured. */
export const backupDirectory = ({ config }: App): string | undefined =>
  config.backupDirectory ?? (config.data === undefined ? undefined : join(config.data, 'backups'))

/**
 * At startup: removes what killed processes have left, refuses a schedule that cannot produce backups, and logs a
 * warning for other problems.
 */
export function checkBackupDirectory(app: App): void {
  const directory = backupDirectory(app)
  if (directory === undefined) return
  removePartialBackups(directory)
  const isScheduled = app.config.backupEvery !== undefined
  const fault = isScheduled ? createBackupDirectory(directory) : findBackupProblem(directory)
  if (fault === undefined) return
  if (isScheduled) throw new OpenError(fault)
  app.log.warn(fault)
}

export async function listBackups(app: App) {
  const directory = backupDirectory(app)
  return { data: directory === undefined ? [] : (await findBackups(directory)).map(toBackup) }
}

/** The location of a backup. Only names of backups that exist are found, so no name leads out of the directory. */
export async function getBackupFile(app: App, file: string) {
  const directory = backupDirectory(app)
  const found = directory === undefined ? [] : await findBackups(directory)
  for (const stored of found) {
    const backup = toBackup(stored)
    if (backup.file === file) return { path: stored.path, backup }
  }
  throw notFound('backup', file)
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
    const manifest = await backUp(app.config, target).catch((fault: unknown) => {
      throw fault instanceof OpenError ? unavailable(fault.message) : fault
    })
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

/** What is later was made while a clock was wrong, and is ignored. The clocks of servers differ by less than five minutes. */
const latestTime = ({ clock }: App): Micros => clock.now() + 5 * microsPerMinute

const withoutFuture = (app: App, marks: queries.Marks): queries.Marks =>
  Object.fromEntries(Object.entries(marks).filter(([, at]) => at <= latestTime(app)))

/** When the newest backup was created, by a platform process or by the command line. */
export async function lastBackupAt(app: App): Promise<Micros | undefined> {
  const directory = backupDirectory(app)
  const files = directory === undefined ? [] : await findBackups(directory)
  const times = files.map(({ manifest }) => parseInstant(manifest.created_at) ?? 0)
  const found = times.find((at) => at <= latestTime(app))
  const { 'backup-finished': marked } = withoutFuture(app, await queries.findMarks(app.db))
  return marked === undefined || found === undefined ? (marked ?? found) : Math.max(marked, found)
}

/** Seconds since the newest backup; without one, since the platform was created. Undefined if none can be made. */
export async function backupAgeSeconds(app: App): Promise<number | undefined> {
  if (backupDirectory(app) === undefined) return undefined
  const since = (await lastBackupAt(app)) ?? (await createdAt(app.store))
  return Math.max(0, (app.clock.now() - since) / microsPerSecond)
}

/** The backup interval in hours, from `6h` or `1d`; undefined without a schedule. */
export function hoursBetween({ config: { backupEvery } }: App): number | undefined {
  if (backupEvery === undefined) return undefined
  return Number.parseInt(backupEvery, 10) * (backupEvery.endsWith('d') ? 24 : 1)
}

const firstRetry = microsPerMinute
const maxRetry = microsPerHour
/** A process that makes a backup says so at this interval. One that was silent for much longer was killed. */
const signOfLifeMs = 30_000
const maxSilence = 2 * microsPerMinute

/**
 * An interval after the last success. After a failure a minute later, then after pauses that double up to an hour: each
 * is a minute longer than all before it.
 */
function nextBackupAt(marks: queries.Marks, everyMicros: Micros): Micros {
  const { 'backup-begun': begun = 0, 'backup-failing': failing, 'backup-running': running } = marks
  // Before the mark of successes existed.
  const succeeded = marks['backup-succeeded'] ?? marks['backup-finished']
  const pause = Math.min(firstRetry + Math.max(0, begun - (failing ?? begun)), maxRetry, everyMicros)
  return Math.max(
    succeeded === undefined ? 0 : succeeded + everyMicros,
    failing === undefined ? 0 : begun + pause,
    running === undefined ? 0 : running + maxSilence,
  )
}

/** Scheduled backups. If several processes share a database, only one of them creates each backup. */
export function backupTask(app: App): MaintenanceTask[] {
  const everyHours = hoursBetween(app)
  const directory = backupDirectory(app)
  if (everyHours === undefined || directory === undefined) return []
  const everyMicros = everyHours * microsPerHour
  return [
    {
      nextDueAt: async () => nextBackupAt(withoutFuture(app, await queries.findMarks(app.db)), everyMicros),
      async run() {
        const begun = await claimBackup(app, everyMicros)
        if (begun === undefined) return false
        const stopSigns = giveSignsOfLife(app)
        try {
          const { file } = await createBackup(app, 'scheduled')
          await inTransaction(app, async ({ db }) => {
            await queries.setMark(db, 'backup-succeeded', begun)
            await queries.removeMarks(db, ['backup-failing', 'backup-running'])
          })
          app.log.info(`Created the backup ${file}.`, { file })
          await removeOldest(directory, 'scheduled', { keep: app.config.backupKeep, latest: latestTime(app) })
        } catch (fault) {
          await logFailure(app, { fault, everyMicros })
        } finally {
          stopSigns()
        }
        return true
      },
    },
  ]
}

/** When this process began the backup that is due; undefined if none is, or another process makes it. */
function claimBackup(app: App, everyMicros: Micros): Promise<Micros | undefined> {
  const now = app.clock.now()
  return inTransaction(app, async ({ db }) => {
    const stored = await queries.findMarks(db)
    const marks = withoutFuture(app, stored)
    if (nextBackupAt(marks, everyMicros) > now) return undefined
    if (!(await queries.moveMark(db, 'backup-begun', { from: stored['backup-begun'], to: now }))) return undefined
    await queries.setMark(db, 'backup-running', now)
    // Until it succeeds: a killed process cannot report its failure.
    if (marks['backup-failing'] === undefined) await queries.setMark(db, 'backup-failing', now)
    return now
  })
}

function giveSignsOfLife(app: App): () => void {
  const sign = () => inTransaction(app, ({ db }) => queries.setMark(db, 'backup-running', app.clock.now()))
  let cancel: (() => void) | undefined
  const wait = () => {
    cancel = app.clock.after?.(signOfLifeMs, () => {
      void sign().catch(() => undefined)
      wait()
    })
  }
  wait()
  return () => cancel?.()
}

async function logFailure(app: App, { fault, everyMicros }: { fault: unknown; everyMicros: Micros }): Promise<void> {
  const message = fault instanceof Error ? fault.message : String(fault)
  // A full disk refuses this change too. Then the silence of this process ends its claim.
  await inTransaction(app, ({ db }) => queries.removeMarks(db, ['backup-running'])).catch(() => undefined)
  const marks = await queries.findMarks(app.db).catch((): queries.Marks => ({}))
  const next = formatInstant(nextBackupAt(withoutFuture(app, marks), everyMicros))
  app.log.error(`The scheduled backup failed, and is tried again at ${next}: ${message}`, { fault: message })
}
