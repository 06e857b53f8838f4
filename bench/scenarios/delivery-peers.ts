import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, type Findings, row } from '../findings.ts'
import { sampleBody } from '../outbound/backlog.ts'
import { addBacklog, encryptionKey, seedSubscriptions, startDatabases } from '../outbound/postgres-backlog.ts'
import { startReceiver } from '../outbound/receiver.ts'
import { copyProgram, installPeers, peerVersions } from '../peers/install.ts'
import { type ServerProcess, startFloor, startProgram, startWorker } from '../processes/server.ts'
import { cpuMicros } from '../processes/usage.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const warmUpMs = 2000
/** More than any of them sends in its warm-up and its measurement. */
const waitingPerSecond = 8000

const worker = `graphile-worker ${peerVersions.workers['graphile-worker']} + fetch`
const variants = {
  floor: { name: 'floor: undici Pool, 64 in flight, signed, nothing recorded' },
  plain: { name: `${worker}, 64 jobs at once` },
  batched: { name: `${worker}, with a local queue and completions in batches` },
  ours: { name: 'ours: service-server start, one subscription (64 in flight)' },
} as const
type Variant = (typeof variants)[keyof typeof variants]
const all: readonly Variant[] = Object.values(variants)

interface Sample {
  readonly perSecond: number
  readonly cpuMicros: number
}

/** Deliveries from a backlog on PostgreSQL: ours beside a queue of jobs whose job is a fetch. */
export const deliveryPeers: Scenario = {
  steps: ({ rounds }) => 1 + all.length * rounds,
  async run({ rounds, seconds }, progress) {
    const program = await copyProgram(await installPeers('workers'), 'graphile-worker')
    await using receiver = await startReceiver()
    await using databases = await startDatabases()
    progress('started PostgreSQL')
    const events = Math.ceil(waitingPerSecond * (seconds + warmUpMs / 1000))
    const url = `${receiver.url}/`
    const startJobs = async (...more: readonly string[]) =>
      startProgram(program, await databases.createEmpty(), url, sampleBody(1), `${events}`, ...more)
    const starts = new Map<Variant, () => Promise<ServerProcess>>([
      [variants.floor, () => startFloor('sender', receiver.url)],
      [variants.plain, () => startJobs()],
      [variants.batched, () => startJobs('batched')],
      [
        variants.ours,
        async () => {
          const database = await databases.create()
          await addBacklog(database, { workspaceId: await seedSubscriptions(database, [url]), events })
          return startWorker(database, encryptionKey, 'server')
        },
      ],
    ])
    const samples = await interleave(all, rounds, async (variant, round) => {
      await using sender = await starts.get(variant)?.()
      if (sender === undefined) throw new ReferenceError(`${variant.name} cannot be started.`)
      await sleep(warmUpMs)
      const before = cpuMicros(sender.pid)
      const { perSecond, count } = await receiver.rate(seconds)
      const sample = { perSecond, cpuMicros: (cpuMicros(sender.pid) - before) / count }
      progress(`round ${round + 1}: ${variant.name}: ${Math.round(perSecond)}/s, ${sample.cpuMicros.toFixed(1)} µs`)
      return sample
    })
    return report(samples)
  },
}

function report(samples: Map<Variant, Sample[]>): Findings {
  const rate = (variant: Variant) => figures(samples, variant, ({ perSecond }) => perSecond)
  const cpu = (variant: Variant) => figures(samples, variant, (sample) => sample.cpuMicros)
  const best = [variants.plain, variants.batched]
  const of = (pick: (variant: Variant) => number[], choose: (...values: number[]) => number) =>
    pick(variants.ours).map((_, round) => choose(...best.map((variant) => pick(variant)[round] ?? Number.NaN)))
  return {
    title: 'Deliveries on PostgreSQL, beside a queue of jobs',
    method:
      'The same receiver in a process of its own, the PostgreSQL of the tests (`fsync=off`), a backlog in it and one sending process. Ours records each attempt with its answer, keeps the order of a subscription’s queue fair, limits what it reads of an answer and refuses private addresses; a job of graphile-worker signs and sends, and its row is deleted. CPU is that of the sending process, without PostgreSQL’s.',
    columns: ['deliveries/s', 'CPU µs/delivery', 'deliveries/s / floor'],
    rows: all.map((variant) =>
      row(variant.name, rate(variant), cpu(variant), ratios(rate(variant), rate(variants.floor))),
    ),
    goals: [
      atLeast('deliveries/s, ours / the better of graphile-worker', 1, ratios(rate(variants.ours), of(rate, Math.max))),
      atMost('CPU, ours / the better of graphile-worker', 1, ratios(cpu(variants.ours), of(cpu, Math.min))),
    ],
  }
}
