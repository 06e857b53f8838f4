import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { writeSections } from '../../../bench/results-file.ts'

/** A disk that is full once it is filled, and has room again when it is given some. */
interface SmallDisk {
  readonly what: string
  prepare(data: string): void
  fill(pid: number): void
  makeRoom(pid: number, data: string): void
  remove(data: string): void
}

const limitFiles = (pid: number, bytes: string) =>
  void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])

const filesThatMayNotGrow: SmallDisk = {
  what: 'files that may not grow (EFBIG), then may again',
  prepare: () => undefined,
  fill: (pid) => limitFiles(pid, String(1024 * 1024 * 4)),
  makeRoom: (pid) => limitFiles(pid, 'unlimited'),
  remove: () => undefined,
}

const mount = (...args: readonly string[]) => void execFileSync('mount', args, { stdio: 'ignore' })

/** A disk of its own, in memory; only root may mount one. */
const smallDisk: SmallDisk = {
  what: 'a disk that is full (ENOSPC), then larger',
  prepare: (data) => mount('-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', data),
  fill: () => undefined,
  makeRoom: (_, data) => mount('-o', 'remount,size=64m', data),
  remove: (data) => void execFileSync('umount', [data]),
}

const help = `Breaks data directories on purpose: kills first demo starts, races for one directory, tears key files, fills a disk.

Usage: node packages/server/proof/disk.ts [--kills 25] [--racers 5] [--results <file>]

The command must be built. The full disk is a limit on the size of files, set from outside with prlimit and lifted again
(Linux). The result is put into bench/RESULTS.md, or the file that is named. It exits with 1 when a promise broke.`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    racers: { type: 'string', default: '5' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

interface Row {
  readonly what: string
  readonly times: number
  readonly result: string
  readonly holds: boolean
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()

async function prove(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'service-disk-'))
  const rows = [
    await killFirstStarts(directory, Number(values.kills)),
    await raceForOne(directory, Number(values.racers)),
    await tearKeys(directory),
    await fillDisk(directory, filesThatMayNotGrow),
    await fillDisk(directory, smallDisk),
  ]
  rmSync(directory, { recursive: true, force: true })
  const lines = rows.map(
    ({ what, times, result, holds }) => `| ${what} | ${times} | ${result} | ${holds ? 'yes' : 'NO'} |`,
  )
  const table = ['| what is done | times | result | holds |', '|---|---|---|---|', ...lines].join('\n')
  process.stdout.write(`${table}\n`)
  const day = new Date().toISOString().slice(0, 10)
  writeSections(values.results, [
    `## Data directories under fire\n\n\`pnpm proof:disk\`, ${day}, 2 cores, SQLite.\n\n${table}`,
  ])
  return rows.every(({ holds }) => holds) ? 0 : 1
}

function run(data: string, ...more: string[]): ChildProcess & { said: () => string } {
  const child = spawn(process.execPath, [cli, 'start', '--json', '--port', '0', '--data', data, ...more], {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', SERVICE_RATE_LIMIT: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (part) => {
    text += part
  })
  return Object.assign(child, { said: () => text })
}

/** The ready line; undefined when the process ends without one. */
async function readyOf(child: ChildProcess): Promise<Record<string, string> | undefined> {
  if (child.stdout === null) return undefined
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [undefined])])
  return line === undefined ? undefined : JSON.parse(String(line))
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function killFirstStarts(directory: string, kills: number): Promise<Row> {
  let broken = 0
  let torn = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const data = join(directory, `demo-${kill}`)
    const first = run(data, '--demo')
    await wait(200 + (900 * kill) / kills)
    await end(first, 'SIGKILL')
    torn += keysTornIn(data)
    const second = run(data, '--demo')
    const ready = await readyOf(second)
    await end(second, 'SIGTERM')
    if (ready === undefined || workspacesIn(data) !== 1) broken += 1
  }
  const result = `${kills - broken} with one demo workspace and a usable token at the next start, ${torn} torn key or token files`
  return { what: 'kill -9 during the first `--demo` start', times: kills, result, holds: broken + torn === 0 }
}

function keysTornIn(data: string): number {
  try {
    const files = readdirSync(data).filter((name) => name === 'encryption.key' || name === 'admin-token')
    return files.filter((name) => readFileSync(join(data, name), 'utf8').trim().length < 43).length
  } catch {
    return 0 // killed before the directory was made
  }
}

function workspacesIn(data: string): number {
  const database = new SqliteDatabase(join(data, 'service.db'), { readonly: true })
  const count = database.prepare<[], { n: number }>('select count(*) as n from workspaces').get()?.n ?? 0
  database.close()
  return count
}

