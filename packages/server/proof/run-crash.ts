import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSections } from '../../../bench/results-file.ts'
import type { ServerOptions } from '../src/index.ts'
import { setup, teardown } from '../test/postgres.setup.ts'
import { createDatabase } from '../test/postgres-databases.ts'
import { proveCrashes } from './crash.ts'
import { type CrashProof, crashSection } from './crash-section.ts'

const help = `Kills a process that writes tickets and sends webhooks, again and again, and proves that nothing is lost.

Usage: node packages/server/proof/run-crash.ts [sqlite|postgres] [--kills 1000] [--results <file>]

Without a database it is both at once. SQLite commits to the disk; PostgreSQL is a server of its own, or the one in
TEST_POSTGRES_URL. The result is put into bench/RESULTS.md, or the file that is named. It exits with 1 when a promise broke.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '1000' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await run()

interface ProofPlace {
  readonly place: ServerOptions
  remove(): Promise<void>
}

async function openSqlite(): Promise<ProofPlace> {
  const data = await mkdtemp(join(tmpdir(), 'service-crash-'))
  return { place: { data }, remove: () => rm(data, { recursive: true, force: true }) }
}

async function openPostgres(): Promise<ProofPlace> {
  let server = ''
  const provide = (_: string, url: string) => {
    server = url
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const { url, drop } = await createDatabase(server)
  const remove = async () => {
    await drop()
    await teardown()
  }
  return { place: { databaseUrl: url }, remove }
}

type Database = 'sqlite' | 'postgres'

async function run(): Promise<number> {
  const databases = (['sqlite', 'postgres'] as const).filter(
    (each) => positionals.length === 0 || positionals[0] === each,
  )
  const kills = Number(values.kills)
  const proofs = await Promise.all(databases.map((database) => prove(database, kills)))
  writeSections(values.results, [crashSection(proofs, new Date())])
  for (const { database, broken } of proofs) for (const each of broken) process.stderr.write(`${database}: ${each}\n`)
  return proofs.every(({ broken }) => broken.length === 0) ? 0 : 1
}

async function prove(database: Database, kills: number): Promise<CrashProof> {
  const { place, remove } = await (database === 'postgres' ? openPostgres() : openSqlite())
  const report = await proveCrashes({ place, kills, onKill: progressOf(database, kills) })
  await remove()
  return { database, ...report }
}

function progressOf(database: Database, kills: number): (kill: number) => void {
  const startedAt = performance.now()
  return (kill) => {
    if (kill % Math.ceil(kills / 40) !== 0 && kill !== kills) return
    const bar = '█'.repeat(Math.round((20 * kill) / kills)).padEnd(20, '░')
    const elapsed = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`${database.padEnd(9)}${bar} ${kill}/${kills} kills ${elapsed} s\n`)
  }
}
