import type { Command } from 'commander'
import { quietLog } from '../core/log.ts'
import { systemClock } from '../core/system-clock.ts'
import { version } from '../core/version.ts'
import { listTables } from '../store/database-facts.ts'
import { requireOwnSchema, schemaStatus } from '../store/migrate.ts'
import { openExistingStore, openStore } from '../store/open.ts'
import { requirePlatform } from '../store/require-platform.ts'
import type { Store } from '../store/store.ts'
import { type PlannedMigration, planUpgrade, type UpgradePlan } from '../store/upgrade-plan.ts'
import { type Definitions, reportingErrors } from './command.ts'
import { type DatabaseFlags, readDatabaseConfig, withDatabaseFlags } from './environment.ts'
import { print, toTable } from './output.ts'

const examples = `
Examples:
  npx @service/server@next upgrade --check --data /var/lib/service
  service-server upgrade --database-url postgres://user@db/service

Migrates the database to the version of this command, as the server does when it starts. A database file is backed up
first; back up PostgreSQL yourself (service-server backup). With --check, nothing changes: run it with the new version while
the old one serves. It shows each pending migration, how long other requests wait for it, and whether servers can be
upgraded one by one. The exit code is 1 if migrations are pending.`

interface UpgradeFlags extends DatabaseFlags {
  readonly check?: boolean
  readonly json?: boolean
}

function defineUpgrade(command: Command): Command {
  return withDatabaseFlags(command)
    .option('--check', 'only show what the upgrade would do')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(reportingErrors(run))
}

async function run(flags: UpgradeFlags): Promise<void> {
  const config = readDatabaseConfig(flags)
  if (flags.check !== true) await requirePlatform(config)
  const open = flags.check === true ? openExistingStore : openStore
  const store = await open(config, { clock: systemClock(), log: quietLog() })
  try {
    await requireOwnSchema(store)
    const { applied } = await schemaStatus(store)
    const plan = planUpgrade(store, applied, applied.length === 0 ? [] : await listTables(store))
    print(`${flags.json === true ? JSON.stringify({ version, ...plan }, null, 2) : toText(plan, store.dialect)}\n`)
    if (plan.pending.length > 0) process.exitCode = 1
  } finally {
    await store.close()
  }
}

function toText({ applied, latest, pending, rolling }: UpgradePlan, dialect: Store['dialect']): string {
  const state = `${applied} migrations applied${latest === null ? '' : `, the latest is ${latest}`}; ${pending.length} pending.`
  if (pending.length === 0) return `${state} The database fits version ${version}.`
  const rows = pending.map(({ name, tables, ...effect }) => ({
    migration: name,
    tables: tables.map(({ table, rows }) => `${table} (${rows})`).join(', '),
    'other requests': toWait(effect),
  }))
  return [state, '', toTable(rows, ['migration', 'tables', 'other requests']), '', advice(rolling, dialect)].join('\n')
}

const toWait = ({ locks, seconds }: Pick<PlannedMigration, 'locks' | 'seconds'>) =>
  ({ none: 'do not wait', brief: 'wait for less than a second', rows: `wait for about ${seconds} s` })[locks]

function advice(rolling: boolean, dialect: Store['dialect']): string {
  if (dialect === 'sqlite') return 'Stop the server, and start the new version: it migrates before it answers.'
  return rolling
    ? 'Servers can be upgraded one by one: those of the version before keep serving.'
    : 'Stop all servers before the first one of this version starts: those of the version before refuse the new schema.'
}

export const commands: Definitions = { upgrade: defineUpgrade }
