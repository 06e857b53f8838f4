import { accessSync, existsSync, constants as fileConstants } from 'node:fs'
import { stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { formatInstant } from '../core/clock.ts'
import { toShellWord } from '../core/shell-word.ts'
import { systemClock } from '../core/system-clock.ts'
import { version } from '../core/version.ts'
import { readKeys } from '../encryption/encryption-key.ts'
import { backUp } from '../store/backup/backup.ts'
import { backupName } from '../store/backup/backup-directory.ts'
import { restore, undoInterruptedRestore } from '../store/backup/restore.ts'
import { OpenError } from '../store/open-error.ts'
import { withoutPassword } from '../store/postgres-faults.ts'
import { confirm, type Definitions, reportingErrors, UsageError } from './command.ts'
import { type DatabaseFlags, readDatabaseConfig, readDatabaseEnvironment, withDatabaseFlags } from './environment.ts'
import {
  type GivenDatabase,
  hasSqliteFile,
  readKnownDatabase,
  writeFirstDatabase,
  writeKnownDatabase,
} from './known-database.ts'
import { print } from './output.ts'
import { printedCommand } from './printed-command.ts'

const backupExamples = `
Examples:
  service-server backup
  service-server backup /mnt/backups/monday.backup --data /var/lib/service
  SERVICE_DATABASE_URL_FILE=/run/secrets/db service-server backup --json

The server may keep running. The file is a consistent snapshot, is verified before it is renamed into place, and does not
contain the encryption key: store that separately. Its first line is a manifest. SERVICE_BACKUP_EVERY=1d schedules daily
backups.`

interface BackupFlags extends DatabaseFlags {
  readonly json?: boolean
}

function defineBackup(command: Command): Command {
  return withDatabaseFlags(command)
    .argument('[file]', 'output file (default: a new file in the backup directory)')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', backupExamples)
    .action(reportingErrors(runBackup))
}

async function runBackup(file: string | undefined, flags: BackupFlags): Promise<void> {
  if (file === '-') throw new UsageError('A backup cannot be written to a pipe. Name a file, such as monday.backup.')
  const config = readDatabaseConfig(flags)
  const now = systemClock().now()
  const path = resolve(file ?? `${config.backupDirectory}/${backupName('manual', now)}`)
  if (file !== undefined) await requireFolder(dirname(path))
  exitOnSignals()
  const manifest = await backUp(config, { path, reason: 'manual', version, createdAt: formatInstant(now) })
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
  const text = `${path}: ${rows} rows of ${Object.keys(manifest.rows).length} tables, as of ${manifest.created_at}.`
  print(`${flags.json === true ? JSON.stringify({ path, ...manifest }, null, 2) : text}\n`)
}

/** A process that exits removes the parts of its backup, and one that a signal ends does not. */
function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
}

/** Only the backup directory is created: a folder that is missing is mistyped, or its disk is not mounted. */
async function requireFolder(folder: string): Promise<void> {
  const code = await stat(folder).then(
    () => undefined,
    (fault: unknown) => Object(fault).code,
  )
  if (code === 'ENOENT')
    throw new OpenError(`The folder ${folder} does not exist. Create it, or name a file in another folder.`)
}

const restoreExamples = `
Examples:
  service-server restore .data/backups/scheduled-2026-11-20T18-51-53-123Z.backup
  service-server restore monday.backup --data /var/lib/service --yes
  service-server restore monday.backup --database-url postgres://user@db/service_new
  service-server restore --undo --data /var/lib/service

Waits up to 30 s for a server on the directory to stop. Fails if it keeps running, if the key that encrypted the backup's secrets is missing, or if the file is
damaged. The previous database is kept next to the new one. A PostgreSQL database must be empty, and the data directory then
leads to it. If a restore is interrupted, the platform does not start until you run the same command again, or with --undo.`

interface RestoreFlags extends DatabaseFlags {
  readonly yes?: boolean
  readonly json?: boolean
  readonly undo?: boolean
}

