import { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atMost, because, type Findings, row } from '../findings.ts'
import { startLoad } from '../load/load.ts'
import { createTicket, readTickets } from '../load/ticket-requests.ts'
import { startOurs } from '../processes/server.ts'
import { rssMegabytes } from '../processes/usage.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const clients = 32
const requests = 100_000
const tickets = 10_000

const variants = {
  // What V8 takes where nobody says otherwise; saying so keeps `start` from limiting its heap.
  unlimited: { name: 'ours, the young generation as large as V8 lets it grow', options: '--max-semi-space-size=64' },
  ours: { name: 'ours: service-server start', options: '' },
} as const
type MemoryVariant = (typeof variants)[keyof typeof variants]
const all: readonly MemoryVariant[] = Object.values(variants)

interface MemorySample {
  readonly rss: number
  readonly cpuMicros: number
}

/** What a process holds after much work, and what it costs to hold no more. */
export const memory: Scenario = {
  steps: ({ rounds }) => all.length * rounds,
  async run({ rounds, seconds }, progress) {
    using folder = temporaryFolder()
    const workspaces = await seed(folder.path('seed'), tickets)
    const samples = await interleave(all, rounds, async (variant, round) => {
      const data = folder.path(`${all.indexOf(variant)}-${round}`)
      copyData(folder.path('seed'), data)
      const sample = await work(data, { options: variant.options, seconds, workspaces })
      progress(`round ${round + 1}: ${variant.name}: ${Math.round(sample.rss)} MB`)
      return sample
    })
    return report(samples)
  },
}

interface Work {
  readonly options: string
  readonly seconds: number
  readonly workspaces: readonly SeededWorkspace[]
}

async function work(data: string, { options, seconds, workspaces }: Work): Promise<MemorySample> {
  await using server = await startOurs(data, { NODE_OPTIONS: options, SERVICE_LOAD_SHEDDING: 'false' })
  await using load = startLoad()
  const turn = workspaces.flatMap((workspace) => [
    ...Array.from({ length: 4 }, () => readTickets(workspace)),
    createTicket(workspace),
  ])
  let [done, cpu] = [0, 0]
  while (done < requests) {
    const sample = await load.measure(server, { clients, seconds, requests: turn })
    const count = sample.requestsPerSecond * seconds
    done += count
    cpu += sample.cpuMicrosPerRequest * count
  }
  return { rss: rssMegabytes(server.pid), cpuMicros: cpu / done }
}

const whyNotLess =
  'of 160 MB, 58 are the program of Node, 45 the heap, of which half lives, and the rest the caches of SQLite, 16 MB for each of two connections, compiled code, threads, and what the allocator does not give back.'

function report(samples: Map<MemoryVariant, MemorySample[]>): Findings {
  const rss = (variant: MemoryVariant) => figures(samples, variant, (sample) => sample.rss)
  const cpu = (variant: MemoryVariant) => figures(samples, variant, (sample) => sample.cpuMicros)
  const toUnlimited = (variant: MemoryVariant) => ratios(cpu(variant), cpu(variants.unlimited))
  return {
    title: 'Memory after a hundred thousand requests',
    method: `${clients} keep-alive connections, ten workspaces of ${tickets} tickets in all, four lists and a creation in turn until ${requests} are answered, by a fresh process in each round.`,
    columns: ['RSS, MB', 'CPU µs/request', 'CPU / unlimited'],
    rows: all.map((variant) => row(variant.name, rss(variant), cpu(variant), toUnlimited(variant))),
    goals: [
      because(atMost('RSS, MB', 150, rss(variants.ours)), whyNotLess),
      atMost('CPU of a limited heap / unlimited', 1.1, toUnlimited(variants.ours)),
    ],
  }
}
