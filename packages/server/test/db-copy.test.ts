import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { writeKnownDatabase } from '../src/cli/known-database.ts'
import { systemClock } from '../src/core/system-clock.ts'
import { createServer } from '../src/index.ts'
import { copyDatabase } from '../src/store/copy/copy-database.ts'
import { openCopiedDatabase } from '../src/store/copy/open-copied-database.ts'
import { runHere } from './cli-in-process.ts'
import { runCli } from './cli-process.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { freshDirectory } from './fresh-directory.ts'
import { createEmptyDatabase } from './postgres-databases.ts'
import { openTables } from './tables.ts'
import { clientOf, seedWorkspace } from './workspace.ts'

const odd = 'Tab\tquote" back\\slash \\. \\N line\r\nend ä€🎫'

async function usedDirectory() {
  const data = await freshDirectory()
  await using server = await createServer({ data, synchronous: 'normal', rateLimit: 'off' })
  const site = await seedWorkspace(server)
  const client = clientOf(server, site)
  for (let count = 0; count < 30; count += 1)
    await client.tickets.create({ title: `${odd} ${count}`, tags: ['b', 'Ä', 'a'] })
  const later = await client.tasks.create({ title: 'Later' })
  const first = await server.admin.tasks.create({ workspace: 1 }, { title: 'Part', parent_id: later.id })
  await server.admin.webhooks.create({ workspace: 1 }, { url: 'https://hooks.example/x', events: ['*'] })
  return { data, first }
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return url
}

test('db copy copies a platform to PostgreSQL and back, with the same checksum of every table', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  const there = await runHere(['db', 'copy', '--from', data, '--to', url, '--json'])
  expect(there).toMatchObject({ code: 0 })
  const copied = JSON.parse(there.stdout)
  expect(copied).toContainEqual({ table: 'tickets', rows: 30, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  {
    await using server = await createServer({ databaseUrl: url, encryptionKeyFile: join(data, 'encryption.key') })
    const { data: tickets } = await server.admin.tickets.list({ workspace: 1 })
    expect(tickets.map(({ title }) => title)).toContain(`${odd} 29`)
    expect((await server.admin.tickets.list({ workspace: 1 }, { search: 'quote' })).data).toHaveLength(30)
    expect((await server.admin.webhooks.get({ workspace: 1, id: 1 })).url).toBe('https://hooks.example/x')
    const used = { code: 1, stderr: expect.stringContaining('Stop all servers of the platform first') }
    expect(await runHere(['db', 'copy', '--from', url, '--to', await freshDirectory()])).toMatchObject(used)
    expect(await runHere(['db', 'copy', '--from', data, '--to', url])).toMatchObject(used)
  }
  const back = await freshDirectory()
  const again = await runHere(['db', 'copy', '--from', url, '--to', back, '--json'])
  expect(again).toMatchObject({ code: 0 })
  const stable = (all: { table: string }[]) => all.filter(({ table }) => ['tickets', 'tasks', 'users'].includes(table))
  expect(stable(JSON.parse(again.stdout))).toEqual(stable(copied))
  await copyFile(join(data, 'encryption.key'), join(back, 'encryption.key'))
  await using server = await createServer({ data: back, synchronous: 'normal' })
  expect((await server.admin.tickets.create({ workspace: 1 }, { title: 'Next' })).id).toBe(31)
  expect(await runHere(['db', 'copy', '--from', data, '--to', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has rows already'),
  })
  for (const same of [url, data])
    expect(await runHere(['db', 'copy', '--from', same, '--to', same])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--from and --to are the same database. Choose a new one for --to.'),
    })
  // The refused copy has changed nothing.
  await (await createServer({ databaseUrl: url, encryptionKeyFile: join(data, 'encryption.key') })).close()
})

test('db copy finds a platform on PostgreSQL by its data directory, on both sides', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  const named = await freshDirectory()
  const file = join(named, 'database-url')
  await writeFile(file, url)
  writeKnownDatabase(named, { databaseUrl: url, files: { databaseUrl: file } })
  const there = await runHere(['db', 'copy', '--from', data, '--to', named, '--json'])
  expect(there).toMatchObject({ code: 0 })
  const back = await runHere(['db', 'copy', '--from', named, '--to', await freshDirectory(), '--json'])
  expect(back).toMatchObject({ code: 0 })
  const tickets = JSON.parse(there.stdout).find(({ table }: { table: string }) => table === 'tickets')
  expect(tickets).toMatchObject({ rows: 30 })
  expect(JSON.parse(back.stdout)).toContainEqual(tickets)
  expect(await runHere(['db', 'copy', '--from', named, '--to', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--from and --to are the same database.'),
  })
})

test('a start on an empty database is refused next to a platform on SQLite, and works there once it is copied', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  const start = ['start', '--port', '0', '--json', '--data', data]
  const known = new URL(url)
  known.password = ''
  const copy = ['db', 'copy', '--from', data, '--to']
  expect(await runHere([...start, '--database-url', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`run "service-server ${copy.join(' ')} ${known.href}" first`),
  })
  expect(await runHere([...copy, url])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tickets +30 /m) })
  const server = runCli(start, { SERVICE_DATABASE_URL: url })
  expect(JSON.parse(await server.firstLine)).toMatchObject({ workspaces: [{ id: 1 }] })
  server.child.kill('SIGINT')
  await server.ended
  const password = { PGPASSWORD: new URL(url).password }
  expect(await runHere(['doctor', '--data', data], password)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sqlite +ok +not used: .+service\.db$/m),
  })
  const back = await freshDirectory()
  expect(await runHere([...copy, back], password)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has a platform on SQLite (service.db), but other commands use the one on'),
  })
  expect(await runHere(['db', 'copy', '--from', url, '--to', back])).toMatchObject({ code: 0 })
})

