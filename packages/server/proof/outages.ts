import { setTimeout as sleep } from 'node:timers/promises'
import { createAdminClient } from '@service/client/admin'
import pg from 'pg'
import { exactly, type Finding } from './findings.ts'
import { type Answered, createTicket, type Load, type LoadTarget, listProjects, startLoad } from './outage-load.ts'
import { asked, type RestartablePostgres } from './restartable-postgres.ts'
import { type RunningServer, spawnServer, startCountingReceiver, startServer } from './server-process.ts'

// Makes the database unavailable in several ways under 20 writers and 10 readers, and checks their responses.

export interface OutageOptions {
  readonly kills: number
  readonly frozenSeconds: number
  readonly lockedSeconds: number
  readonly callers: number
}

const millis = (value: number) => `${Math.round(value)} ms`
const most = (values: readonly number[]) => values.reduce((high, value) => Math.max(high, value), 0)

const atMost = (what: string, limitMs: number, values: readonly number[]): Finding => ({
  what,
  wanted: `≤ ${millis(limitMs)}`,
  measured: values.length > 1 ? `${millis(median(values))}, at most ${millis(most(values))}` : millis(most(values)),
  isMet: values.length > 0 && most(values) <= limitMs,
})

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

const environmentOf = (databaseUrl: string) => ({
  NODE_NO_WARNINGS: '1',
  SERVICE_DATABASE_URL: databaseUrl,
  SERVICE_ENCRYPTION_KEY: 'a key that is only used in this proof, of enough characters',
  SERVICE_ADMIN_TOKEN: 'an-admin-token-of-this-proof',
  SERVICE_EGRESS_ALLOW: '127.0.0.1',
})

/** With the default limits. */
const openServer = (databaseUrl: string) => startServer(['--seed', 'demo'], environmentOf(databaseUrl))

/** Sends every `ticket.created` to the receiver. */
const subscribe = ({ url, adminToken, workspace }: RunningServer, receiverUrl: string) =>
  createAdminClient({ baseUrl: `${url}/admin/v1`, token: adminToken }).webhooks.create(
    { workspace },
    { url: receiverUrl, events: ['ticket.created'] },
  )

interface Scene {
  readonly postgres: RestartablePostgres
  readonly server: RunningServer
  readonly load: Load
  readonly options: OutageOptions
}

/** Responses to requests that started after `from`. */
const since = ({ load }: Scene, from: number, kind?: Answered['kind']) =>
  load.answers.filter((answered) => answered.startedAt >= from && (kind === undefined || answered.kind === kind))

export async function proveOutages(postgres: RestartablePostgres, options: OutageOptions): Promise<Finding[]> {
  await postgres.start()
  const server = await openServer(postgres.url)
  const receiver = await startCountingReceiver()
  await subscribe(server, receiver.url)
  const load = startLoad(server, { writers: 20, readers: 10 })
  const scene: Scene = { postgres, server, load, options }
  await load.firstWriteAfter(0)
  const violations = [
    ...(await killed(scene)),
    ...(await shutDown(scene)),
    ...(await terminated(scene)),
    ...(await frozen(scene)),
    ...(await locked(scene)),
    ...(await crowded(scene)),
  ]
  await load.stop()
  violations.push(...(await kept(scene, receiver.arrivals)))
  violations.push(...(await stoppedWhileHanging(scene)), ...(await startedWhileHanging(scene)))
  receiver.close()
  violations.push(...(await stoppedUnderLoad(scene)))
  return violations
}

async function killed({ postgres, load, options }: Scene): Promise<Finding[]> {
  const firstWrites: number[] = []
  const bareWrites: number[] = []
  for (let kill = 0; kill < options.kills; kill += 1) {
    await postgres.end('SIGKILL')
    await sleep(300)
    await postgres.start()
    const upAt = performance.now()
    const bare = writeBare(postgres)
    firstWrites.push((await load.firstWriteAfter(upAt)) - upAt)
    bareWrites.push((await bare) - upAt)
    await sleep(500)
  }
  return [
    atMost(`${options.kills} × SIGKILL: first acknowledged write after "ready"`, 1000, firstWrites),
    {
      what: 'the same by a bare client that connects at "ready" and writes one row',
      wanted: '',
      measured: `${millis(median(bareWrites))}, at most ${millis(most(bareWrites))}`,
      isMet: true,
    },
  ]
}

