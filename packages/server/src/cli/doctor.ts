import { constants, existsSync, lstatSync, readlinkSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { stopwatchMs } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { quietLog } from '../core/log.ts'
import { toShellWord } from '../core/shell-word.ts'
import { systemClock } from '../core/system-clock.ts'
import { findStoredFingerprint, hasKey, readKeys } from '../encryption/encryption-key.ts'
import { countUnreadable } from '../encryption/rotate-key.ts'
import { findBackupProblem } from '../store/backup/backup-directory.ts'
import { clockDifferenceMs } from '../store/database-facts.ts'
import { databaseFileName, describeServer, isDirectoryLocked, readOwner } from '../store/directory-lock.ts'
import { type Distribution, leftOut, listDistribution } from '../store/distribute.ts'
import { requireOwnSchema, schemaStatus } from '../store/migrate.ts'
import { nearestExisting } from '../store/nearest-existing.ts'
import { openExistingStore } from '../store/open.ts'
import { describeFile } from '../store/open-error.ts'
import { messageWithCause } from '../store/postgres-faults.ts'
import { readSecret } from '../store/secret-file.ts'
import type { RunStatement, Store } from '../store/store.ts'
import { describeDeniedWrites } from '../store/table-rights.ts'
import { type Definitions, reportingErrors } from './command.ts'
import { adminTokenFile, type DatabaseFlags, readDatabaseEnvironment, withDatabaseFlags } from './environment.ts'
import { hasSqliteFile, knownDatabasePath } from './known-database.ts'
import { print, toTable } from './output.ts'
import { printedCommand } from './printed-command.ts'

const examples = `
Example:
  service-server doctor --data /var/lib/service

Changes nothing and sends nothing. Exits with 1 if it finds a problem.`

interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'problem'
  readonly detail: string
}

const ok = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail })
const problem = (check: string, detail: string): Finding => ({ check, verdict: 'problem', detail })

function defineDoctor(command: Command): Command {
  return withDatabaseFlags(command)
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', examples)
    .action(reportingErrors(run))
}

async function run({ json, ...flags }: DatabaseFlags & { readonly json?: boolean }): Promise<void> {
  const { config, directory } = readDatabaseEnvironment(flags)
  const database = await checkDatabase(config, flags)
  const findings = [
    ok('settings', 'can be read'),
    ...(await checkDirectory(directory, config, flags)),
    ...checkAdminToken(config, directory),
    checkKeyFile(config, describeNeed(database, directory)),
    ...database,
    ...checkBackups(config),
  ]
  const text = json === true ? JSON.stringify(findings, null, 2) : toTable(findings, ['check', 'verdict', 'detail'])
  print(`${text}\n`)
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1
}

const minFreeBytes = 500 * 1024 * 1024

/**
 * With PostgreSQL, the directory may be missing, read-only, or readable by others, because the key and the admin token
 * may be configured and their files are checked on their own. The disk is then the one with the backups.
 */
