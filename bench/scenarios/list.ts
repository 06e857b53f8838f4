import { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atMost, type Findings, row } from '../findings.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { Plan } from '../load/plan.ts'
import { type ServerProcess, startEmbedded, startFloor, startOurs } from '../processes/server.ts'
import { figures } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { requireSameLists } from './same-answers.ts'
import type { Scenario } from './scenario.ts'

const clients = 32
const [small, middle, large] = [1_000, 100_000, 1_000_000]

interface ListVariant {
  readonly name: string
  readonly tickets: number
  readonly start: (data: string) => Promise<ServerProcess>
}

const floor: ListVariant = {
  name: 'floor: hand-written node:http + better-sqlite3, 100 k tickets',
  tickets: middle,
  start: (data) => startFloor('list-server', data),
}
const tunedFloor: ListVariant = {
  name: 'the same with SQL that SQLite plans only once',
  tickets: middle,
  start: (data) => startFloor('list-server', data, 'tuned'),
}
const ours: ListVariant = { name: 'ours: service-server start, 100 k tickets', tickets: middle, start: startOurs }
const embedded: ListVariant = {
  name: 'ours: createServer().listen(), 100 k tickets',
  tickets: middle,
  start: startEmbedded,
}
const oursSmall: ListVariant = { name: 'ours: service-server start, 1 k tickets', tickets: small, start: startOurs }
const oursLarge: ListVariant = { name: 'ours: service-server start, 1 M tickets', tickets: large, start: startOurs }
const all = [floor, tunedFloor, ours, embedded, oursSmall, oursLarge]

/** GET of the newest 50 tickets with their people, over HTTP. */
export const list: Scenario = {
  steps: (options) => 3 + contestSteps(all, options),
  async run(options, progress) {
    using folder = temporaryFolder()
    await using stack = new AsyncDisposableStack()
    const seeded = new Map<number, readonly SeededWorkspace[]>()
    for (const tickets of [small, middle, large]) {
      seeded.set(tickets, await seed(folder.path(`seed-${tickets}`), tickets))
      progress(`made a database of ${tickets} tickets`)
    }
    const servers = new Map<ListVariant, ServerProcess>()
    for (const [index, variant] of all.entries()) {
      const data = folder.path(`server-${index}`)
      copyData(folder.path(`seed-${variant.tickets}`), data)
      servers.set(variant, stack.use(await variant.start(data)))
    }
    const workspacesOf = ({ tickets }: ListVariant) => seeded.get(tickets) ?? []
    await requireSameLists(
      [floor, tunedFloor, ours, embedded].map((variant) => serverOf(servers, variant)),
      workspacesOf(floor),
    )
    const load = stack.use(startLoad())
    const samples = await contest(all, { ...options, progress }, (variant, seconds) =>
      load.measure(serverOf(servers, variant), planFor(workspacesOf(variant), seconds)),
    )
    return report(samples)
  },
}

function serverOf(servers: ReadonlyMap<ListVariant, ServerProcess>, variant: ListVariant): ServerProcess {
  const server = servers.get(variant)
  if (server === undefined) throw new ReferenceError(`The server of "${variant.name}" was not started.`)
  return server
}

function planFor(workspaces: readonly SeededWorkspace[], seconds: number): Omit<Plan, 'origin'> {
  const requests = workspaces.map(({ id, token }) => ({
    method: 'GET' as const,
    path: `/api/v1/workspaces/${id}/tickets`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    expectedStatus: 200,
  }))
  return { clients, seconds, requests }
}

function report(samples: Map<ListVariant, LoadSample[]>): Findings {
  const cpu = (variant: ListVariant) => figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  const rate = (variant: ListVariant) => figures(samples, variant, (sample) => sample.requestsPerSecond)
  return {
    title: 'List: GET 50 tickets with assignee and creator',
    method: `${clients} keep-alive connections over loopback, ten workspaces in turn; every request looks its token up and counts against the rate limit. The floor and ours answer the same bytes (compared before). CPU is that of the whole server process; ratios are taken within a round.`,
    columns: ['CPU µs/request', 'requests/s', 'CPU / floor'],
    rows: all.map((variant) => row(variant.name, cpu(variant), rate(variant), ratios(cpu(variant), cpu(floor)))),
    goals: [
      atMost('CPU per request, ours / floor', 1.2, ratios(cpu(ours), cpu(floor))),
      atMost('the same, stretch', 1, ratios(cpu(ours), cpu(floor))),
      atMost('CPU per request, ours at 100 k / at 1 k tickets', 1.1, ratios(cpu(ours), cpu(oursSmall))),
      atMost('CPU per request, ours at 1 M / at 1 k tickets', 1.1, ratios(cpu(oursLarge), cpu(oursSmall))),
    ],
  }
}