/** When a bare client has connected and written: the time that the database itself needs. */
async function writeBare(postgres: RestartablePostgres): Promise<number> {
  for (;;) {
    try {
      await asked(postgres, 'create table if not exists bare_writes (at float); insert into bare_writes values (1)')
      return performance.now()
    } catch {
      await sleep(5)
    }
  }
}

async function shutDown({ postgres, load }: Scene): Promise<Finding[]> {
  await postgres.end('SIGINT')
  await sleep(500)
  await postgres.start()
  const upAt = performance.now()
  return [
    atMost('fast shutdown: first acknowledged write after "ready"', 1000, [(await load.firstWriteAfter(upAt)) - upAt]),
  ]
}

async function terminated({ postgres, load }: Scene): Promise<Finding[]> {
  const firstWrites: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await asked(postgres, 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    const at = performance.now()
    firstWrites.push((await load.firstWriteAfter(at)) - at)
    await sleep(500)
  }
  return [atMost('5 × terminate all: first acknowledged write', 1000, firstWrites)]
}

async function frozen(scene: Scene): Promise<Finding[]> {
  const { postgres, load, options } = scene
  const from = performance.now()
  postgres.freeze(true)
  await sleep(options.frozenSeconds * 1000)
  const later = since(scene, from + 3000).filter(({ kind }) => kind !== 'ready')
  const ready = since(scene, from, 'ready')
  postgres.freeze(false)
  const upAt = performance.now()
  const firstWrite = (await load.firstWriteAfter(upAt)) - upAt
  const inFlight = since(scene, from - 1000).filter(
    ({ startedAt, kind }) => kind !== 'ready' && startedAt < from + 3000,
  )
  return [
    atMost('SIGSTOP: longest wait of what was in flight', 17_500, [most(inFlight.map(({ ms }) => ms))]),
    atMost(
      'SIGSTOP: answers begun after 3 s, 503',
      2500,
      later.map(({ ms }) => ms),
    ),
    atMost(
      'SIGSTOP: `/readyz`',
      1000,
      ready.map(({ ms }) => ms),
    ),
    exactly('SIGSTOP: what `/readyz` says in the end', 503, ready.at(-1)?.status ?? 0),
    atMost('SIGSTOP: first acknowledged write after SIGCONT', 1000, [firstWrite]),
  ]
}

async function locked(scene: Scene): Promise<Finding[]> {
  const { postgres, options, load } = scene
  const holder = new pg.Client({ connectionString: postgres.url })
  await holder.connect()
  await holder.query('begin; select * from ticket_counters for update')
  const from = performance.now()
  await sleep(options.lockedSeconds * 1000)
  const lists = since(scene, from, 'list')
  const ready = since(scene, from, 'ready')
  await holder.end()
  const upAt = performance.now()
  await load.firstWriteAfter(upAt)
  const writes = since(scene, from, 'write').filter(({ startedAt }) => startedAt < upAt)
  const times = lists.map(({ ms }) => ms)
  return [
    {
      what: 'row lock: lists that were not 200',
      wanted: '0',
      measured: `${lists.filter(({ status }) => status !== 200).length} of ${lists.length}`,
      isMet: lists.every(({ status }) => status === 200),
    },
    {
      ...atMost('row lock: lists, p99', 250, [percentile(times, 0.99)]),
      measured: `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))} of ${times.length}`,
    },
    exactly('row lock: `/readyz` that was not 200', 0, ready.filter(({ status }) => status !== 200).length),
    atMost('row lock: longest wait of a writer for its 503', 7500, [most(writes.map(({ ms }) => ms))]),
  ]
}

async function crowded(scene: Scene): Promise<Finding[]> {
  const { server, options } = scene
  const from = performance.now()
  const target: LoadTarget = server
  const crowd = await Promise.all(
    Array.from({ length: options.callers }, async (_, index) => {
      // The system's accept queue is shorter than the number of callers.
      await sleep(Math.floor(index / 100) * 30)
      return index % 2 === 0 ? createTicket(target, `Crowd ${index}`) : listProjects(target)
    }),
  )
  const ready = since(scene, from, 'ready')
  const count = (...statuses: number[]) => crowd.filter(({ status }) => statuses.includes(status)).length
  const name = `${options.callers} callers on ten connections`
  return [
    {
      what: `${name}: answered, or refused with 503`,
      wanted: String(options.callers),
      measured: `${count(200, 201)} + ${count(503)}`,
      isMet: count(200, 201, 503) === options.callers,
    },
    atMost(`${name}: longest answer`, 5000, [most(crowd.map(({ ms }) => ms))]),
    exactly(`${name}: \`/readyz\` that was not 200`, 0, ready.filter(({ status }) => status !== 200).length),
  ]
}

