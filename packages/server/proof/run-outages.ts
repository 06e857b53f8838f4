import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSections } from '../../../bench/results-file.ts'
import { type Finding, findingsTable } from './findings.ts'
import { proveOutages } from './outages.ts'
import { createPostgres } from './restartable-postgres.ts'

const help = `Takes PostgreSQL away from a server under load, in every way there is, and looks at what its callers get.

Usage: node packages/server/proof/run-outages.ts [--kills 25] [--frozen 20] [--locked 6] [--callers 1500] [--results <file>]

PostgreSQL is a server of its own; it is killed, shut down, stopped (--frozen seconds) and locked (--locked seconds).
The result is put into bench/RESULTS.md, or the file that is named. It exits with 1 when something was not as wanted.`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    frozen: { type: 'string', default: '20' },
    locked: { type: 'string', default: '6' },
    callers: { type: 'string', default: '1500' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await run()

async function run(): Promise<number> {
  const postgres = await createPostgres()
  try {
    const violations = await proveOutages(postgres, {
      kills: Number(values.kills),
      frozenSeconds: Number(values.frozen),
      lockedSeconds: Number(values.locked),
      callers: Number(values.callers),
      onPhase: (name) => process.stderr.write(`${name}\n`),
    })
    process.stdout.write(`${findingsTable(violations)}\n`)
    writeSections(values.results, [section(violations)])
    return violations.every(({ isMet }) => isMet) ? 0 : 1
  } finally {
    postgres.freeze(false)
    await postgres.remove()
  }
}

function section(violations: readonly Finding[]): string {
  return `## PostgreSQL goes away

\`pnpm proof:outages\`, ${new Date().toISOString().slice(0, 10)}, 2 cores: the server as a process of its own with the default
limits, 20 writers and 10 readers over HTTP and a subscriber to every ticket, while the database (with fsync) is killed, shut
down, stopped with SIGSTOP (${values.frozen} s), locked by a forgotten transaction (${values.locked} s) and overrun.

${findingsTable(violations)}`
}
