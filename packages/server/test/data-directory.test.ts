import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createServer, type ServerOptions } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { runCli } from './cli-process.ts'
import { collectedLog } from './collected-log.ts'
import { freshDirectory } from './fresh-directory.ts'

/** A server on a directory, closed at the end of the test. */
async function start(data: string, options: ServerOptions = {}) {
  const server = await createServer({ data, synchronous: 'normal', ...options })
  onTestFinished(() => server.close())
  return server
}

/** The directory of a stopped platform with one workspace and one encrypted secret. */
async function usedDirectory(): Promise<string> {
  const data = await freshDirectory()
  await using server = await createServer({ data, synchronous: 'normal' })
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Acme' })
  await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: 'https://receiver.example/hooks', events: ['*'] },
  )
  return data
}

test('a data directory in use is refused with the process and its address', async () => {
  const data = await freshDirectory()
  const first = await start(data)
  await expect(createServer({ data })).rejects.toThrow(`is in use by process ${process.pid}`)
  const { url } = await first.listen()
  await expect(createServer({ data })).rejects.toThrow(
    `The data directory ${data} is in use by process ${process.pid} (${url}). Use that server, stop it first, or choose another directory.`,
  )
  const link = join(await freshDirectory(), 'link')
  await symlink(data, link)
  await expect(createServer({ data: link })).rejects.toThrow('is in use by process')
  await first.admin.workspaces.create({ name: 'Acme' })
})

test('a data directory in use is never attributed to a process that was killed before', async () => {
  const data = await freshDirectory()
  await start(data)
  const dead = spawn(process.execPath, ['--version'])
  await once(dead, 'exit')
  const about = JSON.parse(await readFile(join(data, 'server.json'), 'utf8'))
  await writeFile(join(data, 'server.json'), JSON.stringify({ ...about, pid: dead.pid }))
  await expect(createServer({ data })).rejects.toThrow(`The data directory ${data} is in use by another process. Use`)
})

test('a data directory is free again after its server closes, whatever server.json says', async () => {
  const data = await freshDirectory()
  const first = await start(data)
  await first.listen()
  const about = await readFile(join(data, 'server.json'), 'utf8')
  await first.close()
  expect(await readdir(data)).not.toContain('server.json')
  await writeFile(join(data, 'server.json'), about)
  const second = await start(data)
  expect((await second.admin.workspaces.list()).data.toReversed()).toEqual([])
})

test('deleting the lock file does not admit a second server: it is recreated and locked at once', async () => {
  const data = await freshDirectory()
  await using server = await createServer({ data })
  for (let time = 0; time < 2; time += 1) {
    await rm(join(data, 'service.lock'))
    await expect.poll(() => existsSync(join(data, 'service.lock'))).toBe(true)
    await expect(createServer({ data })).rejects.toThrow('is in use by')
  }
  expect((await server.admin.workspaces.list()).data).toEqual([])
})

test('a failed start releases the data directory', async () => {
  const data = await freshDirectory()
  await mkdir(join(data, 'service.db'))
  await expect(createServer({ data })).rejects.toThrow(`${join(data, 'service.db')} is a directory, not a file.`)
  await rm(join(data, 'service.db'), { recursive: true, maxRetries: 10 })
  await start(data)
})

test.runIf(process.platform === 'linux')(
  'a place that has no directories ends a start and a backup with a sentence',
  async () => {
    const { said, ended } = runCli(['start', '--data', '/proc/service/data', '--port', '0'])
    expect([await ended, said.stderr]).toEqual([
      1,
      expect.stringMatching(/^\/proc\/service.* cannot be opened\. .*ENOENT/),
    ])
    const data = await freshDirectory()
    await (await createServer({ data })).close()
    const backup = runCli(['backup', '/proc/service/first.backup', '--data', data])
    expect([await backup.ended, backup.said.stderr]).toEqual([1, expect.stringContaining('/proc/service')])
    const scheduled = { data, backupDirectory: '/proc/service', backupEvery: '1d' }
    await expect(createServer(scheduled)).rejects.toThrow('No backup can be written to /proc/service (')
  },
)

test('a link to a missing place is no data directory, and doctor says so', async () => {
  const data = join(await freshDirectory(), 'data')
  await symlink('/missing/disk', data)
  expect((await runHere(['doctor', '--data', data])).stdout).toContain(
    `${data} is a link to /missing/disk, which is missing`,
  )
  await expect(createServer({ data })).rejects.toThrow(data)
})

