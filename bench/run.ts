import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toSvg } from './chart.ts'
import { curvesToSvg } from './curves.ts'
import type { Findings } from './findings.ts'
import { describeMachine, type Machine } from './machine.ts'
import { help, type Options, readOptions, type ScenarioName } from './options.ts'
import { progressOf } from './progress.ts'
import { describeRun, toMarkdown, toSection } from './report.ts'
import { writeSections } from './results-file.ts'
import { adminLists } from './scenarios/admin-lists.ts'
import { boot } from './scenarios/boot.ts'
import { client } from './scenarios/client.ts'
import { clientPeers } from './scenarios/client-peers.ts'
import { create } from './scenarios/create.ts'
import { dashboard } from './scenarios/dashboard.ts'
import { deliveryPeers } from './scenarios/delivery-peers.ts'
import { double } from './scenarios/double.ts'
import { inbound } from './scenarios/inbound.ts'
import { list } from './scenarios/list.ts'
import { listCache } from './scenarios/list-cache.ts'
import { memory } from './scenarios/memory.ts'
import { outbound } from './scenarios/outbound.ts'
import { peers } from './scenarios/peers.ts'
import { scale } from './scenarios/scale.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { size } from './scenarios/size.ts'
import { webhookPeers } from './scenarios/webhook-peers.ts'

const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  list,
  'list-cache': listCache,
  create,
  client,
  boot,
  size,
  outbound,
  double,
  'admin-lists': adminLists,
  peers,
  'client-peers': clientPeers,
  'webhook-peers': webhookPeers,
  'delivery-peers': deliveryPeers,
  dashboard,
  memory,
  inbound,
  scale,
}

const resultsFile = fileURLToPath(new URL('./RESULTS.md', import.meta.url))

const options = readCommandLine()
if (options?.help) console.log(help)
else if (options !== undefined) await bench(options)

/** A wrong option is told in one line, without a stack. */
function readCommandLine(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2))
  } catch (fault) {
    if (!(fault instanceof TypeError)) throw fault
    console.error(fault.message)
    process.exitCode = 2
    return undefined
  }
}

async function bench(options: Options): Promise<void> {
  const machine = describeMachine()
  const findings: Findings[] = []
  for (const name of options.only) {
    const progress = progressOf(name, scenarios[name].steps(options), (text) => process.stderr.write(text))
    findings.push(...[await scenarios[name].run(options, progress)].flat())
  }
  const markdown = toMarkdown(machine, findings, introduction(options))
  console.log(markdown)
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, options, findings }, null, 2)}\n`)
  if (!options.write) return
  const save = ({ file }: { readonly file: string }, svg: string) =>
    writeFileSync(new URL(`../docs/charts/${file}.svg`, import.meta.url), svg)
  for (const { charts = [], curves = [] } of findings) {
    for (const chart of charts) save(chart, toSvg(chart))
    for (const each of curves) save(each, curvesToSvg(each))
  }
  writeSections(
    resultsFile,
    findings.map((each) => `${toSection(each)}\n\n${origin(machine, options)}`),
  )
}

function introduction({ rounds, seconds }: Options): string {
  return `Median (lowest–highest) of ${rounds} interleaved rounds, ${seconds} s per measurement; the median decides whether a goal is met. Absolute figures belong to this machine; ratios travel better.`
}

/** Sections are written at different times, so each says where its figures come from. */
function origin(machine: Machine, { rounds, seconds }: Options): string {
  return `${rounds} rounds, ${seconds} s per measurement · ${describeRun(machine)}`
}
