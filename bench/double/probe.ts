import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createServer, type Server } from '@service/server'
import { createTestServer, type TestServer, type TestServerOptions } from '@service/server/testing'
import type { DoubleSample } from './sample.ts'

const fixed = { seed: 'demo', clock: '2026-01-01T00:00:00Z', rateLimit: 'off' } as const satisfies TestServerOptions

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const megabytes = (bytes: number) => bytes / 1024 / 1024

/** A list of 50 tickets, asked for again and again, of a server with the demo. */
async function lister(server: TestServer): Promise<() => Promise<string>> {
  await server.createMany.ticket(60)
  return listTickets(server, server.seeded.token)
}

/** The same of a server without a double around it. */
async function bareLister(server: Server): Promise<() => Promise<string>> {
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Bare' })
  const { id: user_id } = await server.admin.members.create(
    { workspace: workspace_id },
    { name: 'Ann', email: 'ann@bare.example' },
  )
  const { token } = await server.admin.tokens.create({ workspace: workspace_id }, { user_id, scopes: ['tickets:read'] })
  for (let number = 0; number < 60; number += 1)
    await server.admin.tickets.create(
      { workspace: workspace_id },
      { title: `Ticket ${number}`, created_by: user_id, assigned_to: user_id },
    )
  return listTickets(server, token)
}

function listTickets(server: Pick<Server, 'origin' | 'fetch'>, token: string | undefined): () => Promise<string> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const url = `${server.origin}/api/v1/workspaces/1/tickets`
  return async () => (await server.fetch(url, { headers })).text()
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work()
}

async function measureState(server: TestServer) {
  const forks: TestServer[] = []
  const fork = async () => forks.push(await server.fork())
  await times(20, () => server.reset())
  const resetMs = (await cpuMs(() => times(50, () => server.reset()))) / 50
  await times(20, fork)
  const forkMs = (await cpuMs(() => times(50, fork))) / 50
  await Promise.all(forks.splice(0).map((each) => each.close()))
  collectGarbage()
  const before = process.memoryUsage.rss()
  const startedAt = performance.now()
  await times(100, fork)
  const hundredForksMs = performance.now() - startedAt
  const hundredForksMb = megabytes(process.memoryUsage.rss() - before)
  await Promise.all(forks.map((each) => each.close()))
  return { resetMs, forkMs, hundredForksMs, hundredForksMb }
}

interface Measured {
  call(): Promise<unknown>
  /** Done before each call, and not measured. */
  prepare?(): Promise<unknown>
}

async function spentOn({ prepare, call }: Measured, count: number): Promise<number> {
  if (prepare === undefined) return cpuMs(() => times(count, call))
  let sum = 0
  await times(count, async () => {
    await prepare()
    sum += await cpuMs(call)
  })
  return sum
}

async function measureCalls() {
  const bare = await createServer({ rateLimit: 'off' })
  const doubles: TestServer[] = []
  const open = async (contract: 'off' | 'collect') => {
    const double = await createTestServer({ ...fixed, contract })
    doubles.push(double)
    return double
  }
  const calls = {
    bareMicros: { call: await bareLister(bare) },
    journalMicros: { call: await lister(await open('off')) },
    contractMicros: { call: await lister(await open('collect')) },
    creationMicros: { call: creator(await open('off')) },
    creationContractMicros: { call: creator(await open('collect')) },
    changedMicros: await changedLister(await open('off')),
    changedContractMicros: await changedLister(await open('collect')),
  }
  const [rounds, repeats] = [8, 300]
  const spent = Object.fromEntries(Object.keys(calls).map((name) => [name, 0])) as Record<keyof typeof calls, number>
  for (let round = -2; round < rounds; round += 1) {
    for (const [name, measured] of Object.entries(calls) as [keyof typeof calls, Measured][]) {
      const ms = await spentOn(measured, repeats)
      if (round >= 0) spent[name] += (ms * 1000) / rounds / repeats
    }
  }
  await Promise.all([bare, ...doubles].map((server) => server.close()))
  return spent
}

function creator(server: TestServer): () => Promise<Response> {
  const headers = { authorization: `Bearer ${server.seeded.token}`, 'content-type': 'application/json' }
  const url = `${server.origin}/api/v1/workspaces/1/tickets`
  return () => server.fetch(url, { method: 'POST', headers, body: '{"title":"One more"}' })
}

/** The same list, with a ticket more before each call. */
const changedLister = async (server: TestServer): Promise<Measured> => ({
  prepare: creator(server),
  call: await lister(server),
})

async function measureHeap(server: TestServer): Promise<number> {
  const list = await lister(server)
  await times(2000, list)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  await times(50_000, list)
  collectGarbage()
  return megabytes(process.memoryUsage().heapUsed - before)
}

async function measureRetries(): Promise<number> {
  const server = await createTestServer(fixed)
  const inbox = server.webhooks.capture('ticket.created', { respond: () => new Response(null, { status: 500 }) })
  await inbox.ready
  await server.createMany.ticket(100)
  const startedAt = performance.now()
  await server.clock.advance('96h')
  const retriesMs = performance.now() - startedAt
  if (inbox.arrivals().length !== 1000) throw new Error(`${inbox.arrivals().length} attempts were made, not 1000.`)
  await server.close()
  return retriesMs
}

async function measureTests(server: TestServer): Promise<number> {
  const test = async (_: unknown, index: number) => {
    await using mine = await server.fork()
    await mine.create.ticket({ title: `Test ${index}` })
    const [newest] = (await mine.admin.tickets.list({ workspace: 1 })).data
    if (newest?.title !== `Test ${index}`) throw new Error('A test has seen the ticket of another.')
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 1000 }, test))
  return performance.now() - startedAt
}

const demo = await createTestServer(fixed)
const sample: DoubleSample = {
  ...(await measureState(demo)),
  ...(await measureCalls()),
  thousandTestsMs: await measureTests(demo),
  retriesMs: await measureRetries(),
  heapGrowthMb: await measureHeap(demo),
}
await demo.close()
process.stdout.write(JSON.stringify(sample))