test('the database in place of the data directory is reported with its directory, and not to be moved', async () => {
  const data = await freshDirectory()
  await (await createServer({ data })).close()
  const sentence = `service.db is a database and not a directory. Pass the directory that contains it: ${data}.`
  for (const command of [['workspace', 'list'], ['backup'], ['upgrade', '--check']])
    expect(await runHere([...command, '--data', join(data, 'service.db')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(sentence),
    })
  const { code, stdout } = await runHere(['doctor', '--data', join(data, 'service.db'), '--json'])
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    expect.arrayContaining([{ check: 'directory', verdict: 'problem', detail: expect.stringContaining(sentence) }]),
  ])
})

test('a file in place of the data directory is reported with a remedy', async () => {
  const file = join(await freshDirectory(), 'data')
  await writeFile(file, '')
  await expect(createServer({ data: file })).rejects.toThrow(
    `${file} is not a directory. Move it, or choose another data directory.`,
  )
  await expect(createServer({ data: join(file, 'below') })).rejects.toThrow(`${file} is not a directory.`)
})

test.each([
  ['is not an SQLite database', 'text that is longer than the header of any database. '.repeat(40)],
  ['is malformed', undefined],
])('a database that %s is refused with its path and a remedy, and left unchanged', async (says, content) => {
  const data = await usedDirectory()
  const path = join(data, 'service.db')
  if (content === undefined) await truncate(path, 4096)
  else await writeFile(path, content)
  const before = await readFile(path)
  await expect(createServer({ data })).rejects.toThrow(new RegExp(`${path} ${says}\\. Restore it from a backup`))
  expect(await readFile(path)).toEqual(before)
})

test('a database damaged at runtime makes the server not ready, and the log names the file once', async () => {
  const data = await usedDirectory()
  const path = join(data, 'service.db')
  const database = new SqliteDatabase(path, { readonly: true })
  const pages = database
    .prepare("select rootpage from sqlite_master where tbl_name = 'projects' and rootpage > 0")
    .pluck()
    .all()
  const size = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const file = await open(path, 'r+')
  for (const page of pages) await file.write(Buffer.alloc(size, 0x5a), 0, size, (Number(page) - 1) * size)
  await file.close()
  const log = collectedLog()
  await using server = await createServer({ data, synchronous: 'normal', log })
  const readiness = async () => {
    const answer = await server.fetch('/readyz')
    return [answer.status, await answer.json()]
  }
  expect(await readiness()).toMatchObject([200, { status: 'ok' }])
  await expect(Promise.resolve(server.admin.projects.list({ workspace: 1 }, {}))).rejects.toMatchObject({ status: 500 })
  for (let time = 0; time < 2; time += 1)
    expect(await readiness()).toEqual([
      503,
      {
        status: 'unavailable',
        reason: 'database_damaged',
        database: { read: 'unavailable', write: 'unavailable' },
      },
    ])
  const damaged = log.lines.filter(({ sentence }) => sentence.startsWith(`The database file ${path} is damaged.`))
  expect(damaged).toMatchObject([{ level: 'error', fields: { code: 'SQLITE_CORRUPT' } }])
})

test('an empty database next to a key is refused, because it is not a new platform', async () => {
  const data = await usedDirectory()
  await truncate(join(data, 'service.db'), 0)
  await expect(createServer({ data })).rejects.toThrow(
    `${join(data, 'service.db')} is empty, but ${join(data, 'encryption.key')} belongs to an earlier database.`,
  )
  expect((await stat(join(data, 'service.db'))).size).toBe(0)
})

test('a key next to no database begins a new platform, and the log says so', async () => {
  const data = await usedDirectory()
  await rm(join(data, 'service.db'))
  const log = collectedLog()
  const server = await start(data, { log })
  expect((await server.admin.workspaces.list()).data).toEqual([])
  expect(log.lines.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(
      /has an encryption key and no database, so a new platform begins\. If its database was lost,/,
    ),
  )
})

test.each([
  ['empty', ''],
  ['cut short: it has 8 characters of at least 32', 'cutshort\n'],
])('a key file that is %s is refused', async (says, text) => {
  const data = await usedDirectory()
  const path = join(data, 'encryption.key')
  await writeFile(path, text)
  await expect(createServer({ data })).rejects.toThrow(
    `The encryption key in ${path} is ${says}. Restore the file from a backup.`,
  )
})

test('a key file readable by others is refused with the command that fixes it', async () => {
  const data = await usedDirectory()
  const path = join(data, 'encryption.key')
  await chmod(path, 0o644)
  await expect(createServer({ data })).rejects.toThrow(
    `Others may read the encryption key in ${path}: its mode is 644. Run "chmod 600 ${path}"`,
  )
  await promisify(execFile)('chmod', ['600', path])
  await start(data)
})

test('temporary files of a killed start are removed by the next one', async () => {
  const data = await freshDirectory()
  await writeFile(join(data, 'encryption.key.0123456789ab.unfinished'), 'half')
  await start(data)
  expect((await readdir(data)).filter((name) => name.includes('unfinished'))).toEqual([])
})
