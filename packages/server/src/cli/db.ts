import { resolve as toAbsolute } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Command } from 'commander'
import { threadFile } from '../core/body-reading-thread.ts'
import { ConfigError } from '../core/config.ts'
import { quietLog } from '../core/log.ts'
import { systemClock } from '../core/system-clock.ts'
import type { CopiedRows } from '../store/copy/copy-database.ts'
import { type CopyPlan, toConfig } from '../store/copy/open-copied-database.ts'
import { databaseFileName } from '../store/directory-lock.ts'
import { distribute } from '../store/distribute.ts'
import { openStore } from '../store/open.ts'
import { isDatabaseUrl, withoutPassword } from '../store/postgres-faults.ts'
import type { Store } from '../store/store.ts'
import { requireFinished } from '../store/unfinished.ts'
import { type Definitions, reportingErrors } from './command.ts'
import { CommandError, type ConnectionFlags, withConnection } from './connection.ts'
import type { CopyMessage } from './copy-thread.ts'
import { type DatabaseFlags, readDatabaseConfig, withDatabaseFlags } from './environment.ts'
import { hasSqliteFile, knownDatabasePath, readKnownDatabase } from './known-database.ts'
import { print, showProgress, toTable } from './output.ts'
import { withAdmin } from './with-admin.ts'

function defineDb(command: Command): Command {
  const stats = withConnection(new Command('stats').description('Show the size of each table, including its indexes.'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  service-server db stats --data /var/lib/service')
    .action(reportingErrors(showStats))
  return command.addCommand(copyCommand()).addCommand(distributeCommand()).addCommand(stats)
}

async function showStats(flags: ConnectionFlags & { readonly json?: boolean }): Promise<void> {
  const answer = await withAdmin(flags, (admin) => admin.system.tables())
  const text =
    flags.json === true ? JSON.stringify(answer, null, 2) : toTable(answer.data, ['table', 'rows', 'size_bytes'])
  print(`${text}\n`)
}

const copyExamples = `
Examples:
  service-server db copy --from .data --to postgres://user@db/service
  service-server db copy --from postgres://user@db/service --to ./copy

Stop the platform first. The target must be a new database. An interrupted copy resumes when you run the command
again. At the end, the command compares the checksums of every table. Copy the encryption key separately:
it is not in the database.`

interface CopyFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

const copyCommand = (): Command =>
  new Command('copy')
    .description('Copy the platform from SQLite to PostgreSQL or back.')
    .requiredOption('--from <source>', 'a data directory or a postgres:// URL')
    .requiredOption('--to <target>', 'the target, in the same form')
    .option('--json', 'print the copied rows as JSON')
    .addHelpText('after', copyExamples)
    .action(reportingErrors(copy))

async function copy({ json, ...flags }: CopyFlags): Promise<void> {
  const [from, to] = [findDatabase(flags, 'from'), findDatabase(flags, 'to')]
  if (toComparable(from) === toComparable(to))
    throw new CommandError('--from and --to are the same database. Choose a new one for --to.')
  const progress = await showProgress('Copying')
  const copied = await copyInThread({ from, to }, progress.report).finally(progress.end)
  const text = json === true ? JSON.stringify(copied, null, 2) : toTable(copied, ['table', 'rows', 'sha256'])
  print(`${text}\n`)
}

/** A data directory may name a database on PostgreSQL, of which the direct URL is used. */
function findDatabase(plan: CopyPlan, role: 'from' | 'to'): string {
  const { data, databaseUrl = '' } = toConfig(plan[role], role)
  if (data === undefined) return databaseUrl
  const problems: string[] = []
  const known = readKnownDatabase(data, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const url = known.databaseDirectUrl ?? known.databaseUrl
  if (url === undefined) return data
  if (hasSqliteFile(data)) throw ambiguousDirectory(data, url, role)
  return url
}

const ambiguousDirectory = (data: string, url: string, role: 'from' | 'to') =>
  new CommandError(
    `${data} has a platform on SQLite (${databaseFileName}), but other commands use the one on PostgreSQL that it names (${withoutPassword(url)}). For PostgreSQL, pass that URL to --${role}. For SQLite, move ${knownDatabasePath(data)} away first.`,
  )

const toComparable = (location: string) => (isDatabaseUrl(location) ? withoutPassword(location) : toAbsolute(location))

/**
 * Copies in a worker thread, because its young generation can be limited. Rows become garbage immediately, and
 * Node would otherwise keep a hundred megabytes of them.
 */
async function copyInThread(options: CopyPlan, report: (done: number) => void): Promise<readonly CopiedRows[]> {
  const thread = new Worker(threadFile('copy-thread', import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: 24 },
  })
  return new Promise((resolve, reject) => {
    thread
      .on('message', (message: CopyMessage) => ('copied' in message ? resolve(message.copied) : report(message.done)))
      .once('error', reject)
      .once('exit', (code) => reject(new CommandError(`The copy thread exited with code ${code}.`)))
  })
}

const distributeExamples = `
Example:
  service-server db distribute --database-url postgres://user@coordinator/service

The database must have the Citus extension. Stop the platform first. The command applies pending migrations, then
distributes the tables of workspaces by workspace, and copies the workspaces and people to every node. An interrupted run
continues when you run the command again; on a distributed database it changes nothing.`

interface DistributeFlags extends DatabaseFlags {
  readonly json?: boolean
}

const distributeCommand = (): Command =>
  withDatabaseFlags(new Command('distribute'))
    .description('Distribute a PostgreSQL database with the Citus extension over its nodes.')
    .option('--json', 'print the placement of each table as JSON')
    .addHelpText('after', distributeExamples)
    .action(reportingErrors(runDistribute))

async function runDistribute({ json, ...flags }: DistributeFlags): Promise<void> {
  const config = readDatabaseConfig(flags)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url === undefined)
    throw new CommandError('Set SERVICE_DATABASE_URL to the URL of the coordinator, or pass --database-url.')
  await (await openStore(config, { clock: systemClock(), log: quietLog(), permit: permitDistribution })).close()
  const progress = await showProgress('Distributing')
  const placements = await distribute(url, progress.report).finally(progress.end)
  const text = json === true ? JSON.stringify(placements, null, 2) : toTable(placements, ['table', 'placement'])
  print(`${text}\n`)
}

/** An interrupted distribution may continue. */
const permitDistribution = ({ dialect, migrateWith }: Store) =>
  migrateWith((run) => requireFinished(run, dialect, 'db distribute'))

export const commands: Definitions = { db: defineDb }
