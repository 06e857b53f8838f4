import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { freshDirectory } from '../test/fresh-directory.ts'
import { spawnServer, startServer } from './server-process.ts'

const spawnOn = (data: string, ...more: string[]) => spawnServer(['--data', data, ...more])

function queryFirst(data: string, sql: string): unknown {
  const database = new SqliteDatabase(join(data, 'service.db'))
  const value = database.prepare(sql).pluck().get()
  database.close()
  return value
}

test('a kill at any moment of the first demo start leaves a directory that the next start completes', async () => {
  const kills = 25
  for (let kill = 0; kill < kills; kill += 1) {
    const data = join(await freshDirectory(), 'data')
    const first = spawnOn(data, '--demo')
    await sleep(200 + (900 * kill) / kills)
    await first.end('SIGKILL')
    const keys = existsSync(data)
      ? readdirSync(data).filter((name) => /^(?:encryption\.key|admin-token)$/.test(name))
      : []
    for (const key of keys) expect(readFileSync(join(data, key), 'utf8').trim().length).toBeGreaterThanOrEqual(43)
    const second = await startServer(['--data', data, '--demo'])
    await second.end('SIGTERM')
    expect(queryFirst(data, 'select count(*) from workspaces')).toBe(1)
  }
})

test('of five processes that race for one directory one serves, and the others name it and exit', async () => {
  const data = join(await freshDirectory(), 'data')
  const racers = Array.from({ length: 5 }, () => spawnOn(data))
  const ready = await Promise.all(racers.map((racer) => racer.ready))
  const winner = racers.find((_, index) => ready[index] !== undefined)
  expect(ready.filter((each) => each !== undefined)).toHaveLength(1)
  for (const racer of racers)
    if (racer !== winner) expect(racer.errors.join('\n')).toContain(`in use by process ${winner?.pid}`)
  await winner?.end('SIGKILL')
  const next = await startServer(['--data', data])
  await next.end('SIGTERM')
})

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut', (key: Buffer) => key.subarray(0, 10)],
  ['blank', () => Buffer.from('\n')],
  ['of another directory', () => Buffer.from(randomBytes(32).toString('hex'))],
  ['missing', () => undefined],
])('a key file that is %s stops the start with its path, and the right key serves again', async (_, damage) => {
  const data = join(await freshDirectory(), 'data')
  await (await startServer(['--data', data, '--demo'])).end('SIGTERM')
  const path = join(data, 'encryption.key')
  const key = readFileSync(path)
  const damaged = damage(key)
  rmSync(path)
  if (damaged !== undefined) writeFileSync(path, damaged, { mode: 0o600 })
  const refused = spawnOn(data)
  expect(await refused.ready).toBeUndefined()
  await refused.exited
  expect(refused.errors.join('\n')).toContain(path)
  writeFileSync(path, key, { mode: 0o600 })
  await (await startServer(['--data', data])).end('SIGTERM')
})

/** A disk that can be filled and emptied. */
interface SmallDisk {
  prepare(data: string): void
  fill(pid: number): void
  makeRoom(pid: number, data: string): void
  remove(data: string): void
}

const limitFiles = (pid: number, bytes: string) =>
  void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])

const filesThatMayNotGrow: SmallDisk = {
  prepare: () => undefined,
  fill: (pid) => limitFiles(pid, String(1024 * 1024 * 4)),
  makeRoom: (pid) => limitFiles(pid, 'unlimited'),
  remove: () => undefined,
}

const mount = (...args: readonly string[]) => void execFileSync('mount', args, { stdio: 'ignore' })

const smallDisk: SmallDisk = {
  prepare: (data) => mount('-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', data),
  fill: () => undefined,
  makeRoom: (_, data) => mount('-o', 'remount,size=64m', data),
  remove: (data) => void execFileSync('umount', [data]),
}

async function fillDisk(disk: SmallDisk): Promise<void> {
  const data = join(await freshDirectory(), 'data')
  mkdirSync(data, { mode: 0o700 })
  disk.prepare(data)
  onTestFinished(() => disk.remove(data))
  closeSync(openSync(join(data, 'service.db'), 'w', 0o600))
  const server = await startServer(['--data', data, '--demo'])
  const statuses: number[] = []
  const post = async () => {
    const { status } = await fetch(`${server.url}/api/v1/workspaces/${server.workspace}/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'T', description: 'x'.repeat(20_000) }),
    })
    statuses.push(status)
    return status
  }
  const count = (status: number) => statuses.filter((each) => each === status).length
  const readiness = async () => (await fetch(new URL('/readyz', server.url))).status
  for (let index = 0; index < 5; index += 1) expect(await post()).toBe(201)
  disk.fill(server.pid)
  for (let index = 0; index < 300 && count(503) < 50; index += 1) await post()
  expect(count(503)).toBeGreaterThan(0)
  expect(await readiness()).toBe(503)
  disk.makeRoom(server.pid, data)
  await expect.poll(post, { timeout: 20_000 }).toBe(201)
  expect(await readiness()).toBe(200)
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  await server.end('SIGKILL')
  expect(queryFirst(data, 'pragma integrity_check')).toBe('ok')
  expect(queryFirst(data, "select count(*) from tickets where title = 'T'")).toBe(count(201))
}

test('files that may not grow refuse changes with 503 and lose nothing, and the same process recovers', async () => {
  await fillDisk(filesThatMayNotGrow)
})

test.runIf(process.getuid?.() === 0)(
  'a full disk refuses changes with 503 and loses nothing, and the same process recovers',
  async () => {
    await fillDisk(smallDisk)
  },
)
