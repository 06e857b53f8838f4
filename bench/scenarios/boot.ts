import { spawnBare, spawnOurs } from '../boot/spawned.ts'
import { temporaryFolder } from '../data/folder.ts'
import { atMost, because, row } from '../findings.ts'
import { probe } from '../processes/probe.ts'
import { figures, interleave } from '../rounds.ts'
import type { Scenario } from './scenario.ts'

type ProbeSample = { readonly firstMs: number; readonly secondMs: number }

const bare = { name: 'bare node:http, spawn to first answer' }
const fresh = { name: 'ours, spawn to /readyz, new data directory' }
const again = { name: 'ours, spawn to /readyz, existing data directory' }
const spawns = [bare, fresh, again]
type Spawn = (typeof spawns)[number]

const whyNotSooner =
  'the first makes the schema by all its migrations, and both run code that is not compiled yet: a fork of the test double, which does the same when it has been done often, takes half as long as the second.'

/** How fast it starts, in a program and as a program, and what it holds when nobody calls. */
export const boot: Scenario = {
  steps: ({ rounds }) => (spawns.length + 1) * rounds,
  async run({ rounds }, progress) {
    using folder = temporaryFolder()
    const probes: ProbeSample[] = []
    for (let round = 0; round < rounds; round += 1) {
      probes.push(await probe<ProbeSample>('boot/probe.ts'))
      progress(`round ${round + 1}: createServer() in memory`)
    }
    await spawnOurs(folder.path('existing'))
    const spawn = (variant: Spawn, round: number) => {
      if (variant === bare) return spawnBare()
      return spawnOurs(folder.path(variant === fresh ? `new-${round}` : 'existing'))
    }
    const samples = await interleave(spawns, rounds, async (variant, round) => {
      const sample = await spawn(variant, round)
      progress(`round ${round + 1}: ${variant.name}: ${Math.round(sample.readyMs)} ms`)
      return sample
    })
    const ready = (variant: Spawn) => figures(samples, variant, ({ readyMs }) => readyMs)
    const rss = (variant: Spawn) => figures(samples, variant, (sample) => sample.rss)
    const first = probes.map(({ firstMs }) => firstMs)
    const second = probes.map(({ secondMs }) => secondMs)
    return {
      title: 'Start-up and memory',
      method:
        'Each round is a fresh process. In process: `createServer()` in memory to the first 200 of /readyz, with the package imported before. As a program: from spawn to the first 200 of /readyz, then the resident memory of the idle process.',
      columns: ['ms to first answer', 'idle RSS, MB'],
      rows: [
        row('ours, createServer() in memory, first in the process', first, undefined),
        row('ours, createServer() in memory, second', second, undefined),
        ...spawns.map((variant) => row(variant.name, ready(variant), rss(variant))),
      ],
      goals: [
        because(atMost('createServer() in memory to first answer, ms', 30, first), whyNotSooner),
        because(atMost('a second one, ms', 5, second), whyNotSooner),
        atMost('spawn to /readyz, ms', 400, ready(fresh)),
        atMost('idle RSS, MB', 100, rss(fresh)),
      ],
    }
  },
}
