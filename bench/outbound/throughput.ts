import { setTimeout as sleep } from 'node:timers/promises'
import type { temporaryFolder } from '../data/folder.ts'
import { atLeast, atMost, type Findings, row } from '../findings.ts'
import type { Options } from '../options.ts'
import { probe } from '../processes/probe.ts'
import { type ServerProcess, startFloor, startSender } from '../processes/server.ts'
import { cpuMicros, rssMegabytes } from '../processes/usage.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { seedBacklog } from './backlog.ts'
import type { ClaimTimes } from './claim.ts'
import type { Receiver } from './receiver.ts'

// A worker with a million waiting deliveries beside a program that only sends.

const waiting = 1_000_000
const warmUpMs = 2000

const variants = {
  floor: { name: 'floor: undici Pool, 64 in flight, signed', who: 'floor' },
  ours: { name: 'ours: service-server start, one subscription (at most 64 in flight), 1 M waiting', who: 'ours' },
} as const
type Variant = (typeof variants)[keyof typeof variants]
const all: readonly Variant[] = Object.values(variants)

interface Sample {
  readonly perSecond: number
  readonly cpuMicros: number
  readonly rss: number
}

export const throughputSteps = ({ rounds }: Options) => 2 + rounds * all.length

export async function throughput(
  { rounds, seconds, progress, receiver }: Options & { readonly progress: Progress; readonly receiver: Receiver },
  folder: ReturnType<typeof temporaryFolder>,
): Promise<Findings> {
  const data = folder.path('waiting')
  await seedBacklog(data, { url: `${receiver.url}/`, deliveries: waiting })
  progress(`made a database of ${waiting} waiting deliveries`)
  const start = { floor: () => startFloor('sender', receiver.url), ours: () => startSender(data) }
  const samples = await interleave(all, rounds, async ({ who, name }, round) => {
    await using sender = await start[who]()
    await sleep(warmUpMs)
    const sample = await measure(sender, receiver, seconds)
    progress(`round ${round + 1}: ${name}: ${Math.round(sample.perSecond)}/s, ${sample.cpuMicros.toFixed(1)} µs`)
    return sample
  })
  const claim = await probe<ClaimTimes>('outbound/claim.ts', [data])
  progress('timed the claims')
  return report(samples, claim)
}

async function measure({ pid }: ServerProcess, receiver: Receiver, seconds: number): Promise<Sample> {
  const before = cpuMicros(pid)
  const { perSecond, count } = await receiver.rate(seconds)
  return { perSecond, cpuMicros: (cpuMicros(pid) - before) / count, rss: rssMegabytes(pid) }
}

function report(samples: Map<Variant, Sample[]>, claim: ClaimTimes): Findings {
  const rate = (variant: Variant) => figures(samples, variant, ({ perSecond }) => perSecond)
  const cpu = (variant: Variant) => figures(samples, variant, (sample) => sample.cpuMicros)
  const rss = figures(samples, variants.ours, (sample) => sample.rss)
  const toFloor = (variant: Variant) => ratios(rate(variant), rate(variants.floor))
  return {
    title: 'Outbound: deliveries per second beside the bare pool',
    method:
      'A receiver in a process of its own answers 204. Ours leases, fetches, signs, sends, judges, and records each attempt and its delivery in SQLite with `synchronous=FULL`; the floor signs and sends. Both are fresh processes that have run for two seconds. CPU is that of the whole sending process. Claiming is leasing a queue and fetching 256 deliveries of the million.',
    columns: ['deliveries/s', 'CPU µs/delivery', 'deliveries/s / floor'],
    rows: all.map((variant) => row(variant.name, rate(variant), cpu(variant), toFloor(variant))),
    goals: [
      atLeast('deliveries/s at 64 in flight, ours / floor', 0.4, toFloor(variants.ours)),
      atMost('RSS with 1 M waiting, MB', 512, rss),
      atMost('claiming among 1 M waiting, p50 ms', 5, [claim.p50Ms]),
      atMost('claiming among 1 M waiting, p99 ms', 5, [claim.p99Ms]),
    ],
  }
}