async function kept(
  { postgres, server, load, options }: Scene,
  delivered: ReadonlyMap<string, number>,
): Promise<Finding[]> {
  const rows = await asked(postgres, 'select title from tickets')
  const titles = new Set(rows.map((row) => String(row['title'])))
  const lost = [...load.acknowledged].filter((title) => !titles.has(title)).length
  const undelivered = () => [...load.acknowledged].filter((title) => !delivered.has(title)).length
  for (const until = performance.now() + 120_000; undelivered() > 0 && performance.now() < until; ) await sleep(100)
  const [open] = await asked(
    postgres,
    "select count(*) as open from pg_stat_activity where backend_type = 'client backend'",
  )
  const statuses = load.answers.filter(({ kind, status }) => kind !== 'ready' && ![200, 201, 503].includes(status))
  // Failures that no limit explains are printed.
  for (const line of server.errors.filter((each) => each.includes('failed.'))) process.stderr.write(`${line}\n`)
  const outages = server.errors.filter((line) => line.includes('"level":"error"')).length
  return [
    exactly(
      'the process is still running',
      'running',
      (await Promise.race([server.exited, 'running' as const])) ?? 'killed',
    ),
    exactly(`acknowledged writes that are lost, of ${load.acknowledged.size}`, 0, lost),
    exactly('acknowledged writes that were not delivered', 0, undelivered()),
    {
      what: `answers that were neither success nor 503, of ${load.answers.length}`,
      wanted: '0',
      measured: [statuses.length, ...new Set(statuses.map(({ status, fault }) => fault ?? `status ${status}`))].join(
        ', ',
      ),
      isMet: statuses.length === 0,
    },
    {
      what: 'connections at the end (ten of the pool, one that watches, one that listens, one of the proof)',
      wanted: '≤ 13',
      measured: String(open?.['open']),
      isMet: Number(open?.['open']) <= 13,
    },
    {
      what: 'errors in the log, of all outages together',
      wanted: `≤ ${3 * (options.kills + 8)}`,
      measured: String(outages),
      isMet: outages <= 3 * (options.kills + 8),
    },
  ]
}

async function stoppedWhileHanging({ postgres, server }: Scene): Promise<Finding[]> {
  const load = startLoad(server, { writers: 5, readers: 5 })
  await sleep(300)
  postgres.freeze(true)
  await sleep(1000)
  const { code, ms } = await server.end('SIGTERM')
  postgres.freeze(false)
  await load.stop()
  return [
    atMost('SIGTERM while the database hangs: ended after', 15_000, [ms]),
    exactly('SIGTERM while the database hangs: exit code', 0, code ?? 'a signal'),
  ]
}

/** A healthy database, callers without pauses, and a receiver that never responds. */
async function stoppedUnderLoad({ postgres, ...scene }: Scene): Promise<Finding[]> {
  const receiver = await startCountingReceiver(() => undefined)
  const { token, workspace } = scene.server // only the first start prints those of the seed
  const server = { ...(await openServer(postgres.url)), token, workspace }
  await subscribe(server, receiver.url)
  const load = startLoad(server, { writers: 20, readers: 10 })
  await sleep(2000)
  const { code, ms } = await server.end('SIGTERM')
  await load.stop()
  receiver.close()
  return [
    atMost('SIGTERM under load, with a receiver that does not answer: ended after', 15_000, [ms]),
    exactly('SIGTERM under load: exit code', 0, code ?? 'a signal'),
  ]
}

async function startedWhileHanging({ postgres }: Scene): Promise<Finding[]> {
  postgres.freeze(true)
  const startedAt = performance.now()
  const { exited, errors } = spawnServer([], { ...environmentOf(postgres.url), SERVICE_DATABASE_START_TIMEOUT_MS: '0' })
  const code = await exited
  const ms = performance.now() - startedAt
  const said = errors.join('\n')
  postgres.freeze(false)
  return [
    atMost('start on a database that hangs: ended after', 10_000, [ms]),
    exactly('start on a database that hangs: exit code', 1, code ?? 'a signal'),
    {
      what: 'start on a database that hangs: what it says',
      wanted: 'why',
      measured: said.split('\n').at(-1) ?? '',
      isMet: said.includes('does not answer within 5 s'),
    },
  ]
}