async function raceForOne(directory: string, racers: number): Promise<Row> {
  const data = join(directory, 'race')
  const children = Array.from({ length: racers }, () => run(data))
  const ready = await Promise.all(children.map(readyOf))
  const winners = ready.filter((each) => each !== undefined)
  const named = children.filter((child) => child.said().includes(`in use by process ${winners[0]?.['pid']}`)).length
  const winner = children.find(({ pid }) => pid === Number(winners[0]?.['pid']))
  if (winner !== undefined) await end(winner, 'SIGKILL')
  const next = run(data)
  const again = await readyOf(next)
  await end(next, 'SIGTERM')
  const holds = winners.length === 1 && named === racers - 1 && again !== undefined
  const result = `${winners.length} served, ${named} named it and ended; after kill -9 the next start ${again === undefined ? 'FAILED' : 'served at once'}`
  return { what: 'processes racing for one fresh directory', times: racers, result, holds }
}

async function tearKeys(directory: string): Promise<Row> {
  const data = join(directory, 'torn')
  const first = run(data, '--demo')
  await readyOf(first)
  await end(first, 'SIGTERM')
  const path = join(data, 'encryption.key')
  const key = readFileSync(path)
  const damages = [
    Buffer.alloc(0),
    key.subarray(0, 10),
    Buffer.from('\n'),
    Buffer.from(randomBytes(32).toString('hex')),
    undefined,
  ]
  let refused = 0
  for (const damage of damages) {
    rmSync(path)
    if (damage !== undefined) writeFileSync(path, damage, { mode: 0o600 })
    const child = run(data)
    const ready = await readyOf(child)
    await end(child, 'SIGTERM')
    if (ready === undefined && child.said().includes(path)) refused += 1
    writeFileSync(path, key, { mode: 0o600 })
  }
  const last = run(data)
  const back = (await readyOf(last)) !== undefined
  await end(last, 'SIGTERM')
  const result = `${refused} refused with path and remedy; ${back ? 'serves' : 'FAILS'} with the right key back`
  return {
    what: 'key files: empty, cut, blank, another, missing',
    times: damages.length,
    result,
    holds: refused === damages.length && back,
  }
}

async function fillDisk(directory: string, disk: SmallDisk): Promise<Row> {
  const data = join(directory, `full-${disk === smallDisk ? 'disk' : 'files'}`)
  mkdirSync(data, { mode: 0o700 })
  try {
    disk.prepare(data)
  } catch {
    return { what: disk.what, times: 0, result: 'not tried: mounting is not permitted here', holds: true }
  }
  try {
    return await fillPrepared(data, disk)
  } finally {
    disk.remove(data)
  }
}

async function fillPrepared(data: string, disk: SmallDisk): Promise<Row> {
  closeSync(openSync(join(data, 'service.db'), 'w', 0o600))
  const child = run(data, '--demo')
  const ready = (await readyOf(child)) ?? {}
  const pid = child.pid ?? 0
  const post = () =>
    fetch(`${ready['base_url']}/workspaces/${ready['workspace']}/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready['token']}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'T', description: 'x'.repeat(20_000) }),
    }).then(({ status }) => status)
  const readiness = () => fetch(new URL('/readyz', ready['base_url'])).then(({ status }) => status)
  let acknowledged = 0
  const counts = new Map<number, number>()
  const add = (status: number) => {
    if (status === 201) acknowledged += 1
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  for (let index = 0; index < 5; index += 1) add(await post())
  disk.fill(pid)
  for (let index = 0; index < 300 && (counts.get(503) ?? 0) < 50; index += 1) add(await post())
  const during = await readiness()
  disk.makeRoom(pid, data)
  const startedAt = performance.now()
  let status = await post()
  while (status !== 201 && performance.now() - startedAt < 20_000) status = await post()
  add(status)
  const recoveredMs = Math.round(performance.now() - startedAt)
  const after = await readiness()
  const alive = child.exitCode === null
  await end(child, 'SIGKILL')
  const database = new SqliteDatabase(join(data, 'service.db'))
  const recorded =
    database.prepare<[], { n: number }>("select count(*) as n from tickets where title = 'T'").get()?.n ?? 0
  const sound = database.pragma('integrity_check', { simple: true }) === 'ok'
  database.close()
  const statuses = [...counts].map(([code, count]) => `${count} × ${code}`).join(', ')
  const result = `${statuses}; /readyz ${during}, then ${after}; first change ${recoveredMs} ms after there was room, same process; ${acknowledged} acknowledged, ${recorded} kept`
  const holds =
    alive &&
    sound &&
    during === 503 &&
    after === 200 &&
    status === 201 &&
    recorded === acknowledged &&
    [...counts.keys()].every((code) => code === 201 || code === 503)
  return { what: disk.what, times: 1, result, holds }
}
