import type { temporaryFolder } from '../data/folder.ts'
import { atMost, type Findings, row } from '../findings.ts'
import type { Options } from '../options.ts'
import { probe } from '../processes/probe.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { latenciesOf } from './latency-of.ts'
import type { Commits } from './platform.ts'
import type { Receiver } from './receiver.ts'

// How soon after its commit an event is at its receiver: at a steady pace, and beside a receiver that is dead.

const lastsSeconds = 5

const variants = {
  pace: { name: '500 events/s to one receiver', perSecond: 500, subscriptions: 1, dead: 0 },
  alone: { name: '60 events/s to eight receivers', perSecond: 60, subscriptions: 8, dead: 0 },
  beside: {
    name: 'the same beside a receiver that never answers, with 10,000 waiting',
    perSecond: 60,
    subscriptions: 8,
    dead: 10_000,
  },
} as const
type Variant = (typeof variants)[keyof typeof variants]
const all: readonly Variant[] = Object.values(variants)

interface Sample {
  readonly p50: number
  readonly p99: number
}

export const soonSteps = ({ rounds }: Options) => rounds * all.length

export async function soon(
  { rounds, progress, receiver }: Options & { readonly progress: Progress; readonly receiver: Receiver },
  folder: ReturnType<typeof temporaryFolder>,
): Promise<Findings> {
  const samples = await interleave(all, rounds, async (variant, round) => {
    const data = folder.path(`soon-${round}-${all.indexOf(variant)}`)
    const sample = await measure(variant, receiver, data)
    progress(`round ${round + 1}: ${variant.name}: p50 ${sample.p50.toFixed(2)} ms, p99 ${sample.p99.toFixed(2)} ms`)
    return sample
  })
  return report(samples)
}

async function measure({ perSecond, subscriptions, dead }: Variant, receiver: Receiver, data: string): Promise<Sample> {
  await receiver.arrivals()
  const args = [data, receiver.url, ...[perSecond, lastsSeconds, subscriptions, dead].map(String)]
  const commits = new Map(await probe<Commits>('outbound/platform.ts', args))
  const arrivals = (await receiver.arrivals()).filter(([title]) => commits.has(title))
  const wanted = commits.size * subscriptions
  if (arrivals.length !== wanted) throw new Error(`${arrivals.length} deliveries came, and ${wanted} should have.`)
  return latenciesOf(arrivals.map(([title, at]) => (at - (commits.get(title) ?? Number.NaN)) / 1000))
}

function report(samples: Map<Variant, Sample[]>): Findings {
  const p50 = (variant: Variant) => figures(samples, variant, (sample) => sample.p50)
  const p99 = (variant: Variant) => figures(samples, variant, (sample) => sample.p99)
  const beside = ratios(p99(variants.beside), p99(variants.alone))
  return {
    title: 'Outbound: from the commit to the receiver',
    method: `A platform in a process of its own creates tickets at an even pace for ${lastsSeconds} s, SQLite with \`synchronous=FULL\`. A time runs from the moment when the creation is answered (its commit is on the disk) to the moment when the receiver has the request. The dead receiver takes requests and never answers; its 10,000 deliveries wait before the measurement begins. Ratios are taken within a round.`,
    columns: ['p50 ms', 'p99 ms', 'p99 / alone'],
    rows: all.map((variant) =>
      row(variant.name, p50(variant), p99(variant), variant === variants.beside ? beside : undefined),
    ),
    goals: [
      atMost('500 events/s, p50 ms', 15, p50(variants.pace)),
      atMost('500 events/s, p99 ms', 100, p99(variants.pace)),
      atMost('p99 beside a dead receiver / alone', 1.1, beside),
    ],
  }
}
