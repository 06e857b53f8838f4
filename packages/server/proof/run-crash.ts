import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proveCrashes } from './crash.ts'

// node packages/server/proof/run-crash.ts <kills>                           on SQLite, with every commit on disk
// DATABASE_URL=postgres://… node packages/server/proof/run-crash.ts <kills>  on an empty PostgreSQL database

const kills = Number(process.argv[2] ?? 1000)
const databaseUrl = process.env['DATABASE_URL']
const data = await mkdtemp(join(tmpdir(), 'service-crash-'))
const report = await proveCrashes({
  place: databaseUrl === undefined ? { data } : { databaseUrl },
  kills,
  onKill: (kill) => {
    if (kill % 50 === 0) process.stderr.write(`${kill} of ${kills}\n`)
  },
})
await rm(data, { recursive: true, force: true })
process.stdout.write(
  `${JSON.stringify({ database: databaseUrl === undefined ? 'sqlite' : 'postgres', ...report }, null, 2)}\n`,
)
process.exitCode = report.broken.length === 0 ? 0 : 1
