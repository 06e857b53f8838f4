import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, inject, it, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/core/config.ts'
import { readKeys } from '../src/encryption/encryption-key.ts'
import { createServer } from '../src/index.ts'
import { restore } from '../src/store/backup/restore.ts'
import { migrations } from '../src/store/migrate.ts'
import { freshDirectory, runCli } from './cli-process.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { createDatabase, createEmptyDatabase } from './postgres-databases.ts'
import { clientOf, seedWorkspace } from './workspace.ts'

async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const cli = runCli(args, environment)
  return { code: await cli.ended, ...cli.said }
}

/** A directory with one ticket and one encrypted secret. */
async function usedDirectory() {
  const data = await freshDirectory()
  const server = await createServer({ data, synchronous: 'normal' })
  const site = await seedWorkspace(server)
  await clientOf(server, site).tickets.create({ title: 'Kept ä€🎫', tags: ['a'] })
  await server.admin.webhooks.create(
    { workspace: site.workspace.id },
    { url: 'https://hooks.example/x', events: ['*'] },
  )
  await server.close()
  return { data, site }
}

const titlesIn = async (data: string) => {
  await using server = await createServer({ data, synchronous: 'normal' })
  return (await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)
}

onEveryStore(
  'backups',
  (start, store) => {
    it('are created on request, listed with their contents, and shown in the system report', async () => {
      const directory = await freshDirectory()
      const server = await start({ backupDirectory: directory, encryptionKey: 'k'.repeat(40) })
      const { workspace } = await seedWorkspace(server)
      const made = await server.admin.backups.create()
      expect(made).toMatchObject({ reason: 'manual', database: store, schema: expect.stringMatching(/^00/) })
      expect(made.rows).toBeGreaterThan(3)
      expect((await server.admin.backups.list()).data).toEqual([made])
      const { backups, workspaces } = await server.admin.system.get()
      expect(backups).toMatchObject({
        directory,
        last_at: made.created_at,
        age_seconds: expect.closeTo(0, 3),
        every_hours: null,
      })
      expect(workspaces).toBe(workspace.id)
      const { data } = await server.admin.system.tables()
      expect(data.find(({ table }) => table === 'members')).toMatchObject({ rows: 1 })
    })

    it('are created at the configured interval, and only the newest are kept', async () => {
      const directory = await freshDirectory()
      const clock = manualClock()
      const server = await start({ clock, backupDirectory: directory, backupEvery: '6h', backupKeep: 2 })
      for (let round = 0; round < 4; round += 1) {
        await server.deliveries.runDue()
        clock.advance(6 * 3600 * 1_000_000)
      }
      const { data } = await server.admin.backups.list()
      expect(data.map(({ reason }) => reason)).toEqual(['scheduled', 'scheduled'])
      expect(data[0]?.created_at).not.toBe(data[1]?.created_at)
    })
  },
  ['sqlite', 'postgres'],
)

test('the system report of a running server includes a backup made on the command line', async () => {
  const { data } = await usedDirectory()
  await using server = await createServer({ data, synchronous: 'normal' })
  expect((await server.admin.system.get()).backups.last_at).toBeNull()
  const { code, stdout } = await run(['backup', '--data', data, '--json'])
  expect(code).toBe(0)
  expect((await server.admin.system.get()).backups.last_at).toBe(JSON.parse(stdout).created_at)
})

test('an in-memory server refuses backups', async () => {
  await using server = await createServer()
  await expect(Promise.resolve(server.admin.backups.create())).rejects.toMatchObject({ status: 409 })
})

