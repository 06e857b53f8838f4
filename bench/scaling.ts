import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { load } from './load.ts'
import { createDatabase, query } from './postgres.ts'
import { adminOf, type RunningServer, runPlatform, startOnPostgres } from './processes.ts'
import { createRequests, listRequests, type SeededWorkspace, seedWorkspaces } from './seed.ts'

const help = `Measures several processes on one PostgreSQL, and Citus beside plain PostgreSQL. Databases are created and dropped.

Usage: node bench/scaling.ts deliveries <postgres url>
       node bench/scaling.ts tables <postgres url> [minutes]
       node bench/scaling.ts prune <postgres url>
       node bench/scaling.ts citus <postgres url> <citus url>`

const [measurement, ...args] = process.argv.slice(2)
const receiverMs = 1000
const eventsPerWorkspace = 800
const workspaces = 10
const subscriptionsPerWorkspace = 10
const seconds = 10

/** Deliveries a second of this many processes, to receivers that take a second each. */
async function deliver(nodes: number, server: string): Promise<number> {
  await using resources = new AsyncDisposableStack()
  const database = resources.use(await createDatabase(server))
  const receiver = resources.use(await startReceiver(receiverMs))
  const first = resources.use(await startOnPostgres(database.url))
  const admin = adminOf(first)
  const seeded = await seedWorkspaces(admin)
  await load(first, { clients: 32, seconds: 1, requests: createRequests(seeded) })
  for (let missing = true; missing; ) {
    const [row] = await query(database.url, 'select count(*) as count from events')
    missing = Number(row?.['count']) < workspaces * eventsPerWorkspace
    if (missing) await load(first, { clients: 32, seconds: 2, requests: createRequests(seeded) })
  }
  for (let started = 1; started < nodes; started += 1) resources.use(await startOnPostgres(database.url))
  for (const { id: workspace } of seeded)
    for (let count = 0; count < subscriptionsPerWorkspace; count += 1) {
      const { id } = await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.created'] })
      await admin.webhooks.replayMissing({ workspace, id }, { since: '2020-01-01T00:00:00Z' })
    }
  await sleep(5000)
  const [received, startedAt] = [receiver.received(), performance.now()]
  await sleep(seconds * 1000)
  const perSecond = (receiver.received() - received) / ((performance.now() - startedAt) / 1000)
  const [row] = await query(database.url, 'select deadlocks from pg_stat_database where datname = current_database()')
  process.stdout.write(
    `${nodes} processes: ${Math.round(perSecond)} deliveries/s, ${row?.['deadlocks']} deadlocks, ${receiver.repeated()} sent twice\n`,
  )
  return perSecond
}

