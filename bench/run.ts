import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Options, type Scenario, section } from './measure.ts'
import { client } from './scenarios/client.ts'
import { create } from './scenarios/create.ts'
import { delivery } from './scenarios/delivery.ts'
import { list } from './scenarios/list.ts'
import { start } from './scenarios/start.ts'
import { verify } from './scenarios/verify.ts'
import { sizes } from './sizes.ts'

const scenarios: Readonly<Record<string, Scenario>> = { list, create, delivery, verify, client, start }
const resultsFile = fileURLToPath(new URL('RESULTS.md', import.meta.url))

/** The sections below this heading stay as they are. */
const byHandHeading = '# Measured by hand'

const help = `Compares the platform with similar libraries and with hand-written programs that do the same work.

Usage: pnpm bench [--only <scenario,…>] [--rounds 5] [--seconds 3]

  --only <scenario,…>  Run only these: ${Object.keys(scenarios).join(', ')}
  --rounds <n>         Interleaved rounds; the results are medians (default: 5)
  --seconds <n>        Length of one measurement (default: 3)

Linux only. Prints each section. A run of all scenarios also writes bench/RESULTS.md, except for its part that was
measured by hand.`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})

function chosen(): readonly string[] {
  const names = values.only?.split(',') ?? Object.keys(scenarios)
  const unknown = names.find((name) => scenarios[name] === undefined)
  if (unknown !== undefined) throw new Error(`Unknown scenario: ${unknown}.\n\n${help}`)
  return names
}

async function run(names: readonly string[]): Promise<string[]> {
  const options: Options = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    progress: (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`),
  }
  const sections: string[] = []
  for (const name of names) {
    const scenario = scenarios[name]
    if (scenario === undefined) continue
    options.progress(`${name} started`)
    const text = section(scenario, await scenario.measure(options))
    process.stdout.write(`${text}\n`)
    sections.push(text)
  }
  return sections
}

if (values.help) process.stdout.write(`${help}\n`)
else {
  const loadAtStart = loadavg()[0]?.toFixed(1)
  const sections = await run(chosen())
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`
  const busy = Number(loadAtStart) > 0.5 ? ' The machine was busy, so compare only ratios within one table.' : ''
  const head = `# Benchmarks

Written by \`pnpm bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.
Load average at the start: ${loadAtStart}.${busy}
Figures are the median (lowest–highest) of ${values.rounds} interleaved rounds of ${values.seconds} s.
`
  if (values.only === undefined) {
    const byHand = readFileSync(resultsFile, 'utf8').split(byHandHeading)[1] ?? ''
    const written = `${head}\n${[...sections, await sizes()].join('\n')}`
    writeFileSync(resultsFile, `${written.trimEnd()}\n\n${byHandHeading}${byHand}`)
  }
}