function defineRestore(command: Command): Command {
  return withDatabaseFlags(command)
    .argument('[file]', 'the backup')
    .option('--undo', 'give up an interrupted restore, and keep the previous database')
    .option('--yes', 'skip the confirmation')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', restoreExamples)
    .action(reportingErrors(runRestore))
}

async function runRestore(file: string | undefined, flags: RestoreFlags): Promise<void> {
  if (flags.undo === true) return runUndo(flags)
  if (file === undefined) throw new UsageError('Name the backup to restore.')
  const { config, directory, givenDatabase } = readDatabaseEnvironment(flags)
  const url = config.databaseUrl === undefined ? undefined : withoutPassword(config.databaseUrl)
  await confirm(`Restore ${file} into ${url ?? config.data}?`, flags)
  const usedBefore = usedDatabase(directory)
  const { manifest, aside } = await restore({
    ...config,
    ...waiting,
    path: resolve(file),
    keyFingerprints: readKeys(config)?.fingerprints() ?? [],
    keyLocation: config.encryptionKeyFile ?? 'SERVICE_ENCRYPTION_KEY',
    clock: systemClock(),
    command: printedCommand(`restore ${toShellWord(resolve(file))}`, {
      ...flags,
      ...(flags.data === undefined ? {} : { data: resolve(flags.data) }),
    }),
    redirected: givenDatabase !== undefined && isRedirectable(directory) ? directory : undefined,
    onBegin: () => givenDatabase && existsSync(directory) && writeFirstDatabase(directory, givenDatabase),
  })
  const kept = aside === null ? '' : ` The previous database is now ${aside}.`
  const into = url === undefined ? '' : `, into ${url}`
  const led = givenDatabase === undefined || usedBefore === url ? '' : ` ${leadToDatabase(directory, givenDatabase)}`
  const text = `Restored ${file}, as of ${manifest.created_at}${into}.${kept}${led}`
  print(`${flags.json === true ? JSON.stringify({ ...manifest, aside }, null, 2) : text}\n`)
}

/** The database that commands find by the directory; undefined if it names none that can be read. */
function usedDatabase(directory: string): string | undefined {
  const { databaseUrl } = readKnownDatabase(directory, [])
  return databaseUrl && withoutPassword(databaseUrl)
}

/** A directory of a platform on SQLite, or one that cannot be written, leads to the same platform as before. */
function isRedirectable(directory: string): boolean {
  if (!existsSync(directory) || hasSqliteFile(directory)) return false
  try {
    accessSync(directory, fileConstants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Otherwise the next start by the directory would serve the previous database. Returns what to say about it. */
function leadToDatabase(directory: string, given: GivenDatabase): string {
  if (hasSqliteFile(directory)) return `${directory} still leads to its platform on SQLite.`
  return existsSync(directory) && writeKnownDatabase(directory, given)
    ? `${directory} now leads to that database.`
    : `${directory} does not lead to that database: set SERVICE_DATABASE_URL, or pass --database-url.`
}

/** A server that is stopping finishes its requests first. */
const waiting = {
  waitMs: 30_000,
  onWait: (sentence: string) => void process.stderr.write(`${sentence}\n`),
}

const undoMessages = {
  nothing: 'No restore was interrupted.',
  undone: 'The interrupted restore is undone: the directory has its previous database.',
  completed: 'The restore had replaced the database already, and is complete. The previous database is next to it.',
} as const

function runUndo({ json, ...flags }: RestoreFlags): void {
  const { data, databaseUrl } = readDatabaseConfig(flags)
  if (databaseUrl !== undefined || data === undefined)
    throw new UsageError('--undo is for a data directory. Into PostgreSQL, restore again, or into another database.')
  const outcome = undoInterruptedRestore({ data, ...waiting })
  print(`${json === true ? JSON.stringify({ outcome }) : undoMessages[outcome]}\n`)
}

export const commands: Definitions = { backup: defineBackup, restore: defineRestore }
