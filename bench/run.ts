import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Findings } from './findings.ts'
import { describeMachine } from './machine.ts'
import { help, type Options, readOptions, type ScenarioName } from './options.ts'
import { progressOf } from './progress.ts'
import { toMarkdown } from './report.ts'
import { boot } from './scenarios/boot.ts'
import { client } from './scenarios/client.ts'
import { create } from './scenarios/create.ts'
import { list } from './scenarios/list.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { size } from './scenarios/size.ts'

const scenarios: Readonly<Record<ScenarioName, Scenario>> = { list, create, client, boot, size }

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
    findings.push(await scenarios[name].run(options, progress))
  }
  const markdown = toMarkdown(machine, findings, introduction(options))
  console.log(markdown)
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, options, findings }, null, 2)}\n`)
  if (options.write) writeFileSync(fileURLToPath(new URL('./RESULTS.md', import.meta.url)), markdown)
}

function introduction({ rounds, seconds }: Options): string {
  return `Written by \`pnpm bench --write\`. Median (lowest–highest) of ${rounds} interleaved rounds, ${seconds} s per measurement; the median decides whether a goal is met. Absolute figures belong to this machine; ratios travel better.`
}
