import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, type Findings, row } from '../findings.ts'
import type { Options } from '../options.ts'
import { startWorker } from '../processes/server.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { addBacklog, encryptionKey, seedSubscriptions, startDatabases } from './postgres-backlog.ts'
import type { Receiver } from './receiver.ts'

// Worker processes on one PostgreSQL, and how much more four of them send than one.

const subscriptions = 32
const eventsPerRound = 4000
const warmUpMs = 4000

const variants = {
  one: { name: 'one worker process', count: 1 },
  four: { name: 'four worker processes', count: 4 },
} as const
type Variant = (typeof variants)[keyof typeof variants]
const all: readonly Variant[] = Object.values(variants)

export const workersSteps = ({ rounds }: Options) => 1 + rounds * all.length

export async function workers({
  rounds,
  seconds,
  progress,
  receiver,
}: Options & { readonly progress: Progress; readonly receiver: Receiver }): Promise<Findings> {
  await using databases = await startDatabases()
  const url = await databases.create()
  const urls = Array.from({ length: subscriptions }, (_, index) => `${receiver.url}/slow/${index}`)
  const workspaceId = await seedSubscriptions(url, urls)
  progress('started PostgreSQL')
  const samples = await interleave(all, rounds, async ({ name, count }, round) => {
    await addBacklog(url, { workspaceId, events: eventsPerRound })
    await using stack = new AsyncDisposableStack()
    for (let index = 0; index < count; index += 1) stack.use(await startWorker(url, encryptionKey))
    await sleep(warmUpMs)
    const { perSecond } = await receiver.rate(seconds)
    progress(`round ${round + 1}: ${name}: ${Math.round(perSecond)}/s`)
    return perSecond
  })
  return report(samples)
}

function report(samples: Map<Variant, number[]>): Findings {
  const rate = (variant: Variant) => figures(samples, variant, (perSecond) => perSecond)
  const toOne = (variant: Variant) => ratios(rate(variant), rate(variants.one))
  return {
    title: 'Outbound: four workers on one PostgreSQL',
    method: `${subscriptions} subscriptions with a backlog each; the receiver takes 250 ms to answer, so that a worker is bound by its 256 requests in flight and not by this machine's two cores, which it shares with the receiver and with PostgreSQL (\`fsync=off\`, as in the tests).`,
    columns: ['deliveries/s', 'deliveries/s / one'],
    rows: all.map((variant) => row(variant.name, rate(variant), toOne(variant))),
    goals: [atLeast('deliveries/s, four workers / one', 3, toOne(variants.four))],
  }
}