test('a start on a database without workspaces is refused next to a platform on SQLite that has one', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  await (await createServer({ databaseUrl: url, encryptionKey: 'k'.repeat(32) })).close()
  const refused = await runHere(['start', '--port', '0', '--json', '--data', data, '--database-url', url])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      / has no workspaces\. To move the platform, run ".+ --to <a new database>" and start on /,
    ),
  })
})

test('a start on a database without workspaces is accepted next to a platform on SQLite without workspaces', async () => {
  const data = await freshDirectory()
  await (await createServer({ data })).close()
  const url = await emptyDatabase()
  expect(await runHere(['db', 'copy', '--from', data, '--to', url])).toMatchObject({ code: 0 })
  const server = runCli(['start', '--port', '0', '--json', '--data', data], { SERVICE_DATABASE_URL: url })
  expect(JSON.parse(await server.firstLine)).toMatchObject({ event: 'ready' })
  server.child.kill('SIGINT')
  await server.ended
})

test('a copy that was interrupted while indexing tickets is completed by the next call', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  const proxy = await startDatabaseProxy(url)
  proxy.refuse('insert into ticket_search')
  expect(await runHere(['db', 'copy', '--from', data, '--to', proxy.url])).toMatchObject({ code: 1 })
  expect(await runHere(['db', 'copy', '--from', data, '--to', url])).toMatchObject({ code: 0 })
  await using server = await createServer({ databaseUrl: url, encryptionKeyFile: join(data, 'encryption.key') })
  expect((await server.admin.tickets.list({ workspace: 1 }, { search: 'quote' })).data).toHaveLength(30)
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(tables.close)
  expect(await tables.rows(`select indexname from pg_indexes where tablename = 'ticket_search' order by 1`)).toEqual([
    { indexname: 'ticket_search_pkey' },
    { indexname: 'ticket_search_terms' },
  ])
  expect(await tables.rows(`select relname from pg_class where relname like 'copy_%'`)).toEqual([])
})

test('a copy whose connection breaks reports the cause, and every other command refuses the half copy until it is completed', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  const proxy = await startDatabaseProxy(url)
  proxy.refuse('copy "tickets"', { code: '57P01', message: 'terminating connection due to administrator command' })
  const copy = ['db', 'copy', '--from', data, '--to']
  expect(await runHere([...copy, proxy.url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('terminating connection due to administrator command'),
  })
  const doctor = ['doctor', '--data', data, '--database-url', url]
  const refusal = `A copy of ${data} into this database has not finished, so data is missing. Stop the platform, and run "service-server db copy --from ${data} --to <this database>" again, which completes it. If the source was changed meanwhile, copy into a new database instead.`
  expect(await runHere(doctor)).toMatchObject({ code: 1, stdout: expect.stringContaining(refusal) })
  await expect(createServer({ databaseUrl: url })).rejects.toThrow(refusal)
  expect(await runHere(['backup', '--database-url', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(refusal),
  })
  expect(await runHere(['db', 'copy', '--from', url, '--to', await freshDirectory()])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(refusal),
  })
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(tables.close)
  const [saved] = await tables.rows('select count(*) as keys from saved_foreign_keys')
  expect(await runHere([...copy, url])).toMatchObject({ code: 0 })
  expect(await tables.rows("select count(*) as keys from pg_constraint where contype = 'f'")).toEqual([saved])
  expect((await runHere(doctor)).stdout).not.toContain('has not finished')
})

test('an interrupted copy names its source with the user, without the password, and continues only from there', async () => {
  const data = await freshDirectory()
  const begin = async (from: string) => {
    const target = await openCopiedDatabase({ from, to: data }, 'to', systemClock())
    await target.close()
  }
  await begin('postgres://ada:hunter2@127.0.0.1:54931/shop?sslmode=disable&password=hunter2')
  const { stdout } = await runHere(['doctor', '--data', data], {})
  expect(stdout).toContain(`"service-server db copy --from 'postgres://ada@127.0.0.1:54931/shop?sslmode=disable' --to`)
  expect(stdout).not.toContain('hunter2')
  for (const from of ['postgres://ada@127.0.0.1:54931/other', await freshDirectory()])
    await expect(begin(from)).rejects.toThrow(
      'has an unfinished copy of postgres://ada@127.0.0.1:54931/shop?sslmode=disable, and --from is',
    )
  await begin('postgres://ben:hunter3@127.0.0.1:54931/shop')
  await begin('postgres://ada@127.0.0.1:54931/shop')
  await expect(begin('postgres://ada@127.0.0.1:54931/other')).rejects.toThrow('has an unfinished copy of')
})

test('an interrupted copy resumes after the last written key', async () => {
  const { data } = await usedDirectory()
  const url = await emptyDatabase()
  const clock = systemClock()
  let batches = 0
  const attempt = async (most: number) => {
    const plan = { from: data, to: url }
    const [from, to] = [await openCopiedDatabase(plan, 'from', clock), await openCopiedDatabase(plan, 'to', clock)]
    const stopAfter = () => {
      batches += 1
      if (batches === most) throw new Error('The power went.')
    }
    try {
      return await copyDatabase(from, to, { batch: 7, onProgress: stopAfter })
    } finally {
      await from.close()
      await to.close()
    }
  }
  await expect(attempt(40)).rejects.toThrow('The power went.')
  const first = batches
  const copied = await attempt(Number.POSITIVE_INFINITY)
  expect(copied).toContainEqual(expect.objectContaining({ table: 'tickets', rows: 30 }))
  expect(first).toBe(40)
})
