import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerOptions } from '../src/server.ts'
import { setup, teardown } from '../test/postgres.setup.ts'
import { createDatabase } from '../test/postgres-databases.ts'
import { proveCrashes } from './crash.ts'

// node packages/server/proof/run-crash.ts sqlite 1000      every commit on disk
// node packages/server/proof/run-crash.ts postgres 1000    a server of its own, or the one in TEST_POSTGRES_URL

const [store = 'sqlite', kills = '1000'] = process.argv.slice(2)

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

const { place, remove } = await (store === 'postgres' ? openPostgres() : openSqlite())
const onKill = (kill: number) => void (kill % 50 === 0 && process.stderr.write(`${kill} of ${kills}\n`))
const report = await proveCrashes({ place, kills: Number(kills), onKill })
await remove()
process.stdout.write(`${JSON.stringify({ store, ...report }, null, 2)}\n`)
process.exitCode = report.broken.length === 0 ? 0 : 1
