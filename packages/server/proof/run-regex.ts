import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSections } from '../../../bench/results-file.ts'
import { allAdversaries } from '../../../test/growth/adversaries.ts'
import { growthOf, mostGrowth, quickest, type Read, textOf } from '../../../test/growth/measure.ts'
import { readers } from '../../../test/growth/readers.ts'

const help = `Feeds everything that reads what others write with texts that are made to cost time, and proves that the time grows
with their length: twice the text takes at most ${mostGrowth} times the work, and none takes more than 50 ms of CPU.

Usage: node packages/server/proof/run-regex.ts [--length 200000] [--results <file>]

The table is put into bench/RESULTS.md, or the file that is named. It exits with 1 when a promise broke.`

const mostMs = 50

const { values } = parseArgs({
  options: {
    length: { type: 'string', default: '200000' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = run(Number(values.length))

interface Proof {
  readonly name: string
  readonly slowestMs: number
  readonly slowest: string
  /** The steepest growth that could be measured, if any could. */
  readonly growth: number | undefined
}

function run(length: number): number {
  const proofs = Object.entries(readers).map(([name, read]) => prove({ name, read, length }))
  writeSections(values.results, [section(proofs, length)])
  const broken = proofs.filter(({ slowestMs, growth = 0 }) => slowestMs > mostMs || growth > mostGrowth)
  for (const { name, slowestMs, growth } of broken) process.stderr.write(`${name}: ${slowestMs} ms, growth ${growth}\n`)
  return broken.length === 0 ? 0 : 1
}

function prove({ name, read, length }: { name: string; read: Read; length: number }): Proof {
  let slowest = { ms: 0, piece: '' }
  let growth: number | undefined
  for (const adversary of allAdversaries) {
    const text = textOf(adversary, length)
    const first = quickest(read, text, 1)
    // The first run also warms up; only what may be the slowest is worth four more.
    const ms = first > slowest.ms ? quickest(read, text) : first
    if (ms > slowest.ms) slowest = { ms, piece: adversary.piece }
    const grown = growthOf(read, adversary, length)
    if (grown !== undefined) growth = Math.max(growth ?? 0, grown)
  }
  process.stderr.write(`${name}: ${slowest.ms.toFixed(1)} ms\n`)
  return { name, slowestMs: slowest.ms, slowest: slowest.piece, growth }
}

function section(proofs: readonly Proof[], length: number): string {
  const rows = proofs.map(({ name, slowestMs, slowest, growth }) => [
    name,
    slowestMs.toFixed(1),
    `\`${JSON.stringify(slowest).replaceAll('`', "'").replaceAll('|', '\\|')}\``,
    growth?.toFixed(2) ?? 'too quick to tell',
  ])
  const lines = [['reader', 'slowest, ms', 'made of', 'twice the text'], ['---', '---', '---', '---'], ...rows]
  return `## Regular expressions and other readers of foreign text

\`pnpm proof:regex\`, ${new Date().toISOString().slice(0, 10)}, 2 cores: ${allAdversaries.length} texts of ${length.toLocaleString('en')} characters, each made of one piece again and again,
for each reader; CPU time of the quickest of five runs. Goals: at most ${mostMs} ms, and at most ${mostGrowth} times the work for twice the text.

${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}`
}
