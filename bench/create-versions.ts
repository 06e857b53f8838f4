/**
 * Compares creations with an earlier version, whose checkout must be built.
 * Usage: node bench/create-versions.ts <checkout> <postgres url> [rounds] [seconds]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { createAdminClient } from '@service/client/admin'
import { load } from './load.ts'
import { interleave, type Sample, type Scenario, section } from './measure.ts'
import { adminOf, createDatabase, query } from './postgres.ts'
import { type RunningServer, temporaryFolder } from './processes.ts'
import { createRequests, seedWorkspaces } from './seed.ts'

const [earlier = '', postgres = '', rounds = '5', seconds = '3'] = process.argv.slice(2)
const now = fileURLToPath(new URL('..', import.meta.url))
const options = {
  rounds: Number(rounds),
  seconds: Number(seconds),
  progress: (text: string) => process.stderr.write(`${text}\n`),
}

/** Each version is started by its own script and seeded by its own client. */
async function versionIn(checkout: string) {
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  const { startPlatform, startOnPostgres }: typeof import('./processes.ts') = await load('bench/processes.ts')
  const { createAdminClient }: typeof import('@service/client/admin') = await load('packages/client/dist/admin.js')
  return { startPlatform, startOnPostgres, createAdminClient }
}

interface Contestant {
  readonly server: RunningServer
  readonly createAdminClient: typeof createAdminClient
  writtenBytes(): Promise<number>
}

async function measuring({ server, writtenBytes, createAdminClient: create }: Contestant) {
  const requests = createRequests(await seedWorkspaces(adminOf(server, create)))
  return () => load(server, { clients: 32, seconds: options.seconds, requests, writtenBytes })
}

const bytesOf = ({ pid }: RunningServer) =>
  Promise.resolve(Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]))

async function walBytes(): Promise<number> {
  const [row] = await query(postgres, `select pg_current_wal_insert_lsn() - '0/0' as bytes`)
  return Number(row?.['bytes'])
}

await using resources = new AsyncDisposableStack()
using folder = temporaryFolder()
const contestants: Record<string, () => Promise<Sample>> = {}
const versions = { 'floor, before': await versionIn(earlier), now: await versionIn(now) }
for (const [name, { startPlatform, createAdminClient }] of Object.entries(versions)) {
  const server = resources.use(await startPlatform(folder.path(name)))
  const writtenBytes = () => bytesOf(server)
  contestants[`${name}, SQLite`] = await measuring({ server, createAdminClient, writtenBytes })
}
for (const [name, { startOnPostgres, createAdminClient }] of Object.entries(versions)) {
  const database = resources.use(await createDatabase(postgres))
  const server = resources.use(await startOnPostgres(database.url))
  contestants[`${name}, PostgreSQL`] = await measuring({ server, createAdminClient, writtenBytes: walBytes })
}
const scenario: Scenario = {
  title: 'Creations beside an earlier version',
  method:
    'CPU time of the server process, and bytes that it writes (SQLite) or that are added to the log (PostgreSQL).',
  measure: () => interleave(contestants, options),
}
process.stdout.write(section(scenario, await scenario.measure(options)))
