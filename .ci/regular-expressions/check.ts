/**
 * Checks that every regular expression of the packages takes no more time than its text is long: a text of strangers
 * must not stop a process. Verdicts are kept in `verdicts.json`, so that only expressions that are new are analysed.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findExpressions } from './find.ts'
import { judge } from './judge.ts'
import { dynamic as dynamicReasons, undecided as undecidedReasons } from './reasons.ts'
import { hashOf, readVerdicts, type Verdicts, writeVerdicts } from './verdicts.ts'

const help = `Checks every regular expression below packages/*/src with recheck.

Usage: node .ci/regular-expressions/check.ts [--write] [--all]

  --write   keeps the verdicts of new expressions, and forgets those of expressions that are gone
  --all     analyses the known ones again too`

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await run()

async function run(): Promise<number> {
  const { literals, dynamic } = findExpressions(fileURLToPath(new URL('../..', import.meta.url)))
  const known = readVerdicts()
  const unique = new Map(literals.map((literal) => [hashOf(literal), literal]))
  const fresh = [...unique].filter(([hash]) => values.all || known[hash] === undefined)
  const { found, complaints } = await judge(fresh)
  const recorded = Object.fromEntries(Object.entries(known).filter(([hash]) => unique.has(hash)))
  const verdicts: Verdicts = { ...recorded, ...found }
  for (const { verdict: decision, expression } of Object.values(verdicts)) {
    if (decision === 'undecided' && undecidedReasons[expression] === undefined) complaints.push(undecidedAt(expression))
  }
  for (const { place, text } of dynamic) {
    if (dynamicReasons[`${place.replace(/:\d+$/, '')} ${text}`] === undefined)
      complaints.push(
        `${place}: ${text} is only known when it runs. Say in .ci/regular-expressions/reasons.ts why it is harmless.`,
      )
  }
  const isStale = JSON.stringify(Object.keys(verdicts).sort()) !== JSON.stringify(Object.keys(known).sort())
  if (values.write) writeVerdicts(verdicts)
  else if (isStale) complaints.push('verdicts.json is not up to date: run pnpm check:regex --write and commit it.')
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  process.stdout.write(`${unique.size} regular expressions, ${fresh.length} of them analysed now\n`)
  return complaints.length === 0 ? 0 : 1
}

function undecidedAt(expression: string): string {
  return `${expression} could not be decided. Rewrite it, or bound its text and say so in .ci/regular-expressions/reasons.ts.`
}
