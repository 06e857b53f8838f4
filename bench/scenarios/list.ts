import { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atMost, type Findings, row } from '../findings.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { Plan } from '../load/plan.ts'
import { type ServerProcess, startEmbedded, startFloor, startOurs } from '../processes/server.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { requireSameLists } from './same-answers.ts'
import type { Scenario } from './scenario.ts'

const clients = 32
const warmUpSeconds = 2

const variants = {
  floor: {
    name: 'hand-written node:http + better-sqlite3, 100 k tickets',
    tickets: 100_000,
    start: (data: string) => startFloor('list-server', data),
  },
  ours: { name: 'ours (service-server start), 100 k tickets', tickets: 100_000, start: startOurs },
  embedded: { name: 'ours (createServer().listen()), 100 k tickets', tickets: 100_000, start: startEmbedded },
  small: { name: 'ours (service-server start), 1 k tickets', tickets: 1_000, start: startOurs },
  large: { name: 'ours (service-server start), 1 M tickets', tickets: 1_000_000, start: startOurs },
} as const
type ListVariant = (typeof variants)[keyof typeof variants]
const all: readonly ListVariant[] = Object.values(variants)

interface Contestant {
  readonly server: ServerProcess
  readonly workspaces: readonly SeededWorkspace[]
}

/** GET of the newest 50 tickets with their people, over HTTP. */
export const list: Scenario = {
  steps: ({ rounds }) => 3 + all.length * (rounds + 1),
  async run({ rounds, seconds }, progress) {
    using folder = temporaryFolder()
    await using stack = new AsyncDisposableStack()
    const seeded = new Map<number, readonly SeededWorkspace[]>()
    for (const tickets of [1_000, 100_000, 1_000_000]) {
      seeded.set(tickets, await seed(folder.path(`seed-${tickets}`), tickets))
      progress(`made a database of ${tickets} tickets`)
    }
    const contestants = new Map<ListVariant, Contestant>()
    for (const [name, variant] of Object.entries(variants)) {
      copyData(folder.path(`seed-${variant.tickets}`), folder.path(name))
      const server = stack.use(await variant.start(folder.path(name)))
      contestants.set(variant, { server, workspaces: seeded.get(variant.tickets) ?? [] })
    }
    await requireSameLists(
      [variants.floor, variants.ours, variants.embedded].map((variant) => contestantOf(contestants, variant)),
    )
    const load = stack.use(startLoad())
    const measure = (variant: ListVariant, length: number) => {
      const { server, workspaces } = contestantOf(contestants, variant)
      return load.measure(server, planFor(workspaces, length))
    }
    for (const variant of all) {
      await measure(variant, warmUpSeconds)
      progress(`warmed up ${variant.name}`)
    }
    return report(
      await interleave(all, rounds, async (variant, round) => {
        const sample = await measure(variant, seconds)
        progress(
          `round ${round + 1}: ${variant.name}: ${Math.round(sample.cpuMicrosPerRequest)} µs, ${Math.round(sample.requestsPerSecond)}/s`,
        )
        return sample
      }),
    )
  },
}

function contestantOf(contestants: Map<ListVariant, Contestant>, variant: ListVariant): Contestant {
  const contestant = contestants.get(variant)
  if (contestant === undefined) throw new ReferenceError(`${variant.name} was not started.`)
  return contestant
}

function planFor(workspaces: readonly SeededWorkspace[], seconds: number): Omit<Plan, 'origin'> {
  const requests = workspaces.map(({ id, token }) => ({
    method: 'GET' as const,
    path: `/api/v1/workspaces/${id}/tickets`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  }))
  return { clients, seconds, requests, expectedStatus: 200 }
}

function report(samples: Map<ListVariant, LoadSample[]>): Findings {
  const cpu = (variant: ListVariant) => figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  const rate = (variant: ListVariant) => figures(samples, variant, (sample) => sample.requestsPerSecond)
  const toFloor = ratios(cpu(variants.ours), cpu(variants.floor))
  return {
    title: 'List: GET 50 tickets with assignee and creator',
    method: `${clients} keep-alive connections over loopback, ten workspaces in turn, bearer token looked up and rate limit counted on every request. All answers have the same bytes (checked before). CPU is that of the whole server process; ratios are taken within a round.`,
    columns: ['CPU µs/request', 'requests/s', 'CPU / floor'],
    rows: all.map((variant) =>
      row(variant.name, cpu(variant), rate(variant), ratios(cpu(variant), cpu(variants.floor))),
    ),
    goals: [
      atMost('CPU per request, ours / floor', 1.2, toFloor),
      atMost('the same, stretch', 1, toFloor),
      atMost('CPU per request, ours at 100 k / at 1 k tickets', 1.1, ratios(cpu(variants.ours), cpu(variants.small))),
      atMost('CPU per request, ours at 1 M / at 1 k tickets', 1.1, ratios(cpu(variants.large), cpu(variants.small))),
    ],
  }
}
