import { appendFileSync, copyFileSync, readFileSync, statSync, truncateSync, watch, writeFileSync } from 'node:fs'
import { copyFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { expect, inject, it, onTestFinished, test } from 'vitest'
import { writeKnownDatabase } from '../src/cli/known-database.ts'
import { readConfig } from '../src/core/config.ts'
import { readKeys } from '../src/encryption/encryption-key.ts'
import { createServer } from '../src/index.ts'
import { restore } from '../src/store/backup/restore.ts'
import { lockFile } from '../src/store/directory-lock.ts'
import { migrations } from '../src/store/migrate.ts'
import { withoutPassword } from '../src/store/postgres-faults.ts'
import { runHere } from './cli-in-process.ts'
import { belowLimit, runCli, runCliToEnd } from './cli-process.ts'
import { collectedLog } from './collected-log.ts'
import { signedInVisitor, visitor } from './dashboard-person.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { freshDirectory } from './fresh-directory.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { createPerson, goodPassword } from './people.ts'
import { createDatabase, createEmptyDatabase } from './postgres-databases.ts'
import { openTables, startWithTables } from './tables.ts'
import { clientOf, seedWorkspace } from './workspace.ts'

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
      const { backups, database, workspaces } = await server.admin.system.get()
      expect(backups).toMatchObject({
        directory,
        last_at: made.created_at,
        age_seconds: expect.closeTo(0, 3),
        every_hours: null,
      })
      expect(workspaces).toBe(workspace.id)
      const { data } = await server.admin.system.tables()
      expect(data.find(({ table }) => table === 'members')).toMatchObject({ rows: 1 })
      const root = await createPerson(server, 'Root', { isInstanceAdmin: true })
      await server.admin.members.create({ workspace: workspace.id }, { name: 'Root', email: root.email, role: 'owner' })
      const browser = visitor(server)
      await browser.submit('/dashboard/sign-in', { email: root.email, password: goodPassword })
      const page = await (await browser.get(`/dashboard/w/${workspace.id}/settings/system`)).text()
      const target = store === 'postgres' ? '--database-url postgres://…' : `--data ${database.directory}`
      expect(page).toContain(`service-server restore ${join(directory, made.file)} ${target}</code>`)
    })

    it('are downloaded only by administrators of the instance, which the audit log records, and no other file is', async () => {
      const directory = await freshDirectory()
      const server = await start({ backupDirectory: directory })
      const { workspace } = await seedWorkspace(server)
      const made = await server.admin.backups.create()
      const secret = 'of-another-file'
      writeFileSync(join(directory, 'secret.txt'), secret)
      const at = { workspace: workspace.id }
      const olga = await signedInVisitor(server, { ...at, role: 'owner', name: 'Olga' })
      const root = await createPerson(server, 'Root', { isInstanceAdmin: true })
      const browser = visitor(server)
      await browser.post('/dashboard/sign-in', { email: root.email, password: goodPassword })
      const pathOf = (file: string) => `/dashboard/w/${workspace.id}/settings/system/backups/${file}/export`
      const system = await (await browser.get(`/dashboard/w/${workspace.id}/settings/system`)).text()
      expect(system).toContain(`href="${pathOf(made.file)}"`)

      expect((await olga.get(pathOf(made.file))).status).toBe(403)
      for (const file of [
        'secret.txt',
        '..%2Fsecret.txt',
        encodeURIComponent(join(directory, made.file)),
        'x.backup',
      ]) {
        const refused = await browser.get(pathOf(file))
        expect([refused.status, (await refused.text()).includes(secret)]).toEqual([404, false])
      }
      const response = await browser.get(pathOf(made.file))
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${made.file}"`)
      expect(response.headers.get('content-length')).toBe(String(made.size_bytes))
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes.equals(readFileSync(join(directory, made.file)))).toBe(true)

      const { data } = await server.admin.auditLog.listAll({ operation: 'backups.download' })
      expect(data.map(({ actor, resource }) => [actor, resource])).toEqual([[`person:${root.id}`, made.file]])
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
  const { code, stdout } = await runHere(['backup', '--data', data, '--json'])
  expect(code).toBe(0)
  expect((await server.admin.system.get()).backups.last_at).toBe(JSON.parse(stdout).created_at)
})

