import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createClient } from '@service/client'
import { createServer, type Server } from '@service/server'
import SqliteDatabase from 'better-sqlite3'
import { writeSections } from '../../../bench/results-file.ts'

const help = `Backs up a platform on SQLite again and again while tickets are written, restores every backup and looks inside.

Usage: node packages/server/proof/backup.ts [--backups 50] [--results <file>]

The command must be built. The result is put into bench/RESULTS.md, or the file that is named. Exits with 1 when a
backup does not open, lacks a ticket that was acknowledged before it began, or has half of one.`

const { values } = parseArgs({
  options: {
    backups: { type: 'string', default: '50' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove(Number(values.backups))

interface Restored {
  readonly good: boolean
  readonly tickets: number
  readonly ms: number
  readonly bytes: number
}

async function prove(backups: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'service-backups-'))
  const data = join(directory, 'data')
  const server = await createServer({ data, rateLimit: 'off' })
  const writer = await startWriting(server)
  const done: Restored[] = []
  try {
    for (let round = 0; round < backups; round += 1) {
      const before = writer.acknowledged()
      done.push(await backUpAndRestore({ directory, data, round, before }))
    }
  } finally {
    await writer.stop()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
  report(done, writer)
  return done.every(({ good }) => good) ? 0 : 1
}

/** Eight callers, each one ticket after the other, with a pause so that the last backup is not a hundred times the first. */
async function startWriting(server: Server) {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Load' })
  const member = await server.admin.members.create({ workspace }, { name: 'Ada', email: 'ada@load.test' })
  const { token } = await server.admin.tokens.create({ workspace }, { user_id: member.id, scopes: ['tickets:write'] })
  const client = createClient({ baseUrl: 'http://127.0.0.1/api/v1', token, workspace, fetch: server.fetch })
  const startedAt = performance.now()
  let acknowledged = 0
  let writing = true
  const caller = async () => {
    while (writing) {
      await client.tickets.create({ title: 'Load', description: 'x'.repeat(500), tags: ['a', 'b'] })
      acknowledged += 1
      await sleep(20)
    }
  }
  const callers = Array.from({ length: 8 }, caller)
  return {
    acknowledged: () => acknowledged,
    perSecond: () => Math.round(acknowledged / ((performance.now() - startedAt) / 1000)),
    async stop() {
      writing = false
      await Promise.all(callers)
    },
  }
}

interface Round {
  readonly directory: string
  readonly data: string
  readonly round: number
  /** Tickets that were acknowledged before the backup began. */
  readonly before: number
}

async function backUpAndRestore({ directory, data, round, before }: Round): Promise<Restored> {
  const file = join(directory, `${round}.backup`)
  const startedAt = performance.now()
  await run(process.execPath, [cli, 'backup', file, '--data', data])
  const ms = performance.now() - startedAt
  const restored = join(directory, 'restored')
  rmSync(restored, { recursive: true, force: true })
  copyFileSync(join(data, 'encryption.key'), `${restored}.key`)
  await run(process.execPath, [cli, 'restore', file, '--data', restored, '--yes'], {
    env: { ...process.env, SERVICE_ENCRYPTION_KEY_FILE: `${restored}.key` },
  })
  const bytes = statSync(file).size
  rmSync(file)
  return { ...inspect(join(restored, 'service.db'), before), ms, bytes }
}

function inspect(path: string, before: number): Pick<Restored, 'good' | 'tickets'> {
  const database = new SqliteDatabase(path, { readonly: true })
  const one = (statement: string) => database.prepare(statement).pluck().get()
  const tickets = Number(one('select count(*) from tickets'))
  const good =
    one('pragma integrity_check') === 'ok' &&
    tickets >= before &&
    one('select max(id) from tickets') === tickets &&
    one('select count(*) from ticket_tags') === 2 * tickets &&
    one("select count(*) from events where name = 'ticket.created'") === tickets
  database.close()
  return { good, tickets }
}

function report(done: readonly Restored[], writer: { perSecond(): number }): void {
  const good = done.filter(({ good }) => good).length
  const times = done.map(({ ms }) => ms).sort((a, b) => a - b)
  const last = done.at(-1)
  const table = [
    '| backups | good | tickets in the last | size of the last | ms, median (most) | tickets/s meanwhile |',
    '|---|---|---|---|---|---|',
    `| ${done.length} | ${good} | ${last?.tickets} | ${Math.round((last?.bytes ?? 0) / 1024)} KiB | ${Math.round(times[times.length >> 1] ?? 0)} (${Math.round(times.at(-1) ?? 0)}) | ${writer.perSecond()} |`,
  ].join('\n')
  const day = new Date().toISOString().slice(0, 10)
  const says = `Good: opens, \`integrity_check\` is ok, every ticket that was acknowledged before it began is there, and none is there by half. The time is that of the whole command. Eight callers write, each with a pause of 20 ms after a ticket.`
  process.stdout.write(`${table}\n`)
  writeSections(values.results, [
    `## Backups under write load\n\n\`pnpm proof:backup\`, ${day}, 2 cores, SQLite with \`synchronous=FULL\`. ${says}\n\n${table}`,
  ])
}