test('backups under write load are consistent snapshots that restore to intact databases', async () => {
  const data = await freshDirectory()
  const directory = await freshDirectory()
  await using server = await createServer({ data, synchronous: 'normal', rateLimit: 'off' })
  const client = clientOf(server, await seedWorkspace(server))
  let writing = true
  let acknowledged = 0
  const writer = (async () => {
    while (writing) acknowledged = (await client.tickets.create({ title: 'Load', tags: ['x'] })).id
  })()
  for (let round = 0; round < 5; round += 1) {
    const before = acknowledged
    const file = join(directory, `${round}.backup`)
    expect(await run(['backup', file, '--data', data])).toMatchObject({ code: 0, stderr: '' })
    const restored = await freshDirectory()
    await copyFile(join(data, 'encryption.key'), join(restored, 'encryption.key')).catch(() => undefined)
    expect(await run(['restore', file, '--data', restored, '--yes'])).toMatchObject({ code: 0 })
    const database = new SqliteDatabase(join(restored, 'service.db'), { readonly: true })
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const one = (sql: string) => database.prepare(sql).pluck().get() as number
    const tickets = one('select count(*) from tickets')
    expect(tickets).toBeGreaterThanOrEqual(before)
    expect(one('select max(id) from tickets')).toBe(tickets)
    expect(one(`select count(*) from tickets where tags = '["x"]'`)).toBe(tickets)
    expect(one("select count(*) from events where name = 'ticket.created'")).toBe(tickets)
    database.close()
  }
  writing = false
  await writer
})

test('restore replaces the database and keeps the previous one next to it', async () => {
  const { data, site } = await usedDirectory()
  const file = join(await freshDirectory(), 'first.backup')
  expect((await run(['backup', file, '--data', data])).code).toBe(0)
  {
    await using server = await createServer({ data, synchronous: 'normal' })
    await clientOf(server, site).tickets.create({ title: 'Later' })
  }
  const { code, stdout } = await run(['restore', file, '--data', data, '--yes', '--json'])
  expect(code).toBe(0)
  expect(await titlesIn(data)).toEqual(['Kept ä€🎫'])
  const aside = await freshDirectory()
  for (const ending of ['', '-wal', '-shm'])
    await copyFile(JSON.parse(stdout).aside + ending, join(aside, `service.db${ending}`)).catch(() => undefined)
  await copyFile(join(data, 'encryption.key'), join(aside, 'encryption.key'))
  expect(await titlesIn(aside)).toEqual(['Later', 'Kept ä€🎫'])
})

