import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seed } from '../../../bench/data/seed.ts'
import { writeSections } from '../../../bench/results-file.ts'
import { createPostgres } from './restartable-postgres.ts'

const help = `Copies a platform with many tickets from SQLite to PostgreSQL and back, and measures time and memory.

Usage: node packages/server/proof/copy.ts [--tickets 1000000] [--results <file>]

The command must be built. The result is put into bench/RESULTS.md, or the file that is named. Exits with 1 when a copy
fails its check or a goal is missed.`

const { values } = parseArgs({
  options: {
    tickets: { type: 'string', default: '1000000' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const goals = { seconds: 180, mebibytes: 300 }

interface Copied {
  readonly way: string
  readonly seconds: number
  readonly mebibytes: number
  readonly rows: number
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove(Number(values.tickets))

async function prove(tickets: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'service-copy-'))
  const postgres = await createPostgres()
  await postgres.start()
  try {
    const data = join(directory, 'data')
    await seed(data, tickets)
    const copies = [
      await copy('SQLite → PostgreSQL', data, postgres.url),
      await copy('PostgreSQL → SQLite', postgres.url, join(directory, 'back')),
    ]
    report(copies, tickets)
    return copies.every(({ seconds, mebibytes }) => seconds <= goals.seconds && mebibytes <= goals.mebibytes) ? 0 : 1
  } finally {
    await postgres.end('SIGINT')
    await postgres.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function copy(way: string, from: string, to: string): Promise<Copied> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [cli, 'db', 'copy', '--from', from, '--to', to, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  let mebibytes = 0
  const look = setInterval(() => {
    mebibytes = Math.max(mebibytes, mostMemory(child.pid))
  }, 100)
  const [code] = await once(child, 'close')
  clearInterval(look)
  if (code !== 0) throw new Error(`The copy ended with ${code}.`)
  const seconds = (performance.now() - startedAt) / 1000
  const rows = JSON.parse(said).reduce((sum: number, each: { rows: number }) => sum + each.rows, 0)
  return { way, seconds, mebibytes, rows }
}

/** The most that the process had in memory so far (Linux). */
function mostMemory(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function report(copies: readonly Copied[], tickets: number): void {
  const lines = copies.map(
    ({ way, seconds, mebibytes, rows }) =>
      `| ${way} | ${rows} | ${seconds.toFixed(1)} | ≤ ${goals.seconds} | ${Math.round(mebibytes)} | ≤ ${goals.mebibytes} |`,
  )
  const table = [
    '| way | rows | seconds | wanted | MiB at most | wanted |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
  process.stdout.write(`${table}\n`)
  const day = new Date().toISOString().slice(0, 10)
  writeSections(values.results, [
    `## Copying between databases\n\n\`pnpm proof:copy\`, ${day}, 2 cores, ${tickets} tickets. The time is that of the whole command, with reading every table from both sides and comparing checksums.\n\n${table}`,
  ])
}
