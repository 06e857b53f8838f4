import { Command } from 'commander'
import { quietLog } from '../core/log.ts'
import { systemClock } from '../core/system-clock.ts'
import { schemaStatus } from '../store/migrate.ts'
import { openStore } from '../store/open.ts'
import { findRunning } from './connection.ts'
import { type PlaceFlags, readPlace, withPlace } from './data-place.ts'
import { telling } from './telling.ts'
import { withAdmin } from './with-admin.ts'

const examples = `
Examples:
  service-server migrate --status
  service-server migrate --database-url postgres://user@db/service

A start migrates too. A database file is backed up before its tables change; back up PostgreSQL yourself
(service-server backup). With --status nothing is changed, and the exit code is 1 when migrations are pending.`

interface Flags extends PlaceFlags {
  readonly status?: boolean
  readonly json?: boolean
}

interface Status {
  readonly latest: string | null
  readonly applied: number
  readonly pending: number
}

export function migrateCommand(): Command {
  return withPlace(new Command('migrate').description('Bring the database to the newest schema.'))
    .option('--status', 'only show what it has and lacks')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(telling(run))
}

async function run(flags: Flags): Promise<void> {
  const status = flags.status === true ? await readStatus(flags) : await migrateNow(flags)
  const { latest, applied, pending } = status
  const text = `${applied} migrations applied${latest === null ? '' : `, the latest is ${latest}`}; ${pending} pending.`
  process.stdout.write(`${flags.json === true ? JSON.stringify(status) : text}\n`)
  if (pending > 0) process.exitCode = 1
}

/** A server on the directory is asked: the directory is its own. */
async function readStatus(flags: Flags): Promise<Status> {
  const config = readPlace(flags)
  const data = config.data ?? ''
  if (config.databaseUrl === undefined && findRunning({ data }) !== undefined)
    return (await withAdmin({ data }, (admin) => admin.system.get())).schema
  return withStore(flags, false)
}

const migrateNow = (flags: Flags) => withStore(flags, true)

async function withStore(flags: Flags, migrates: boolean): Promise<Status> {
  const store = await openStore(readPlace(flags), { clock: systemClock(), log: quietLog(), migrates })
  try {
    const { applied, pending } = await schemaStatus(store)
    return { latest: applied.at(-1) ?? null, applied: applied.length, pending: pending.length }
  } finally {
    await store.close()
  }
}