async function checkDirectory(
  data: string,
  { databaseUrl, backupDirectory = data }: Config,
  flags: DatabaseFlags,
): Promise<Finding[]> {
  const isSqlite = databaseUrl === undefined
  const required = isSqlite ? problem : ok
  const status = await stat(data).catch(() => undefined)
  if (status === undefined && lstatSync(data, { throwIfNoEntry: false }) !== undefined)
    return [required('directory', `${data} is a link to ${readlinkSync(data)}, which is missing`)]
  if (status === undefined)
    return [required('directory', `${data} does not exist; "${printedCommand('start', flags)}" creates it`)]
  if (!status.isDirectory()) return [problem('directory', describeFile(data))]
  const isWritable = await access(data, constants.W_OK).then(
    () => true,
    () => false,
  )
  const mode = (status.mode & 0o777).toString(8)
  const { bavail, bsize } = await statfs(isSqlite ? data : nearestExisting(backupDirectory))
  const room = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free`
  const running = isDirectoryLocked(data) ? describeServer(readOwner(data)) : undefined
  return [
    isWritable ? ok('directory', data) : required('directory', `${data} is not writable`),
    (status.mode & 0o077) === 0 || !isSqlite
      ? ok('mode', mode)
      : problem('mode', `other users can read it: ${mode}; run chmod 700 ${toShellWord(data)}`),
    bavail * bsize > minFreeBytes ? ok('disk', room) : problem('disk', room),
    ok('lock', running === undefined ? 'free' : `held by ${running}`),
    ...(isSqlite || !hasSqliteFile(data) ? [] : [ok('sqlite', `not used: ${join(data, databaseFileName)}`)]),
  ]
}

/** Why a platform without a key has a problem; undefined if it may be a new one. */
function describeNeed(database: readonly Finding[], directory: string): string | undefined {
  if (database.some(isUnreadable)) return 'this platform has encrypted secrets'
  const isUnknown = database.some(({ check, verdict }) => check === 'database' && verdict === 'problem')
  return isUnknown && existsSync(knownDatabasePath(directory))
    ? 'the platform may have encrypted secrets: its database cannot be opened'
    : undefined
}

function checkAdminToken({ adminToken, adminTokenFile: configured }: Config, directory: string): Finding[] {
  if (adminToken !== undefined || configured !== undefined) return []
  const file = adminTokenFile(directory)
  try {
    const isMissing = readSecret(file) === undefined
    return [ok('admin token', isMissing ? 'no file; the next start creates one' : file.path)]
  } catch (fault) {
    return [problem('admin token', messageOf(fault))]
  }
}

function checkKeyFile(config: Config, need: string | undefined): Finding {
  try {
    const [fingerprint] = readKeys(config)?.fingerprints() ?? []
    if (fingerprint === undefined && need !== undefined) return problem('key', `no file, but ${need}`)
    return ok('key', fingerprint ?? 'no file; the first start of a new platform creates one')
  } catch (fault) {
    return problem('key', messageOf(fault))
  }
}

/** Opens the database without migrating it. */
async function checkDatabase(config: Config, flags: DatabaseFlags): Promise<Finding[]> {
  const started = stopwatchMs()
  try {
    const store = await openExistingStore(config, { clock: systemClock(), log: quietLog() })
    try {
      return [
        ok('database', `${store.dialect}, opened in ${Math.round(stopwatchMs() - started)} ms`),
        ...(await checkContents(store, config, flags)),
      ]
    } finally {
      await store.close()
    }
  } catch (fault) {
    return [problem('database', messageOf(fault))]
  }
}

function checkBackups({ backupDirectory: directory }: Config): Finding[] {
  if (directory === undefined) return []
  const fault = findBackupProblem(directory)
  if (fault !== undefined) return [problem('backups', fault)]
  return [ok('backups', existsSync(directory) ? directory : `${directory} does not exist; the first backup creates it`)]
}

const maxClockDifferenceMs = 2000

const isUnreadable = ({ check, verdict }: Finding): boolean => check === 'secrets' && verdict === 'problem'

async function checkContents(store: Store, config: Config, flags: DatabaseFlags): Promise<Finding[]> {
  await requireOwnSchema(store)
  const { applied, pending } = await schemaStatus(store)
  const fingerprint = await findStoredFingerprint(store)
  const isReadable = fingerprint === undefined || hasKey(config, fingerprint)
  const unreadable = isReadable ? await countUnreadable(store, readKeys(config)?.fingerprints() ?? []) : 0
  const aheadMs = Math.round(await clockDifferenceMs(store, systemClock()))
  return [
    pending.length === 0
      ? ok('schema', applied.at(-1) ?? 'empty')
      : problem(
          'schema',
          `${pending.length} migrations are pending; run "${printedCommand('upgrade', flags)}" or start the server`,
        ),
    describeSecrets({ isReadable, unreadable, fingerprint }),
    Math.abs(aheadMs) < maxClockDifferenceMs
      ? ok('clock', `${aheadMs} ms from the database's`)
      : problem('clock', `${aheadMs} ms from the database's; synchronize both with NTP`),
    ...(await checkPostgres(store, flags)),
  ]
}

interface StoredSecrets {
  readonly isReadable: boolean
  /** How many are encrypted with a key that is not known. */
  readonly unreadable: number
  readonly fingerprint: string | undefined
}

function describeSecrets({ isReadable, unreadable, fingerprint }: StoredSecrets): Finding {
  if (!isReadable)
    return problem(
      'secrets',
      `the key that encrypted them is missing; restore the key with the fingerprint ${fingerprint}`,
    )
  return unreadable === 0
    ? ok('secrets', 'the key fits')
    : problem('secrets', `${unreadable} are encrypted with other keys; restore these, or set the secrets again`)
}

/** Whether it can be written and, on Citus, which tables are distributed. */
async function checkPostgres({ dialect, migrateWith }: Store, flags: DatabaseFlags): Promise<Finding[]> {
  const findings: Finding[] = []
  if (dialect === 'sqlite') return findings
  await migrateWith(async (run) => {
    findings.push(await checkWritable(run), ...describeDistribution(await listDistribution(run), flags))
  })
  return findings
}

async function checkWritable(run: RunStatement): Promise<Finding> {
  const [state] = await run("select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as mode")
  if (state?.['standby'] === true)
    return problem('writes', 'this is a standby; connect to the primary, or promote this one')
  if (state?.['mode'] !== 'off')
    return problem('writes', 'default_transaction_read_only is on for this database or user; set it to off')
  const denied = await describeDeniedWrites(run)
  return denied === undefined ? ok('writes', 'allowed') : problem('writes', denied)
}

function describeDistribution(found: readonly Distribution[] | undefined, flags: DatabaseFlags): Finding[] {
  if (found === undefined) return []
  const missing = leftOut(found)
  const placements = Map.groupBy(found, ({ placement }) => placement)
  const detail = [...placements].map(
    ([placement, tables]) => `${placement}: ${tables.map(({ table }) => table).join(', ')}`,
  )
  return [
    missing.length === 0
      ? ok('distribution', detail.join('; '))
      : problem(
          'distribution',
          `not distributed: ${missing.join(', ')}; stop the platform and run "${printedCommand('db distribute', flags)}"`,
        ),
  ]
}

const messageOf = (fault: unknown) => (fault instanceof Error ? messageWithCause(fault) : String(fault))

export const commands: Definitions = { doctor: defineDoctor }