test('an in-memory server refuses backups', async () => {
  await using server = await createServer()
  await expect(Promise.resolve(server.admin.backups.create())).rejects.toMatchObject({ status: 409 })
})

test('only the owner may read a backup, also while it is made', async () => {
  const { data } = await usedDirectory()
  const tables = await openTables({ data })
  await tables.rows('create table ballast as select randomblob(8000000) as bytes')
  await tables.close()
  const directory = await freshDirectory()
  const modes = new Map<string, string>()
  const watcher = watch(directory, (_, name) => {
    const mode = statSync(join(directory, String(name)), { throwIfNoEntry: false })?.mode
    if (mode !== undefined) modes.set(String(name), (mode & 0o777).toString(8))
  })
  onTestFinished(() => watcher.close())
  expect(await runHere(['backup', join(directory, 'first.backup'), '--data', data])).toMatchObject({ code: 0 })
  await expect.poll(() => modes.get('first.backup')).toBe('600')
  const parts = [...modes].filter(([name]) => !name.endsWith('.lock'))
  expect(parts).toContainEqual(['first.backup.copy', '600'])
  expect(parts.filter(([, mode]) => mode !== '600')).toEqual([])
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
    expect(await runHere(['backup', file, '--data', data])).toMatchObject({ code: 0, stderr: '' })
    const restored = await freshDirectory()
    await copyFile(join(data, 'encryption.key'), join(restored, 'encryption.key')).catch(() => undefined)
    expect(await runHere(['restore', file, '--data', restored, '--yes'])).toMatchObject({ code: 0 })
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
  expect((await runHere(['backup', file, '--data', data])).code).toBe(0)
  {
    await using server = await createServer({ data, synchronous: 'normal' })
    await clientOf(server, site).tickets.create({ title: 'Later' })
  }
  // What a killed restore leaves behind.
  writeFileSync(join(data, 'service.db.restore.json.0123456789ab.unfinished'), '{')
  const { code, stdout } = await runHere(['restore', file, '--data', data, '--yes', '--json'])
  expect(code).toBe(0)
  expect((await readdir(data)).filter((name) => name.endsWith('.unfinished'))).toEqual([])
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
  await runHere(['backup', file, '--data', data])
  const refusal = async (path: string, into: string) => {
    const { code, stderr } = await runHere(['restore', path, '--data', into, '--yes'])
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
    // Several bytes, because a single bit of a compressed file may mean nothing.
    for (let index = at - 16; index < at; index += 1) copy[index] = (copy[index] ?? 0) ^ 0xff
    writeFileSync(damaged, copy)
    expect(await refusal(damaged, data)).toContain('is damaged')
  }
  writeFileSync(damaged, bytes)
  truncateSync(damaged, bytes.length - 100)
  expect(await refusal(damaged, data)).toContain('is damaged')
  truncateSync(damaged, 100)
  expect(await refusal(damaged, data)).toContain('is not a backup')
  appendFileSync(damaged, 'x')
  expect(await runHere(['restore', file, '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await titlesIn(data)).toEqual(['Kept ä€🎫'])
  expect((await readdir(data)).filter((name) => name.includes('restor'))).toEqual([])
})

test('restore names what is wrong with its file, and a full disk the path of a backup', async () => {
  const { data } = await usedDirectory()
  const refusal = async (...words: string[]) => (await runHere([...words, '--data', data])).stderr
  expect(await refusal('restore', data, '--yes')).toBe(
    `${data} is a folder, not a backup. Name one of the files in it.\n`,
  )
  expect(await refusal('restore', join(data, 'x'), '--yes')).toBe(
    `There is no backup ${join(data, 'x')}. Check the path.\n`,
  )
  // A device, such as /dev/full, would be replaced too.
  const device = join(await freshDirectory(), 'a-link')
  await symlink('/dev/null', device)
  for (const taken of [device, join(data, 'service.db'), join(data, 'encryption.key'), join(data, 'service.lock')])
    expect(await refusal('backup', taken)).toBe(
      `${taken} exists and is not a backup. Name a new file for the backup.\n`,
    )
  expect(await refusal('backup', '-')).toBe(
    'A backup cannot be written to a pipe. Name a file, such as monday.backup.\n',
  )
  const folder = join(await freshDirectory(), 'not-mounted')
  expect(await refusal('backup', join(folder, 'monday.backup'))).toBe(
    `The folder ${folder} does not exist. Create it, or name a file in another folder.\n`,
  )
  expect(await readdir(dirname(folder))).toEqual([])
  const weekly = join(await freshDirectory(), 'monday.backup')
  for (const _ of ['this week', 'the next']) expect(await refusal('backup', weekly)).toBe('')
  const file = join(await freshDirectory(), 'full.backup')
  for (const blocks of [64, 300]) {
    const within = belowLimit(`-f ${blocks}`)
    const { code, stderr } = await runCliToEnd(['backup', file, '--data', data], {}, { within })
    expect(code, stderr).toBe(1)
    expect(stderr).toMatch(
      new RegExp(`^${file}\\S* (?:cannot be opened|could not be written)|^There is no space left for ${file}`),
    )
    expect(await readdir(dirname(file))).toEqual([])
  }
})

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a backup that %s ends exits with %i and leaves no file', async (signal, code) => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  await (await createServer({ databaseUrl: url })).close()
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(async () => {
    await tables.close()
    await drop()
  })
  await tables.rows('begin')
  await tables.rows('lock table tickets in access exclusive mode')
  const directory = await freshDirectory()
  const { child, ended } = runCli(['backup', join(directory, 'x.backup')], { SERVICE_DATABASE_URL: url })
  await expect.poll(() => readdir(directory)).toContain('x.backup.unfinished')
  child.kill(signal)
  expect(await ended).toBe(code)
  expect(await readdir(directory)).toEqual([])
})

test('restore waits for a server that is stopping, and fails if it keeps running', async () => {
  const { data } = await usedDirectory()
  const file = join(await freshDirectory(), 'good.backup')
  await runHere(['backup', file, '--data', data])
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

test('a PostgreSQL backup restores only into an empty database, once', async () => {
  const [from, to, shared] = await Promise.all([
    createDatabase(inject('postgresUrl')),
    createEmptyDatabase(inject('postgresUrl')),
    createEmptyDatabase(inject('postgresUrl')),
  ])
  onTestFinished(() => Promise.all([from.drop(), to.drop(), shared.drop()]).then(() => undefined))
  const encryptionKey = 'k'.repeat(40)
  const server = await createServer({ databaseUrl: from.url, encryptionKey })
  onTestFinished(() => server.close())
  const site = await seedWorkspace(server)
  const title = 'Tab\tquote" back\\slash \\. line\nend ä€🎫'
  await clientOf(server, site).tickets.create({ title })
  await server.admin.tokens.revoke({ workspace: 1, id: 1 })
  const file = join(await freshDirectory(), 'pg.backup')
  const environment = { SERVICE_ENCRYPTION_KEY: encryptionKey }
  expect(await runHere(['backup', file, '--database-url', from.url], environment)).toMatchObject({
    code: 0,
    stderr: '',
  })
  const atOnce = await Promise.all(
    ['1', '2', '3'].map(async () => {
      const data = await freshDirectory()
      return runCliToEnd(['restore', file, '--yes', '--data', data, '--database-url', shared.url], environment)
    }),
  )
  expect(atOnce.map(({ code }) => code).toSorted()).toEqual([0, 1, 1])
  for (const { code, stderr } of atOnce)
    if (code === 1) expect(stderr).toMatch(/Another restore or copy into this database is running|is not empty/)
  const restore = ['restore', file, '--yes', '--data', await freshDirectory(), '--database-url']
  expect(await runHere([...restore, from.url], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database is not empty.'),
  })
  expect(await runHere([...restore, to.url], { SERVICE_ENCRYPTION_KEY: 'x'.repeat(40) })).toMatchObject({ code: 1 })
  expect(await runHere([...restore, to.url], environment)).toMatchObject({ code: 0, stderr: '' })
  const restored = await createServer({ databaseUrl: to.url, encryptionKey })
  onTestFinished(() => restored.close())
  expect((await restored.admin.tickets.get({ workspace: 1, id: 1 })).title).toBe(title)
  expect((await restored.admin.members.create({ workspace: 1 }, { name: 'B', email: 'b@acme.example' })).id).toBe(2)
  expect(await runHere(['restore', file, '--yes', '--data', await freshDirectory()])).toMatchObject({
    code: 1,
  })
})

test('a backup takes longer than the time limit of the role for statements', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const environment = { SERVICE_ENCRYPTION_KEY: 'k'.repeat(40) }
  await (await createServer({ databaseUrl: url, encryptionKey: environment.SERVICE_ENCRYPTION_KEY })).close()
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(() => tables.close())
  await tables.rows(`alter database "${new URL(url).pathname.slice(1)}" set statement_timeout = '300ms'`)
  const blocker = new pg.Client({ connectionString: url })
  await blocker.connect()
  await blocker.query('set statement_timeout = 0; begin; lock table tickets in access exclusive mode')
  const backing = runHere(
    ['backup', join(await freshDirectory(), 'late.backup'), '--database-url', url],
    environment,
  ).finally(() => blocker.end())
  const late = `select 1 from pg_stat_activity where application_name = 'service-server backup'
    and clock_timestamp() - query_start > interval '400 ms'`
  await expect.poll(() => tables.rows(late), { timeout: 20_000 }).toHaveLength(1)
  await blocker.query('commit')
  expect(await backing).toMatchObject({ code: 0, stderr: '' })
})

test('a restore into PostgreSQL names that database in the data directory once it begins, and not if it is refused', async () => {
  const { data } = await usedDirectory()
  const [filled, empty] = await Promise.all([
    createDatabase(inject('postgresUrl')),
    createEmptyDatabase(inject('postgresUrl')),
  ])
  onTestFinished(() => Promise.all([filled.drop(), empty.drop()]).then(() => undefined))
  const folder = await freshDirectory()
  const [sqlite, postgres, damaged] = ['sqlite', 'postgres', 'damaged'].map((name) => join(folder, `${name}.backup`))
  const key = { SERVICE_ENCRYPTION_KEY: 'k'.repeat(40) }
  const server = await createServer({ databaseUrl: filled.url, encryptionKey: key.SERVICE_ENCRYPTION_KEY })
  await seedWorkspace(server)
  await server.admin.webhooks.create({ workspace: 1 }, { url: 'https://hooks.example/x', events: ['*'] })
  await server.close()
  expect(await runHere(['backup', `${sqlite}`, '--data', data], {})).toMatchObject({ code: 0 })
  expect(await runHere(['backup', `${postgres}`, '--database-url', filled.url], key)).toMatchObject({ code: 0 })
  await copyFile(`${postgres}`, `${damaged}`)
  truncateSync(`${damaged}`, readFileSync(`${damaged}`).length - 9)
  const fresh = await freshDirectory()
  copyFileSync(join(data, 'encryption.key'), join(fresh, 'encryption.key'))
  const missing = new URL(empty.url)
  missing.pathname += '_missing'
  const restoreInto = (file: string | undefined, url: string, settings = {}) =>
    runHere(['restore', `${file}`, '--data', fresh, '--database-url', url, '--yes'], settings)
  for (const { code, stderr } of [
    await restoreInto(sqlite, empty.url),
    await restoreInto(join(folder, 'none.backup'), empty.url),
    await restoreInto(postgres, empty.url),
    await restoreInto(damaged, empty.url, key),
    await restoreInto(postgres, missing.href, key),
    await restoreInto(postgres, filled.url, key),
  ]) {
    expect(code, stderr).toBe(1)
    expect(await readdir(fresh)).toEqual(['encryption.key'])
  }
  expect(await runHere(['restore', `${sqlite}`, '--data', fresh, '--yes'], {})).toMatchObject({ code: 0, stderr: '' })
  expect(await titlesIn(fresh)).toEqual(['Kept ä€🎫'])
  const begun = await freshDirectory()
  const proxy = await startDatabaseProxy(empty.url)
  proxy.refuse('copy "tickets"')
  const restoring = ['restore', `${postgres}`, '--data', begun, '--database-url', proxy.url, '--yes']
  expect((await runHere(restoring, key)).code).toBe(1)
  const next = await runHere(['workspace', 'list', '--data', begun], {
    ...key,
    PGPASSWORD: new URL(empty.url).password,
  })
  expect([next.code, next.stderr]).toEqual([
    1,
    expect.stringContaining(
      `Run "service-server restore ${postgres} --data ${begun} --database-url ${withoutPassword(proxy.url)}" again`,
    ),
  ])
})

test('after a restore into another PostgreSQL database, the data directory leads there, unless it has a platform on SQLite', async () => {
  const { data } = await usedDirectory()
  const [filled, other, third] = await Promise.all([
    createDatabase(inject('postgresUrl')),
    createEmptyDatabase(inject('postgresUrl')),
    createEmptyDatabase(inject('postgresUrl')),
  ])
  onTestFinished(() => Promise.all([filled.drop(), other.drop(), third.drop()]).then(() => undefined))
  const settings = { SERVICE_ENCRYPTION_KEY: 'k'.repeat(40), PGPASSWORD: new URL(filled.url).password }
  const server = await createServer({ databaseUrl: filled.url, encryptionKey: settings.SERVICE_ENCRYPTION_KEY })
  await seedWorkspace(server)
  await server.close()
  const directory = await freshDirectory()
  const file = join(directory, 'postgres.backup')
  writeKnownDatabase(directory, { databaseUrl: filled.url, files: {} })
  expect(await runHere(['backup', file, '--data', directory], settings)).toMatchObject({ code: 0 })
  const tables = await openTables({ databaseUrl: filled.url })
  await tables.rows("update workspaces set name = 'Old'")
  await tables.close()
  const order = (folder: string, { url }: { url: string }) => [
    ...['restore', file, '--data', folder, '--database-url', url, '--yes'],
  ]
  const running = runCli(['start', '--port', '0', '--json', '--data', directory], settings)
  await running.firstLine
  const restoring = runCli(order(directory, other), settings)
  await expect.poll(() => restoring.said.stderr).toContain('Waiting up to 30 s for it to stop.')
  running.child.kill('SIGTERM')
  expect(await restoring.ended).toBe(0)
  expect(restoring.said.stdout).toContain(
    `, into ${withoutPassword(other.url)}. ${directory} now leads to that database.`,
  )
  expect((await runHere(['workspace', 'list', '--data', directory], settings)).stdout).not.toContain('Old')
  expect(await runHere(order(data, third), settings)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${data} still leads to its platform on SQLite.`),
  })
  expect(await titlesIn(data)).toEqual(['Kept ä€🎫'])
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
  expect(await runHere(order, { SERVICE_ENCRYPTION_KEY: encryptionKey })).toMatchObject({ code: 0 })
  expect(await titlesOfStart(restored)).toEqual(titles)
})

/** Parts of a backup as a killed process leaves them, and those of a process that is still working. */
function partsIn(directory: string) {
  const killed = join(directory, 'manual-2026-01-01T00-00-00-000Z.backup')
  const working = join(directory, 'first.backup')
  for (const part of [
    `${killed}.copy`,
    `${killed}.copy-journal`,
    `${killed}.unfinished`,
    `${killed}.lock`,
    `${working}.copy`,
  ])
    writeFileSync(part, '')
  const lock = lockFile(`${working}.lock`)
  onTestFinished(() => lock?.release())
  writeFileSync(join(directory, 'notes.copy'), 'of somebody else')
  return ['first.backup.copy', 'first.backup.lock', 'notes.copy']
}

onEveryStore(
  'scheduled backups',
  (_start, store) => {
    const minute = 60_000_000
    async function startDaily() {
      const [directory, clock, log] = [await freshDirectory(), manualClock(), collectedLog()]
      const schedule = { backupDirectory: directory, backupEvery: '1d', encryptionKey: 'k'.repeat(40) }
      const { server, tables, place } = await startWithTables(store, { ...schedule, clock, log })
      const count = async () => (await server.admin.backups.list()).data.length
      return { directory, clock, log, server, tables, count, options: { ...place, ...schedule, clock } }
    }

    it('that fail are tried again after a minute and then after pauses that double up to an hour, and a success starts the next day', async () => {
      const { directory, clock, log, server, count } = await startDaily()
      await server.deliveries.runDue()
      expect(await count()).toBe(1)
      await rename(directory, `${directory}-aside`)
      writeFileSync(directory, 'a file in place of the directory')
      const failures = () => log.lines.filter(({ sentence }) => sentence.includes('The scheduled backup failed')).length
      const attempts: number[] = []
      clock.advance(24 * 60 * minute)
      for (let minutes = 0; minutes < 200; minutes += 1) {
        const before = failures()
        await server.deliveries.runDue()
        if (failures() > before) attempts.push(minutes)
        // The clock moves on with each reading.
        clock.advance(minute + 1000)
      }
      const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
      expect(attempts[0]).toBe(0)
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
      expect(log.lines.at(-1)?.sentence).toMatch(
        /^The scheduled backup failed, and is tried again at 2026-\S+Z: \S+ is not/,
      )
      await rm(directory)
      await rename(`${directory}-aside`, directory)
      clock.advance(61 * minute)
      for (const [hours, expected] of [
        [0, 2],
        [23, 2],
        [1, 3],
      ] as const) {
        clock.advance(hours * 60 * minute)
        await server.deliveries.runDue()
        expect(await count()).toBe(expected)
      }
    })

    it('of a killed process are made two minutes later, and not while another process makes them', async () => {
      const { clock, server, tables, count } = await startDaily()
      const now = clock.now()
      await tables.rows(`insert into operation_marks (name, at) values
        ('backup-begun', ${now}), ('backup-running', ${now}), ('backup-failing', ${now})`)
      await server.deliveries.runDue()
      expect(await count()).toBe(0)
      clock.advance(2 * minute)
      await server.deliveries.runDue()
      expect(await count()).toBe(1)
    })

    it('go on when a clock that was ahead is right again, with the age of the last one from a right clock', async () => {
      const { clock, server, count, options } = await startDaily()
      await server.deliveries.runDue()
      const year = 365 * 24 * 60 * minute
      clock.advance(year)
      await server.deliveries.runDue()
      expect(await count()).toBe(2)
      await server.close()
      clock.advance(-year + 20 * 60 * minute)
      await using next = await createServer({ ...options, backupKeep: 1 })
      const age = async () => (await next.admin.system.get()).backups.age_seconds
      expect(await age()).toBeCloseTo(20 * 3600, 3)
      await next.deliveries.runDue()
      expect(await age()).toBeCloseTo(0, 3)
      expect((await next.admin.backups.list()).data.map(({ created_at }) => created_at.slice(0, 4))).toEqual(['2026'])
    })

    it('report their age from the start, and a start removes the parts of killed ones', async () => {
      const { directory, server, options } = await startDaily()
      await server.close()
      const left = partsIn(directory)
      const adminToken = 'admin_token_of_enough_characters'
      await using next = await createServer({ ...options, adminToken })
      expect((await readdir(directory)).toSorted()).toEqual(left)
      const answer = await next.fetch('/metrics', { headers: { authorization: `Bearer ${adminToken}` } })
      expect(await answer.text()).toMatch(/^service_backup_age_seconds \d/m)
    })
  },
  ['sqlite', 'postgres'],
)

test('one of two servers with separate directories makes each scheduled backup, and both know its age', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const clock = manualClock()
  const start = async () => {
    const schedule = { backupDirectory: await freshDirectory(), backupEvery: '1d', encryptionKey: 'k'.repeat(40) }
    const server = await createServer({ databaseUrl: url, clock, ...schedule })
    onTestFinished(() => server.close())
    return server
  }
  const servers = [await start(), await start()]
  for (const day of [1, 2, 3]) {
    await Promise.all(servers.map(({ deliveries }) => deliveries.runDue()))
    const lists = await Promise.all(servers.map(async ({ admin }) => (await admin.backups.list()).data))
    expect(lists.flat()).toHaveLength(day)
    const reports = await Promise.all(servers.map(async ({ admin }) => (await admin.system.get()).backups))
    for (const { age_seconds } of reports) expect(age_seconds).toBeCloseTo(0, 3)
    clock.advance(24 * 3600 * 1_000_000)
  }
})
