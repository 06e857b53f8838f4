import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSections } from '../../../bench/results-file.ts'
import type { ServerOptions } from '../src/index.ts'
import { setup, teardown } from '../test/postgres.setup.ts'
import { createDatabase } from '../test/postgres-databases.ts'
import { proveApart, proveRestart, proveStep, proveStopped, proveTakeOver, type Result } from './clock-proofs.ts'

const help = `Sets the clock of real processes, kills and stops them, and proves that nothing freezes and nothing is sent twice.

Usage: node packages/server/proof/run-clock.ts [--rounds 5] [--results <file>]

On SQLite and PostgreSQL (a server of its own, or the one in TEST_POSTGRES_URL) the clock is set by an hour and by six
days, both ways; then two nodes have clocks an hour apart, and holders of queues are killed and stopped, as often as is said.
The result is put into bench/RESULTS.md, or the file that is named. It exits with 1 when a promise broke.`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

const hour = 3_600_000
const steps = [
  ['+1 h', hour],
  ['−1 h', -hour],
  ['+6 days', 144 * hour],
  ['−6 days', -144 * hour],
] as const

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await run(Number(values.rounds))

async function run(rounds: number): Promise<number> {
  let postgres = ''
  const provide = (_: string, url: string) => {
    postgres = url
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const onPostgres = async (prove: (place: ServerOptions) => Promise<Result>) => {
    const { url, drop } = await createDatabase(postgres)
    return prove({ databaseUrl: url }).finally(drop)
  }
  const onSqlite = async (prove: (place: ServerOptions) => Promise<Result>) => {
    const data = await mkdtemp(join(tmpdir(), 'service-clock-'))
    return prove({ data }).finally(() => rm(data, { recursive: true, force: true }))
  }
  const stepped: Result[] = []
  for (const [name, ms] of steps) {
    stepped.push(await said(onSqlite((place) => proveStep(place, ms, `${name}, SQLite`))))
    stepped.push(await said(onPostgres((place) => proveStep(place, ms, `${name}, PostgreSQL`))))
  }
  const others: Result[] = [await said(onPostgres(proveApart))]
  for (let round = 0; round < rounds; round += 1) {
    others.push(await said(onPostgres(proveTakeOver)))
    others.push(await said(onPostgres(proveStopped)))
    others.push(await said(onSqlite(proveRestart)))
  }
  await teardown()
  writeSections(values.results, [section(stepped, others, new Date())])
  return [...stepped, ...others].every(({ broken }) => broken.length === 0) ? 0 : 1
}

async function said(proving: Promise<Result>): Promise<Result> {
  const result = await proving
  process.stderr.write(`${result.what}: ${[...result.figures, ...result.broken].join(', ')}\n`)
  return result
}

function section(stepped: readonly Result[], others: readonly Result[], date: Date): string {
  const promises = [...stepped, ...others].flatMap(({ broken }) => broken)
  return `## The clock

\`pnpm proof:clock\`, ${date.toISOString().slice(0, 10)}, 2 cores. Real processes whose machine's clock is set while a retry waits
for 2 s (± 20 %) and a rate window runs; then processes that die or stop while they hold a queue. Promises broken: ${promises.length}.

| the clock is set by | retry after | rate window over 1.1 s | a new event takes | still enabled |
|---|---|---|---|---|
${stepped.map(({ what, figures }) => `| ${[what, ...figures].join(' | ')} |`).join('\n')}

| what happens | result |
|---|---|
${others.map(({ what, figures }) => `| ${what} | ${figures.join(', ')} |`).join('\n')}`
}
