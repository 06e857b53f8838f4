/**
 * Compares this version with an earlier one, whose checkout must be built: creations, lists, deliveries, starts, and calls of
 * the client.
 * Usage: node bench/versions.ts <checkout> <postgres url> [rounds] [seconds]
 */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Load, load } from './load.ts'
import { cpuPerCall, interleave, type Sample, section } from './measure.ts'
import { createDatabase } from './postgres.ts'
import { adminOf, temporaryFolder } from './processes.ts'
import { answerAtOnce, clientOptions, ticket } from './scenarios/client.ts'
import { deliver, startReceiver } from './scenarios/delivery.ts'
import { timedStart } from './scenarios/start.ts'
import { createRequests, listRequests, seedWorkspaces } from './seed.ts'

type Contestants = Record<string, () => Promise<Sample>>

const [earlier = '', postgres = '', rounds = '7', seconds = '3'] = process.argv.slice(2)
const options = {
  rounds: Number(rounds),
  seconds: Number(seconds),
  progress: (text: string) => process.stderr.write(`${text}\n`),
}
const tickets = 10_000

/** Each version is started and seeded by its own scripts, and called by its own client. */
async function versionIn(name: string, checkout: string) {
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  const processes: typeof import('./processes.ts') = await load('bench/processes.ts')
  const seeds: typeof import('./seed.ts') = await load('bench/seed.ts')
  const { createAdminClient }: typeof import('@service/client/admin') = await load('packages/client/dist/admin.js')
  const { createClient }: typeof import('@service/client') = await load('packages/client/dist/index.js')
  return { name, ...processes, ...seeds, createAdminClient, createClient }
}

const versions = [
  await versionIn('floor: earlier', earlier),
  await versionIn('now', fileURLToPath(new URL('..', import.meta.url))),
]
using folder = temporaryFolder()
const receiver = await startReceiver()
const creations: Contestants = {}
const creationsAlone: Contestants = {}
const creationsOnPostgres: Contestants = {}
const lists: Contestants = {}
const deliveries: Contestants = {}
const starts: Contestants = {}
const calls: Contestants = {}
await using resources = new AsyncDisposableStack()
resources.defer(() => receiver.close())

for (const { name, startPlatform, startOnPostgres, seed, createAdminClient, createClient } of versions) {
  const data = folder.path(name)
  const seeded = await seed(data, tickets)
  const [list] = listRequests(seeded)
  if (list === undefined) throw new RangeError('There is no workspace.')
  const start = () => startPlatform(data)
  starts[name] = () => timedStart(start, list)

  const delivering = folder.path(`${name}, deliveries`)
  const sources = await seed(delivering, 2 * tickets)
  deliveries[name] = async () => {
    await using server = await startPlatform(delivering)
    return await deliver({ server, admin: adminOf(server, createAdminClient), seeded: sources, receiver }, options)
  }

  const against = (clients: number, requests: Load['requests']) => async () => {
    await using server = await start()
    return await load(server, { clients, seconds: options.seconds, requests })
  }
  lists[name] = against(32, listRequests(seeded))
  creations[name] = against(32, createRequests(seeded))
  creationsAlone[name] = against(1, createRequests(seeded))

  const database = resources.use(await createDatabase(postgres))
  const server = resources.use(await startOnPostgres(database.url))
  const requests = createRequests(await seedWorkspaces(adminOf(server, createAdminClient)))
  creationsOnPostgres[name] = () => load(server, { clients: 32, seconds: options.seconds, requests })

  const client = createClient({ ...clientOptions, fetch: answerAtOnce })
  calls[name] = () => cpuPerCall(() => client.tickets.create(ticket), options.seconds)
}

const scenarios: Readonly<Record<string, Contestants>> = {
  'Starts with 10,000 tickets': starts,
  'Lists, 32 clients': lists,
  'Creations, 32 clients': creations,
  'Creations, one client': creationsAlone,
  'Creations on PostgreSQL, 32 clients': creationsOnPostgres,
  Deliveries: deliveries,
  'Creations by the client without a network': calls,
}
const method = 'The ratio is that of the first column, per round.'
for (const [title, contestants] of Object.entries(scenarios))
  process.stdout.write(`${section({ title, method }, await interleave(contestants, options))}\n`)