test('restore refuses a wrong or missing key and a damaged file, and changes nothing', async () => {
  const { data } = await usedDirectory()
  const file = join(await freshDirectory(), 'good.backup')
  await run(['backup', file, '--data', data])
  const refusal = async (path: string, into: string) => {
    const { code, stderr } = await run(['restore', path, '--data', into, '--yes'])
    expect(code).toBe(1)
    return stderr
  }
  const other = (await usedDirectory()).data
  expect(await refusal(file, other)).toMatch(/encrypted with the key whose fingerprint is [0-9a-f]{16}, and the one in/)
  expect(await refusal(file, await freshDirectory())).toContain('is missing. Put that key there first.')
  const bytes = readFileSync(file)
  const damaged = `${file}.damaged`
  for (const at of [20_000, bytes.length - 5]) {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 1
    writeFileSync(damaged, copy)
    expect(await refusal(damaged, data)).toContain('is damaged')
  }
  writeFileSync(damaged, bytes)
  truncateSync(damaged, bytes.length - 100)
  expect(await refusal(damaged, data)).toContain('is damaged')
  truncateSync(damaged, 100)
  expect(await refusal(damaged, data)).toContain('is not a backup')
  appendFileSync(damaged, 'x')
  expect(await run(['restore', file, '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await titlesIn(data)).toEqual(['Kept ä€🎫'])
  expect((await readdir(data)).filter((name) => name.includes('restor'))).toEqual([])
})

test('restore waits for a server that is stopping, and fails if it keeps running', async () => {
  const { data } = await usedDirectory()
  const file = join(await freshDirectory(), 'good.backup')
  await run(['backup', file, '--data', data])
  const server = await createServer({ data, synchronous: 'normal' })
  await clientOf(server, await seedWorkspace(server, { name: 'Later' })).tickets.create({ title: 'Lost' })
  const order = {
    data,
    path: file,
    keyFingerprints: readKeys(readConfig({ data }))?.fingerprints() ?? [],
    keyLocation: '',
  }
  const staying = restore({ ...order, clock: manualClock(), waitMs: 1, onWait: () => undefined })
  await expect(staying).rejects.toThrow(`is in use by process ${process.pid}. Stop it before you restore.`)
  const restoring = runCli(['restore', file, '--data', data, '--yes'])
  await expect.poll(() => restoring.said.stderr).toContain('Waiting up to 30 s for it to stop.')
  await server.close()
  expect(await restoring.ended).toBe(0)
  expect(await titlesIn(data)).toEqual(['Kept ä€🎫'])
})

test('a PostgreSQL backup restores only into an empty database', async () => {
  const [from, to] = await Promise.all([
    createDatabase(inject('postgresUrl')),
    createEmptyDatabase(inject('postgresUrl')),
  ])
  onTestFinished(() => Promise.all([from.drop(), to.drop()]).then(() => undefined))
  const encryptionKey = 'k'.repeat(40)
  const server = await createServer({ databaseUrl: from.url, encryptionKey })
  onTestFinished(() => server.close())
  const site = await seedWorkspace(server)
  const title = 'Tab\tquote" back\\slash \\. line\nend ä€🎫'
  await clientOf(server, site).tickets.create({ title })
  await server.admin.tokens.revoke({ workspace: 1, id: 1 })
  const file = join(await freshDirectory(), 'pg.backup')
  const environment = { SERVICE_ENCRYPTION_KEY: encryptionKey }
  expect(await run(['backup', file, '--database-url', from.url], environment)).toMatchObject({ code: 0, stderr: '' })
  const restore = ['restore', file, '--yes', '--database-url']
  expect(await run([...restore, from.url], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database is not empty.'),
  })
  expect(await run([...restore, to.url], { SERVICE_ENCRYPTION_KEY: 'x'.repeat(40) })).toMatchObject({ code: 1 })
  expect(await run([...restore, to.url], environment)).toMatchObject({ code: 0, stderr: '' })
  const restored = await createServer({ databaseUrl: to.url, encryptionKey })
  onTestFinished(() => restored.close())
  expect((await restored.admin.tickets.get({ workspace: 1, id: 1 })).title).toBe(title)
  expect((await restored.admin.members.create({ workspace: 1 }, { name: 'B', email: 'b@acme.example' })).id).toBe(2)
  expect(await run([...restore.slice(0, 1), file, '--yes', '--data', await freshDirectory()])).toMatchObject({
    code: 1,
  })
})

test('a database file of an older version is backed up before its migration, and the backup restores', async () => {
  const data = await freshDirectory()
  const database = new SqliteDatabase(join(data, 'service.db'))
  database.exec(readFileSync(new URL('./last-release/sqlite.sql', import.meta.url), 'utf8'))
  database.close()
  const encryptionKey = 'a key for tests, of at least 32 characters'
  const titlesOfStart = async (data: string) => {
    await using server = await createServer({ data, synchronous: 'normal', encryptionKey })
    expect((await server.admin.system.get()).schema).toMatchObject({ latest: migrations.at(-1)?.name, pending: 0 })
    expect((await server.admin.backups.list()).data.map(({ reason }) => reason)).toEqual(['migration'])
    return (await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)
  }
  const titles = await titlesOfStart(data)
  expect(titles).toHaveLength(2)
  const [name = ''] = (await readdir(join(data, 'backups'))).filter((file) => file.includes('migration'))
  const restored = await freshDirectory()
  const order = ['restore', join(data, 'backups', name), '--data', restored, '--yes']
  expect(await run(order, { SERVICE_ENCRYPTION_KEY: encryptionKey })).toMatchObject({ code: 0 })
  expect(await titlesOfStart(restored)).toEqual(titles)
})
