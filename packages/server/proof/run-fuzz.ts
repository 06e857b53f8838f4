import { parseArgs } from 'node:util'
import type { Surface } from '@service/contract'
import { progressOf } from '../../../bench/progress.ts'
import { writeSections } from '../../../bench/results-file.ts'
import { type FuzzReport, fuzz } from '../test/fuzz/fuzz.ts'
import { surfaces } from '../test/fuzz/target.ts'
import { setup, teardown } from '../test/postgres.setup.ts'
import { createDatabase } from '../test/postgres-databases.ts'
import { measuredOn, resultsFile, table } from './results.ts'

const help = `Sends requests that are made from the contract, good ones and bad ones, and holds every answer against it.

Usage: node packages/server/proof/run-fuzz.ts [api|inbound|admin|test …] [--requests 100000] [--postgres-requests 10000]
         [--seed 1] [--json] [--results <file>]

Each surface gets that many requests on SQLite in memory, and then on PostgreSQL: a server of its own, or the one in
TEST_POSTGRES_URL. The same seed makes the same requests. The table is put into bench/RESULTS.md, or the file that is
named; with --json the reports go to stdout as well. It exits with 1 when an answer was wrong.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '100000' },
    'postgres-requests': { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    results: { type: 'string', default: resultsFile },
    help: { type: 'boolean', default: false },
  },
})

const progressSteps = 20
let postgres = ''

type Database = 'memory' | 'postgres'

interface Proof extends FuzzReport {
  readonly database: Database
  readonly surface: Surface
  readonly seconds: number
}

async function run(): Promise<number> {
  const all = Object.keys(surfaces) as Surface[] // the keys of `surfaces` are the surfaces
  const asked = all.filter((surface) => positionals.length === 0 || positionals.includes(surface))
  const proofs: Proof[] = []
  for (const surface of asked) proofs.push(await prove('memory', surface, Number(values.requests)))
  if (Number(values['postgres-requests']) > 0) proofs.push(...(await onPostgres(asked)))
  writeSections(values.results, [section(proofs)])
  if (values.json) process.stdout.write(`${JSON.stringify(proofs, undefined, 2)}\n`)
  for (const { database, problems } of proofs)
    for (const each of problems) process.stderr.write(`${database}: ${each}\n`)
  return proofs.every(({ problems }) => problems.length === 0) ? 0 : 1
}

async function onPostgres(asked: readonly Surface[]): Promise<Proof[]> {
  const provide = (_: string, url: string) => {
    postgres = url
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const proofs: Proof[] = []
  for (const surface of asked) proofs.push(await prove('postgres', surface, Number(values['postgres-requests'])))
  await teardown()
  return proofs
}

async function inPostgres() {
  const { url, drop } = await createDatabase(postgres)
  return { options: { databaseUrl: url, encryptionKey: 'an-encryption-key-of-enough-characters' }, remove: drop }
}

async function prove(database: Database, surface: Surface, requests: number): Promise<Proof> {
  const startedAt = performance.now()
  const progress = progressOf('fuzz', progressSteps, (text) => process.stderr.write(text))
  let step = 0
  let told = 0
  const report = await fuzz({
    ...{ surface, requests, seed: Number(values.seed) },
    ...(database === 'postgres' ? { place: inPostgres } : {}),
    onRound({ requests: sent, problems }) {
      for (const problem of problems.slice(told)) process.stderr.write(`${database}: ${problem}\n`)
      told = problems.length
      for (; step < Math.floor((progressSteps * sent) / requests); step += 1)
        progress(`${surface} on ${database}, ${sent} requests, ${problems.length} kinds of problems`)
    },
  })
  return { database, surface, seconds: Math.round((performance.now() - startedAt) / 1000), ...report }
}

const names = { memory: 'SQLite in memory', postgres: 'PostgreSQL 18' } as const

const share = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`

function section(proofs: readonly Proof[]): string {
  const rows = proofs.map(({ database, surface, requests, valid, succeeded, statuses, problems, seconds }) => [
    ...[surface, names[database], requests.toLocaleString('en'), share(valid, requests), share(succeeded, valid)],
    Object.keys(statuses).join(', '),
    String(Object.entries(statuses).reduce((sum, [status, count]) => (Number(status) < 500 ? sum : sum + count), 0)),
    ...[String(problems.length), String(seconds)],
  ])
  const head = [
    'surface',
    'database',
    'requests',
    'valid',
    'of these with success',
    'statuses answered',
    '5xx',
    'kinds of wrong answers',
    's',
  ]
  return `## Requests made from the contract

\`pnpm proof:fuzz --seed ${values.seed}\`, ${measuredOn()}: half of the requests are as the schemas of the contract want them, half have one to
three things wrong: a field, the whole body, its type, a header, the credential, the path, the query or the method. An answer is
wrong when it is 5xx, has a status that the contract does not list for the route, a body other than the contract's, or a success for
a body that the contract refuses. What the server logs as its own fault counts too. Goal: none.

${table(head, rows)}`
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await run()