async function startReceiver(answerMs: number) {
  const ids = new Set<string>()
  let received = 0
  const server = createServer((request, response) => {
    received += 1
    ids.add(String(request.headers['x-service-delivery']))
    request.resume()
    setTimeout(() => response.writeHead(204).end(), answerMs)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    repeated: () => received - ids.size,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const createsPerSecond = 150
const hotTables = ['delivery_queues', 'deliveries', 'delivery_attempts', 'events', 'unrouted_events']

/** Updates and sizes of the tables of deliveries after some minutes of two processes and 100 subscriptions. */
async function measureTables(server: string, minutes: number): Promise<void> {
  await using database = await createDatabase(server)
  using receiver = await startReceiver(0)
  await using first = await startOnPostgres(database.url)
  await using second = await startOnPostgres(database.url)
  const admin = adminOf(first)
  const seeded = await seedWorkspaces(admin, 100)
  for (const { id: workspace } of seeded)
    await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.created'] })
  const { created } = await createTickets([first, second], createRequests(seeded), minutes * 60)
  await sleep(3000)
  const rows = await query(
    database.url,
    `select relname, n_tup_upd as updates, n_tup_hot_upd as hot, n_dead_tup as dead, autovacuum_count as vacuums,
        pg_relation_size(relid) / 1024 as heap_kb, pg_indexes_size(relid) / 1024 as index_kb
      from pg_stat_user_tables where relname in ('${hotTables.join("', '")}') order by relname`,
  )
  process.stdout.write(`${created} creates, ${receiver.received()} deliveries, ${receiver.repeated()} sent twice\n`)
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`)
}

const expired = 200_000

/** Expired rows that are removed a second while two processes create tickets, and how long the creates take then and later. */
async function prune(server: string): Promise<void> {
  await using database = await createDatabase(server)
  using receiver = await startReceiver(0)
  let seeded: SeededWorkspace[] = []
  {
    await using node = await startOnPostgres(database.url)
    const admin = adminOf(node)
    seeded = await seedWorkspaces(admin, 100)
    for (const { id: workspace } of seeded)
      await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.created'] })
  }
  await query(
    database.url,
    `with event as (
        insert into events (workspace_id, name, body, created_at, key)
        select 1 + number % 100, 'ticket.created', repeat('x', 500), number, md5(number::text)
        from generate_series(1, ${expired}) as number returning id, workspace_id, created_at
      ), delivery as (
        insert into deliveries (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before,
          next_attempt_at, created_at, finished_at)
        select event.workspace_id, subscriptions.id, event.id, 'succeeded', 1, 1, 0, event.created_at, event.created_at,
          event.created_at
        from event join subscriptions on subscriptions.workspace_id = event.workspace_id returning id, workspace_id, created_at
      )
      insert into delivery_attempts (workspace_id, delivery_id, number, started_at, duration_ms, outcome, status)
      select workspace_id, id, 1, created_at, 5, 'ok', 204 from delivery`,
  )
  await query(database.url, 'analyze')
  await using first = await startOnPostgres(database.url)
  await using second = await startOnPostgres(database.url)
  const remaining = async () => {
    const [row] = await query(
      database.url,
      `select (select count(*) from events where created_at <= ${expired}) as events,
        (select count(*) from deliveries where created_at <= ${expired}) as deliveries,
        (select count(*) from delivery_attempts where started_at <= ${expired}) as attempts`,
    )
    return Object.values(row ?? {}).reduce<number>((sum, count) => sum + Number(count), 0)
  }
  const [before, startedAt] = [await remaining(), performance.now()]
  let removedAt: number | undefined
  const creates: { p99Ms: number }[] = []
  const creating = async () => {
    while (removedAt === undefined) creates.push(await createTickets([first, second], createRequests(seeded), 5))
  }
  const waiting = async () => {
    while ((await remaining()) > 0) await sleep(500)
    removedAt = performance.now()
  }
  await Promise.all([creating(), waiting()])
  const perSecond = before / (((removedAt ?? startedAt) - startedAt) / 1000)
  const during = Math.max(...creates.map(({ p99Ms }) => p99Ms))
  const { p99Ms: afterwards } = await createTickets([first, second], createRequests(seeded), 5)
  process.stdout.write(
    `${Math.round(perSecond)} rows/s removed, 99 % of creates within ${Math.round(during)} ms, afterwards ${Math.round(afterwards)} ms\n`,
  )
}

/** Sends the requests in turn at a steady rate, alternately to the servers. */
async function createTickets(
  servers: readonly RunningServer[],
  requests: ReturnType<typeof createRequests>,
  duration: number,
): Promise<{ created: number; p99Ms: number }> {
  const startedAt = performance.now()
  const pending: Promise<number | undefined>[] = []
  for (let sent = 0; sent < duration * createsPerSecond; sent += 1) {
    const server = servers[sent % servers.length]
    const request = requests[sent % requests.length]
    if (server === undefined || request === undefined) throw new RangeError('There is no server or no request.')
    const early = startedAt + (sent * 1000) / createsPerSecond - performance.now()
    if (early > 1) await sleep(early)
    const sentAt = performance.now()
    pending.push(
      fetch(server.origin + request.path, request).then(async (response) => {
        await response.arrayBuffer()
        return response.status === 201 ? performance.now() - sentAt : undefined
      }),
    )
  }
  const durationsMs = (await Promise.all(pending))
    .filter((ms) => ms !== undefined)
    .toSorted((one, other) => one - other)
  return { created: durationsMs.length, p99Ms: durationsMs[Math.floor(durationsMs.length * 0.99)] ?? 0 }
}

/** Requests a second of 4 clients, on a plain and on a distributed database in turn. */
async function compare(plainServer: string, citusServer: string): Promise<void> {
  await using plain = await createDatabase(plainServer)
  await using citus = await createDatabase(citusServer)
  await query(citus.url, 'create extension citus')
  await query(citus.url, `alter database ${new URL(citus.url).pathname.slice(1)} set citus.shard_count = 32`)
  await using plainNode = await startOnPostgres(plain.url)
  await runPlatform('db', 'distribute', '--database-url', citus.url)
  await using citusNode = await startOnPostgres(citus.url)
  const targets = [
    { name: 'plain', node: plainNode, seeded: await seedWorkspaces(adminOf(plainNode)) },
    { name: 'citus', node: citusNode, seeded: await seedWorkspaces(adminOf(citusNode)) },
  ]
  const samples: Record<string, number[]> = {}
  for (let round = 0; round < 5; round += 1)
    for (const [what, requests] of [
      ['create', createRequests],
      ['list', listRequests],
    ] as const)
      for (const { name, node, seeded } of targets) {
        const sample = await load(node, { clients: 4, seconds: 3, requests: requests(seeded) })
        samples[`${what} ${name}`] ??= []
        samples[`${what} ${name}`]?.push(sample['requests/s'] ?? 0)
      }
  const medianOf = (name: string) => samples[name]?.toSorted((one, other) => one - other)[2] ?? 0
  for (const what of ['create', 'list']) {
    const [plain, citus] = [medianOf(`${what} plain`), medianOf(`${what} citus`)]
    process.stdout.write(
      `${what}: PostgreSQL ${Math.round(plain)}/s, Citus ${Math.round(citus)}/s, ratio ${(citus / plain).toFixed(2)}\n`,
    )
  }
}

const [postgres, second] = args
if (measurement === 'deliveries' && postgres !== undefined) {
  const one = await deliver(1, postgres)
  const four = await deliver(4, postgres)
  process.stdout.write(`ratio ${(four / one).toFixed(2)}\n`)
} else if (measurement === 'tables' && postgres !== undefined) await measureTables(postgres, Number(second ?? 10))
else if (measurement === 'prune' && postgres !== undefined) await prune(postgres)
else if (measurement === 'citus' && postgres !== undefined && second !== undefined) await compare(postgres, second)
else {
  process.stderr.write(`${help}\n`)
  process.exitCode = 2
}
