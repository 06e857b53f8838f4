import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer, request as sendRequest } from 'node:http'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { writeKnownDatabase } from '../src/cli/known-database.ts'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { runCli } from './cli-process.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { freshDirectory } from './fresh-directory.ts'
import { listenInTest } from './listen-in-test.ts'
import { createStorage } from './on-every-store.ts'
import { createDatabase, createEmptyDatabase } from './postgres-databases.ts'
import { onDisk, openTables } from './tables.ts'
import { seedWorkspace } from './workspace.ts'

async function usedDirectory() {
  const data = await freshDirectory()
  await using server = await createServer({ data, synchronous: 'normal' })
  await seedWorkspace(server)
  return data
}

test('config print shows the source of every setting and masks secrets', async () => {
  const environment = { SERVICE_RATE_LIMIT: '600', SERVICE_ADMIN_TOKEN: 'hunter2_hunter2_hunter2', SERVICE_DATA: '/x' }
  const { code, stdout } = await runHere(['config', 'print', '--json', '--data', '/y'], environment)
  expect(code).toBe(0)
  const shown = new Map(JSON.parse(stdout).map((each: { setting: string }) => [each.setting, each]))
  expect(shown.get('SERVICE_RATE_LIMIT')).toMatchObject({ value: 600, source: 'environment' })
  expect(shown.get('SERVICE_DATA')).toMatchObject({ value: '/y', source: 'flag' })
  expect(shown.get('SERVICE_BACKUP_KEEP')).toMatchObject({ value: 7, source: 'default' })
  expect(shown.get('SERVICE_ADMIN_TOKEN')).toMatchObject({ value: '***', source: 'environment' })
  expect(shown.get('SERVICE_BACKUP_DIRECTORY')).toMatchObject({ value: '/y/backups', source: 'data directory' })
  expect(shown.get('SERVICE_ENCRYPTION_KEY_FILE')).toMatchObject({
    value: '/y/encryption.key',
    source: 'data directory',
  })
  expect(stdout).not.toContain('hunter2')
  const configured = await runHere(['config', 'print', '--data', '/y'], { SERVICE_ENCRYPTION_KEY: 'hunter2'.repeat(6) })
  expect(configured.stdout).toMatch(/SERVICE_ENCRYPTION_KEY +\*\*\* +environment\n/)
  expect(configured.stdout).toMatch(/SERVICE_ENCRYPTION_KEY_FILE +default\n/)
})

test('config print says which settings come from the database that the data directory names', async () => {
  const data = await freshDirectory()
  const given = { databaseUrl: 'postgres://u@127.0.0.1:1/x', namedStatements: 'false', files: {} }
  writeKnownDatabase(data, given)
  const print = (words: string[], settings = {}) => runHere(['config', 'print', '--data', data, ...words], settings)
  const { stdout } = await print([])
  expect(stdout).toMatch(/SERVICE_DATABASE_URL +\*\*\* +data directory\n/)
  expect(stdout).toMatch(/SERVICE_DATABASE_DIRECT_URL +default\n/)
  expect(stdout).toMatch(/SERVICE_NAMED_STATEMENTS +false +data directory\n/)
  expect((await print([], { SERVICE_NAMED_STATEMENTS: 'true' })).stdout).toMatch(
    /SERVICE_NAMED_STATEMENTS +true +environment\n/,
  )
  const other = await print(['--database-url', 'postgres://u@127.0.0.1:1/y'])
  expect(other.stdout).toMatch(/SERVICE_DATABASE_DIRECT_URL +\*\*\* +flag\n/)
  expect(other.stdout).toMatch(/SERVICE_NAMED_STATEMENTS +true +default\n/)
})

test('doctor accepts an intact directory, in use or not, and reports problems', async () => {
  const data = await usedDirectory()
  expect(await runHere(['doctor', '--data', data])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/schema +ok/),
  })
  const server = await createServer({ data, synchronous: 'normal' })
  onTestFinished(() => server.close())
  expect((await runHere(['doctor', '--data', data])).stdout).toContain(`held by process ${process.pid}`)
  const missing = await runHere(['doctor', '--data', `${data}/missing`])
  expect(missing).toMatchObject({ code: 1, stdout: expect.stringMatching(/directory +problem/) })
  const down = await runHere(['doctor', '--json'], {
    SERVICE_DATABASE_URL: 'postgres://u@127.0.0.1:1/x',
    SERVICE_DATA: data,
  })
  expect(down.code).toBe(1)
  expect(JSON.parse(down.stdout)).toContainEqual(expect.objectContaining({ check: 'database', verdict: 'problem' }))
})

/** All files in a directory with their bytes. */
const contentOf = (directory: string) =>
  readdirSync(directory).map((name) => {
    const path = join(directory, name)
    return [name, statSync(path).isDirectory() ? '' : readFileSync(path, 'base64')]
  })

test('doctor creates no directory, database, schema, or file', async () => {
  const parent = await freshDirectory()
  const missing = join(parent, 'not here')
  const start = `"service-server start --data '${missing}'" creates it`
  expect(await runHere(['doctor', '--data', missing])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(start),
  })
  expect(readdirSync(parent)).toEqual([])
  const empty = await freshDirectory()
  expect((await runHere(['doctor', '--data', empty])).stdout).toMatch(/database +problem +There is no platform in/)
  expect(readdirSync(empty)).toEqual([])
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const onPostgres = await runHere(['doctor', '--data', empty, '--database-url', url])
  expect(onPostgres.stdout).toMatch(
    /database +problem +There is no platform in the database postgres:\/\/\w+@127\.0\.0\.1/,
  )
  expect(readdirSync(empty)).toEqual([])
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(() => tables.close())
  expect(await tables.rows("select 1 from pg_class where relnamespace = 'public'::regnamespace")).toEqual([])
  const data = await usedDirectory()
  const before = contentOf(data)
  expect((await runHere(['doctor', '--data', data])).code).toBe(0)
  expect(contentOf(data)).toEqual(before)
})

test('commands and the first start on an empty PostgreSQL database leave no errors in its log', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  const settings = { SERVICE_DATABASE_URL: proxy.url, SERVICE_DATA: await freshDirectory() }
  expect(await runHere(['doctor'], settings)).toMatchObject({ code: 1 })
  const server = runCli(['start', '--port', '0', '--json'], settings)
  await server.firstLine
  expect(await runHere(['doctor'], settings)).toMatchObject({ code: 0 })
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(proxy.errors).toEqual([])
})

test.each([
  [['backup']],
  [['workspace', 'list']],
  [['setup', '--workspace', 'A', '--name', 'B', '--email', 'b@acme.example', '--wait', '0']],
  [['upgrade']],
  [['upgrade', '--check']],
  [['db', 'stats']],
  [['prune', '--yes']],
  [['rotate-key', '--yes']],
])('%s refuses a directory and a database without a platform, and creates nothing there', async (words) => {
  const data = await freshDirectory()
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(() => tables.close())
  // A table of another program.
  await tables.rows('create table migrations (id integer primary key, migration text)')
  const other = await freshDirectory()
  const database = new SqliteDatabase(join(other, 'service.db'))
  database.exec('create table migrations (id integer primary key, migration text)')
  database.close()
  const before = contentOf(other)
  for (const environment of [
    { SERVICE_DATA: data },
    { SERVICE_DATA: other },
    { SERVICE_DATA: data, SERVICE_DATABASE_URL: url },
  ])
    expect(await runHere(words, environment)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no platform in .+\. Create one with service-server start.*\n$/),
    })
  expect(readdirSync(data)).toEqual([])
  expect(contentOf(other)).toEqual(before)
  expect(
    await tables.rows("select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"),
  ).toEqual([{ relname: 'migrations' }])
})

test('commands find a server on PostgreSQL through its data directory, which a second server may share', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const data = await freshDirectory()
  const environment = { SERVICE_DATABASE_URL: url }
  const start = () => runCli(['start', '--port', '0', '--json', '--data', data], environment)
  const server = start()
  const { base_url } = JSON.parse(await server.firstLine)
  const second = start()
  const { listen_url: secondUrl } = JSON.parse(await second.firstLine)
  onTestFinished(async () => {
    for (const { child, ended } of [server, second]) {
      child.kill('SIGKILL')
      await ended
    }
    await drop()
  })
  expect((await runHere(['healthcheck', '--data', data])).stdout).toBe(`${new URL(base_url).origin} is ready.\n`)
  const ofSecond = { SERVICE_PORT: new URL(secondUrl).port }
  const secondIsReady = { code: 0, stdout: `${secondUrl} is ready.\n` }
  expect(await runHere(['healthcheck', '--data', data], ofSecond)).toMatchObject(secondIsReady)
  expect(await runHere(['workspace', 'create', '--name', 'Acme', '--data', data])).toMatchObject({ code: 0 })
  expect((await runHere(['workspace', 'list', '--data', data])).stdout).toContain('Acme')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(await runHere(['healthcheck', '--data', data], ofSecond)).toMatchObject(secondIsReady)
  expect(readdirSync(data)).not.toContain('server.json')
})

test.each([
  ['a file', (path: string) => writeFileSync(path, '')],
  ['a link to /missing/disk, which is missing', (path: string) => symlinkSync('/missing/disk', path)],
])(
  'a backup directory below %s is reported by doctor, warned about at the start, and refused with a schedule',
  async (what, create) => {
    const data = await usedDirectory()
    const above = join(await freshDirectory(), 'above')
    create(above)
    const environment = { SERVICE_DATA: data, SERVICE_BACKUP_DIRECTORY: join(above, 'backups') }
    const fault = `${above} is ${what}, so no backup can be written to ${above}/backups. Make the directory writable`
    const doctor = await runHere(['doctor', '--json'], environment)
    expect(doctor.code).toBe(1)
    expect(JSON.parse(doctor.stdout)).toContainEqual({
      check: 'backups',
      verdict: 'problem',
      detail: expect.stringContaining(fault),
    })
    const refused = await runHere(['start', '--port', '0'], { ...environment, SERVICE_BACKUP_EVERY: '1d' })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(fault) })
    const server = runCli(['start', '--port', '0', '--json'], environment)
    await server.firstLine
    expect(server.said.stderr).toContain(fault)
  },
)

test('a server keeps running when its output pipes are closed', async () => {
  const data = await freshDirectory()
  const server = runCli(['start', '--port', '0', '--json', '--data', data])
  const { base_url } = JSON.parse(await server.firstLine)
  server.child.stdout?.destroy()
  server.child.stderr?.destroy()
  for (let count = 0; count < 5; count += 1)
    expect((await fetch(`${base_url}/workspaces/1/tickets`)).status, `request ${count}`).toBe(401)
  server.child.kill('SIGTERM')
  expect(await once(server.child, 'exit')).toEqual([0, null])
})

test('environment problems name the variable, and field errors name the flag', async () => {
  const data = await usedDirectory()
  const list = ['workspace', 'list', '--data', data]
  expect(await runHere(list, { SERVICE_RATE_LIMIT: 'lots' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SERVICE_RATE_LIMIT must be'),
  })
  for (const command of [list, ['healthcheck', '--data', data]])
    expect(await runHere(command, { SERVICE_URL: 'localhost:8080' })).toMatchObject({
      code: 2,
      stderr: 'SERVICE_URL must be the address of a platform such as http://127.0.0.1:8080; it is localhost:8080.\n',
    })
  const plain = await listenInTest(createHttpServer((_, response) => void response.end()))
  expect(await runHere(list, { SERVICE_URL: `https://127.0.0.1:${plain}`, SERVICE_ADMIN_TOKEN: 'x' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Pass an address with http:// for a platform without TLS'),
  })
  const asked = { SERVICE_URL: 'http://127.0.0.1:1', SERVICE_ADMIN_TOKEN_FILE: join(data, 'none') }
  expect((await runHere(list, asked)).stderr).toBe('SERVICE_ADMIN_TOKEN_FILE must name a file that can be read.\n')
  const create = ['token', 'create', '--workspace', '1', '--data', data]
  expect(await runHere(create)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("required option '--scopes <names>' not specified"),
  })
  expect(await runHere([...create, '--scopes', 'tickets:read'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^ {2}--user: .+$/m),
  })
})

test('commands find a platform on PostgreSQL by its data directory, which never holds the password', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const data = await freshDirectory()
  const at = ['--data', data]
  const server = runCli(['start', '--port', '0', '--json', ...at], { SERVICE_DATABASE_URL: url })
  await server.firstLine
  const facts = (await runHere(['doctor', ...at], { PGPASSWORD: new URL(url).password })).stdout
  expect(facts).toMatch(/directory +ok.+\nmode +ok +700\ndisk +ok.+\nlock +ok +held by process/)
  expect(facts).toContain(`held by process ${server.child.pid}`)
  const created = await runHere(['workspace', 'create', '--name', 'Acme', ...at])
  expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining('Acme') })
  server.child.kill('SIGINT')
  await server.ended
  const { database_url: known } = JSON.parse(readFileSync(join(data, 'database.json'), 'utf8'))
  const { host, password: secret } = new URL(url)
  expect(new URL(known.url)).toMatchObject({ host, password: '' })
  expect((await runHere(['doctor', ...at])).stdout).toContain('asks for a password, and the database URL has none')
  const password = { PGPASSWORD: secret }
  const doctor = await runHere(['doctor', ...at], password)
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/database +ok +postgres/) })
  const file = join(data, 'monday.backup')
  for (const command of [
    ['workspace', 'list'],
    ['upgrade', '--check'],
    ['db', 'stats'],
    ['prune', '--yes'],
    ['backup', file],
  ])
    expect(await runHere([...command, ...at], password), command.join(' ')).toMatchObject({ code: 0, stderr: '' })
  expect((await runHere(['workspace', 'list', ...at], password)).stdout).toContain('Acme')
  expect((await runHere(['config', 'print', ...at])).stdout).toMatch(/SERVICE_DATABASE_URL +\*\*\* +data directory/)
  expect(await runHere(['restore', file, '--yes', ...at], password)).toMatchObject({ code: 1 })
  const { url: other, drop: dropOther } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(dropOther)
  const restored = await freshDirectory()
  copyFileSync(join(data, 'encryption.key'), join(restored, 'encryption.key'))
  const into = ['restore', file, '--yes', '--data', restored]
  expect(await runHere(into, { SERVICE_DATABASE_URL: other })).toMatchObject({ code: 0 })
  expect(await runHere(['workspace', 'list', '--data', restored], password)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Acme'),
  })
  const again = runCli(['start', '--port', '0', '--json', ...at], password)
  expect(JSON.parse(await again.firstLine)).toMatchObject({ workspaces: [{ name: 'Acme' }] })
  again.child.kill('SIGINT')
  await again.ended
  expect(existsSync(join(data, 'service.db'))).toBe(false)
})

test('a start on PostgreSQL that is killed in its first migration is found by its data directory, and a refused one is not', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const data = await freshDirectory()
  const words = ['start', '--port', '0', '--json', '--data', data]
  const unreachable = { SERVICE_DATABASE_URL: 'postgres://u@127.0.0.1:1/x', SERVICE_DATABASE_START_TIMEOUT_MS: '0' }
  expect((await runHere(words, unreachable)).code).toBe(1)
  expect(readdirSync(data)).not.toContain('database.json')
  const migrating = new pg.Client({ connectionString: url })
  await migrating.connect()
  await migrating.query('select pg_advisory_lock(7236411)')
  const killed = runCli(words, { SERVICE_DATABASE_URL: url })
  await expect.poll(() => readdirSync(data)).toContain('database.json')
  killed.child.kill('SIGKILL')
  await killed.ended
  await migrating.end()
  const password = { PGPASSWORD: new URL(url).password }
  expect((await runHere(['workspace', 'list', '--data', data], password)).stderr).toMatch(
    /^There is no platform in the database postgres:/,
  )
  const again = runCli(words, password)
  await again.firstLine
  expect((await runHere(['workspace', 'list', '--data', data], {})).code).toBe(0)
  again.child.kill('SIGINT')
  await again.ended
  expect(readdirSync(data)).not.toContain('service.db')
})

test('a start warns if its directory has the key of a platform and the database has no tables, as in another schema', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const data = await freshDirectory()
  const startOn = async (databaseUrl: string) => {
    const { child, firstLine, said, ended } = runCli(['start', '--port', '0', '--json', '--data', data], {
      SERVICE_DATABASE_URL: databaseUrl,
    })
    await firstLine
    child.kill('SIGINT')
    await ended
    return said.stderr
  }
  const warning = 'has an encryption key and its PostgreSQL database has no tables, so a new platform begins.'
  for (const _ of ['first', 'second']) expect(await startOn(url)).not.toContain(warning)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create schema other')
  await client.end()
  expect(await startOn(`${url}?options=-csearch_path%3Dother`)).toContain(`${data} ${warning}`)
})

test.each(onDisk)('setup waits for a server on %s that is starting', async (store) => {
  const data = await freshDirectory()
  const settings: Record<string, string> = {}
  if (store === 'postgres') {
    const { url, drop } = await createDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    settings['SERVICE_DATABASE_URL'] = url
  }
  const setup = runHere(
    ['setup', '--workspace', 'A', '--name', 'B', '--email', 'b@a.example', '--data', data],
    settings,
  )
  const server = runCli(['start', '--port', '0', '--json', '--data', data], settings)
  expect(await setup).toMatchObject({ code: 0, stdout: expect.stringContaining('b@a.example') })
  server.child.kill('SIGINT')
  await server.ended
})

test('a data directory names the file of a database URL, and a missing one is reported with both paths', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const data = await freshDirectory()
  const file = join(await freshDirectory(), 'database-url')
  writeFileSync(file, url, { mode: 0o600 })
  const server = runCli(['start', '--port', '0', '--json', '--data', data], { SERVICE_DATABASE_URL_FILE: file })
  await server.firstLine
  server.child.kill('SIGINT')
  await server.ended
  expect(await runHere(['doctor', '--data', data])).toMatchObject({ code: 0 })
  rmSync(file)
  const { code, stderr } = await runHere(['doctor', '--data', data])
  writeFileSync(join(data, 'database.json'), '{')
  expect(await runHere(['doctor', '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${join(data, 'database.json')} cannot be read. Set SERVICE_DATABASE_URL`),
  })
  expect(code).toBe(2)
  expect(stderr).toContain(file)
  expect(stderr).toContain(join(data, 'database.json'))
})

test.each(onDisk)('doctor names the missing backup directory and key file of a platform on %s', async (store) => {
  const { options, remove } = await createStorage(store)
  onTestFinished(remove)
  const data = options.data ?? (await freshDirectory())
  await (await createServer({ ...options, encryptionKeyFile: join(data, 'encryption.key') })).close()
  const settings = {
    SERVICE_DATA: data,
    ...(options.databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: String(options.databaseUrl) }),
  }
  const { stdout } = await runHere(['doctor'], settings)
  expect(stdout).toMatch(/key +ok +[0-9a-f]{16}/)
  expect(stdout).toContain(`${join(data, 'backups')} does not exist; the first backup creates it`)
  rmSync(join(data, 'encryption.key'))
  expect(await runHere(['doctor'], settings)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/key +problem +no file, but this platform has encrypted secrets/),
  })
})

test('doctor reports an admin token that the next start refuses, with the remedy', async () => {
  const data = await usedDirectory()
  const file = join(data, 'admin-token')
  expect((await runHere(['doctor', '--data', data])).stdout).toMatch(
    /admin token +ok +no file; the next start creates one/,
  )
  writeFileSync(file, '', { mode: 0o600 })
  const remedy = `The admin token in ${file} is empty. Delete the file: the next start creates a new one.`
  expect(await runHere(['doctor', '--data', data])).toMatchObject({ code: 1, stdout: expect.stringContaining(remedy) })
  const start = await runHere(['start', '--port', '0', '--data', data])
  expect(start).toMatchObject({ code: 1, stderr: expect.stringContaining(remedy) })
  const configured = { SERVICE_ADMIN_TOKEN: 'x'.repeat(40) }
  expect((await runHere(['doctor', '--data', data], configured)).stdout).not.toContain('admin token')
})

test('doctor reports a missing key as a problem if it cannot open the database that the directory names', async () => {
  const data = await freshDirectory()
  writeKnownDatabase(data, { databaseUrl: 'postgres://u@127.0.0.1:1/x', files: {} })
  expect((await runHere(['doctor', '--data', data])).stdout).toMatch(
    /key +problem +no file, but the platform may have encrypted secrets: its database cannot be opened\ndatabase +problem/,
  )
  const unnamed = await freshDirectory()
  expect((await runHere(['doctor', '--data', unnamed])).stdout).toMatch(/key +ok +no file; the first start of a new/)
})

test('a list of the command line that is empty says so', async () => {
  const data = await usedDirectory()
  const { stdout } = await runHere(['webhook', 'list', '--data', data])
  expect(stdout).toBe('No webhook.\n')
  expect((await runHere(['webhook', 'jobs', '--data', data])).stdout).toBe('The list is empty.\n')
})

test('a page of a filtered list on the command line that is empty names the next one', async () => {
  const server = createHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"next_before":2001}')
  })
  const port = await listenInTest(server)
  const { stdout } = await runHere(['delivery', 'list', '--state', 'retrying', '--url', `http://127.0.0.1:${port}`], {
    SERVICE_ADMIN_TOKEN: 'a'.repeat(30),
  })
  expect(stdout).toBe('No delivery.\nThere may be more: --before 2001\n')
})

test.each(onDisk)(
  'upgrade --check shows what each pending migration does on %s, changes nothing, and exits with 1',
  async (name) => {
    const place = await createStorage(name)
    onTestFinished(place.remove)
    const { data, databaseUrl } = place.options
    const at = databaseUrl === undefined ? ['--data', `${data}`] : ['--database-url', databaseUrl]
    await using server = await createServer({ ...place.options, synchronous: 'normal' })
    const { workspace } = await seedWorkspace(server)
    await server.admin.leads.create({ workspace: workspace.id }, { name: 'Ada Obi', source: 'website' })
    await server.close()
    const tables = await openTables(place.options)
    // As an older version left it.
    await tables.rows("delete from migrations where name >= '0020'")
    await tables.close()
    const checked = await runHere(['upgrade', '--check', '--json', ...at])
    expect(checked).toMatchObject({ code: 1, stderr: '' })
    const plan = JSON.parse(checked.stdout)
    expect(plan).toMatchObject({ latest: '0019-delivery-order-only', rolling: false })
    expect(plan.pending).toContainEqual({
      name: '0020-volume-indexes',
      tables: expect.arrayContaining([{ table: 'tasks', rows: 0 }]),
      locks: name === 'postgres' ? 'none' : 'brief',
      seconds: 0,
    })
    expect(plan.pending.find((one: { name: string }) => one.name === '0031-record-search')).toMatchObject({
      tables: expect.arrayContaining([{ table: 'leads', rows: 1 }]),
      ...(name === 'postgres' ? { locks: 'none', seconds: 0 } : { locks: 'rows', seconds: 1 }),
    })
    expect((await runHere(['upgrade', '--check', ...at])).stdout).toContain(
      name === 'postgres' ? 'Stop all servers before the first one' : 'Stop the server, and start the new version',
    )
    expect(JSON.parse((await runHere(['upgrade', '--check', '--json', ...at])).stdout)).toEqual(plan)
  },
)

test.each(['--data', '--database-url'])('an empty %s is refused instead of the default place', async (option) => {
  expect(await runHere(['restore', 'monday.backup', option, '', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${option} is empty. Name one, or leave ${option} out for the default.`),
  })
})

test.each(onDisk)(
  'healthcheck exits with 0 while the platform on %s is ready, and with 1 if it is stopped',
  async (store) => {
    const data = await freshDirectory()
    const { options, remove } = await createStorage(store)
    onTestFinished(remove)
    const database = options.databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: options.databaseUrl }
    const server = runCli(['start', '--port', '0', '--json', '--data', data], database)
    const { listen_url } = JSON.parse(await server.firstLine)
    expect(await runHere(['healthcheck', '--data', data])).toMatchObject({
      code: 0,
      stdout: `${listen_url} is ready.\n`,
    })
    server.child.kill('SIGTERM')
    await server.ended
    expect(await runHere(['healthcheck', '--data', data])).toMatchObject({
      code: 1,
      stderr: `No server runs on ${data}. Start it, or pass --url.\n`,
    })
  },
)

test('healthcheck asks SERVICE_PORT if a directory has no platform, and no other port if it has one on SQLite', async () => {
  const data = await usedDirectory()
  const port = { SERVICE_PORT: '1' }
  expect((await runHere(['healthcheck', '--data', data], port)).stderr).toContain(`No server runs on ${data}.`)
  expect(await runHere(['healthcheck', '--data', join(data, 'none')], port)).toMatchObject({
    code: 1,
    stderr: 'http://127.0.0.1:1 does not respond.\n',
  })
})

test('db stats prints table sizes, prune requires --yes, openapi prints the documents', async () => {
  const data = await usedDirectory()
  expect((await runHere(['db', 'stats', '--data', data])).stdout).toMatch(/^members +1 +\d+$/m)
  expect(await runHere(['prune', '--data', data])).toMatchObject({ code: 2 })
  expect(await runHere(['prune', '--data', data, '--yes'])).toMatchObject({
    code: 0,
    stdout: 'No rows were past their retention period.\n',
  })
  const server = runCli(['start', '--port', '0', '--json', '--data', data])
  await server.firstLine
  const beside = await runHere(['prune', '--data', data, '--yes', '--json'])
  expect([beside.code, beside.stdout]).toEqual([0, '{"removed":0}\n'])
  expect(JSON.parse((await runHere(['openapi'])).stdout).paths).toHaveProperty([
    '/api/v1/workspaces/{workspace}/tickets',
  ])
  expect(JSON.parse((await runHere(['openapi', '--admin'])).stdout).paths).toHaveProperty(['/admin/v1/system'])
})

test.each(onDisk)(
  'rotate-key asks, re-encrypts everything on %s while it runs, and keeps the old key for older backups',
  async (store) => {
    const { options: place, remove } = await createStorage(store)
    onTestFinished(remove)
    const data = place.data ?? (await freshDirectory())
    const options = { ...place, encryptionKeyFile: join(data, 'encryption.key') }
    const server = await createServer({ ...options, adminToken: 'a'.repeat(30) })
    onTestFinished(() => server.close())
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const hook = { url: 'https://hooks.example/x', events: ['*' as const], headers: { 'x-team': 'a' } }
    for (let count = 0; count < 150; count += 1) await server.admin.webhooks.create(at, hook)
    await server.admin.integrations.update({ ...at, integration: 'github' }, { enabled: true, secret: 'the secret' })
    await server.admin.leadSources.rotateSecret({ ...at, source: 'whatsapp' })
    const key = () => readFileSync(join(data, 'encryption.key'), 'utf8')
    const before = key()
    const { url } = await server.listen({ port: 0 })
    const rotate = ['rotate-key', '--json', '--url', url, '--admin-token', 'a'.repeat(30)]
    expect(await runHere(rotate)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Pass --yes') })
    expect(key()).toBe(before)
    const rotated = await runHere([...rotate, '--yes'])
    expect(rotated).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(rotated.stdout)).toMatchObject({ remaining: 0, reencrypted: 452 })
    expect(key()).not.toContain(before.trim())
    expect(key().trim().split('\n')).toHaveLength(1)
    const kept = readdirSync(data).find((name) => /^encryption\.key\.[0-9a-f]{16}$/.test(name)) ?? ''
    expect(readFileSync(join(data, kept), 'utf8')).toBe(before)
    expect((await server.admin.webhooks.list(at)).data[0]?.url).toBe('https://hooks.example/x')
    await server.close()
    await using again = await createServer(options)
    expect((await again.admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example/x')
  },
)

test('a configured key is rotated by configuring the previous one', async () => {
  const data = await freshDirectory()
  const [old, fresh] = ['o'.repeat(40), 'f'.repeat(40)] as const
  const at = { workspace: 1 }
  {
    await using server = await createServer({ data, synchronous: 'normal', encryptionKey: old })
    await seedWorkspace(server)
    await server.admin.webhooks.create(at, { url: 'https://hooks.example/x', events: ['*'] })
    await expect(Promise.resolve(server.admin.encryptionKey.rotate())).rejects.toMatchObject({ status: 409 })
  }
  {
    const keys = { encryptionKey: fresh, previousEncryptionKeys: [old] }
    await using server = await createServer({ data, synchronous: 'normal', ...keys })
    expect((await server.admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example/x')
    expect(await server.admin.encryptionKey.rotate()).toMatchObject({ remaining: 2 })
    expect(await server.admin.encryptionKey.reencrypt()).toMatchObject({ remaining: 0 })
  }
  await using server = await createServer({ data, synchronous: 'normal', encryptionKey: fresh })
  expect((await server.admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example/x')
})

test.each(onDisk)(
  'rotate-key --admin-token-file immediately replaces the token of a running platform on %s',
  async (store) => {
    const data = await freshDirectory()
    const { options, remove } = await createStorage(store)
    onTestFinished(remove)
    const database = options.databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: options.databaseUrl }
    const server = runCli(['start', '--port', '0', '--json', '--data', data], database)
    const { base_url, admin_token_file: file } = JSON.parse(await server.firstLine)
    const before = readFileSync(file, 'utf8').trim()
    const status = async (token: string) =>
      (await fetch(new URL('/admin/v1/workspaces', base_url), { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status(before)).toBe(200)
    const rotated = await runHere(['rotate-key', '--admin-token-file', '--yes', '--data', data])
    expect(rotated.code).toBe(0)
    expect(await status(before)).toBe(401)
    expect(await status(readFileSync(file, 'utf8').trim())).toBe(200)
  },
)

test('what root creates in a data directory belongs to the owner of the directory', async () => {
  const data = await freshDirectory()
  await (await createServer({ data, synchronous: 'normal' })).close()
  writeFileSync(join(data, 'admin-token'), 'a'.repeat(30), { mode: 0o600 })
  // Only root can give files away. Everybody else owns what they create.
  const owner = process.getuid?.() === 0 ? 4242 : process.getuid?.()
  if (owner !== undefined)
    for (const path of [data, ...readdirSync(data).map((name) => join(data, name))])
      chownSync(path, owner, statSync(path).gid)
  const run = async (...words: string[]) => expect((await runHere([...words, '--data', data])).code).toBe(0)
  await run('rotate-key', '--admin-token-file', '--yes')
  await run('backup')
  const [backup = ''] = readdirSync(join(data, 'backups'))
  await run('restore', join(data, 'backups', backup), '--yes')
  const owners = readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => [
    name,
    statSync(join(data, name)).uid,
  ])
  expect(owners.map(([name]) => name)).toContain(`backups/${backup}`)
  expect(owners).toEqual(owners.map(([name]) => [name, owner]))
})

test('a printed link includes the address of the platform, or its public URL if set', async () => {
  const data = await freshDirectory()
  const server = await createServer({ data, synchronous: 'normal', adminToken: 'a'.repeat(30) })
  onTestFinished(() => server.close())
  const { member } = await seedWorkspace(server)
  const { url } = await server.listen({ port: 0 })
  const reset = ['user', 'reset-password', String(member.id), '--url', url, '--admin-token', 'a'.repeat(30)]
  expect((await runHere(reset)).stdout).toContain(`\n\n${url}/reset-password?code=`)
  const named = { SERVICE_PUBLIC_URL: 'https://work.example/base/' }
  expect((await runHere(reset, named)).stdout).toContain('\n\nhttps://work.example/base/reset-password?code=')
  expect(JSON.parse((await runHere([...reset, '--json'], named)).stdout).link).toContain(
    'https://work.example/base/reset-password?code=',
  )
})

test('commands accept the address of a platform with a slash at the end, and one behind a sub-path', async () => {
  const data = await freshDirectory()
  const server = await createServer({ data, synchronous: 'normal', adminToken: 'a'.repeat(30) })
  onTestFinished(() => server.close())
  const { member } = await seedWorkspace(server)
  const { url } = await server.listen({ port: 0 })
  const proxy = createHttpServer((request, response) => {
    const path = request.url?.match(/^\/sub(\/.*)$/)?.[1]
    if (path === undefined) return void response.writeHead(404).end()
    const { method, headers } = request
    request.pipe(
      sendRequest(`${url}${path}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  const port = await listenInTest(proxy)
  const at = (address: string) => ({ SERVICE_URL: address, SERVICE_ADMIN_TOKEN: 'a'.repeat(30) })
  const commands = [['user', 'list'], ['db', 'stats'], ['healthcheck'], ['user', 'reset-password', `${member.id}`]]
  for (const address of [`${url}/`, `http://127.0.0.1:${port}/sub`, `http://127.0.0.1:${port}/sub/`])
    for (const words of commands) {
      expect(await runHere([...words, '--url', address], at('')), words.join(' ')).toMatchObject({ code: 0 })
      const { code, stdout } = await runHere(words, at(address))
      expect(code, words.join(' ')).toBe(0)
      if (stdout.includes('?code=')) expect(stdout).toContain(`${address.replace(/\/$/, '')}/reset-password?code=`)
    }
})

test.each(onDisk)(
  'a server on %s with a public URL says where it listens, and commands print links with the public URL',
  async (store) => {
    const { options, remove } = await createStorage(store)
    onTestFinished(remove)
    const data = options.data ?? (await freshDirectory())
    const start = (...words: string[]) =>
      runCli(['start', '--port', '0', '--data', data, ...words], {
        SERVICE_PUBLIC_URL: 'https://desk.example.com/base/',
        ...(options.databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: String(options.databaseUrl) }),
      })
    const server = start('--json')
    const { listen_url, base_url, setup_url } = JSON.parse(await server.firstLine)
    expect((await fetch(`${listen_url}/readyz`)).status).toBe(200)
    expect(base_url).toBe('https://desk.example.com/base/api/v1')
    expect(setup_url).toMatch(/^https:\/\/desk\.example\.com\/base\/setup\?code=/)
    await expect.poll(() => server.said.stderr).toContain(`The platform listens on ${listen_url}.`)
    const link = async (words: string, settings = {}) => {
      const { stdout, stderr } = await runHere([...words.split(' '), '--data', data, '--json'], settings)
      expect(stderr).toBe('')
      return JSON.parse(stdout).link
    }
    await link('workspace create --name Acme')
    await link('member create --name Ada --email ada@acme.example')
    for (const words of ['setup-link create', 'user reset-password 1', 'user sign-in-link 1', 'invitation create 1']) {
      expect(await link(words)).toMatch(/^https:\/\/desk\.example\.com\/base\/[\w-]+\?code=/)
      expect(await link(`${words} --url ${listen_url}`)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+\?code=/)
    }
    const own = { SERVICE_PUBLIC_URL: 'https://work.example' }
    expect(await link('setup-link create', own)).toMatch(/^https:\/\/work\.example\/setup\?code=/)
    server.child.kill('SIGINT')
    await server.ended
    const described = start()
    await expect
      .poll(() => described.said.stdout)
      .toMatch(/running on https:\S+base .+\n\n {2}Listens on +http:\/\/127/)
    described.child.kill('SIGINT')
    await described.ended
  },
)

test('a misread body is previewed with a draft mapping, fixed, and replayed', async () => {
  const data = await usedDirectory()
  const file = (name: string, content: unknown) => {
    writeFileSync(join(data, name), JSON.stringify(content))
    return join(data, name)
  }
  const sent = { svc: { id: 'shop' }, level: 'error', notice: 'No stock left' }
  const secret = await (async () => {
    await using server = await createServer({ data, synchronous: 'normal' })
    const errors = { workspace: 1, integration: 'errors' } as const
    await server.admin.integrations.update(errors, { enabled: true, mapping: { ignore_when: 'svc' } })
    return (await server.admin.integrations.rotateSecret(errors)).secret
  })()
  await (async () => {
    await using server = await createServer({ data, synchronous: 'normal' })
    const headers = { 'x-service-webhook-secret': secret, 'content-type': 'application/json' }
    await server.fetch('/api/webhooks/1/errors', { method: 'POST', headers, body: JSON.stringify(sent) })
  })()
  const at = ['--workspace', '1', '--data', data]
  const draft = file('draft.json', { fields: { app: 'svc.id' } })
  const body = file('body.json', sent)
  const previewed = await runHere(['integration', 'preview', 'errors', '--body', body, '--mapping', draft, ...at])
  expect(previewed.stdout).toMatch(/^app +\(none\) → "shop" +svc\.id$/m)
  expect(previewed.stdout).toMatch(/^opens +yes/m)
  const colored = file('colored.json', { ...sent, svc: { id: '\u009b31mshop' } })
  const cleaned = await runHere(['integration', 'preview', 'errors', '--body', colored, '--mapping', draft, ...at])
  expect(cleaned.stdout).not.toContain('\u009b')
  expect((await runHere(['integration', 'mapping', 'errors', '--set', draft, ...at])).stdout).toContain(
    '"app": "svc.id"',
  )
  const marked = join(dirname(draft), 'marked.json')
  writeFileSync(marked, `\uFEFF${readFileSync(draft, 'utf8')}`)
  expect(await runHere(['integration', 'mapping', 'errors', '--set', marked, ...at])).toMatchObject({ code: 0 })
  writeFileSync(marked, '{"fields"')
  expect(await runHere(['integration', 'mapping', 'errors', '--set', marked, ...at])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/marked\.json is not JSON: .+position 9/),
  })
  expect(await runHere(['inbound-delivery', 'list', '--integration', 'website', ...at])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--integration'),
  })
  const kept = await runHere(['integration', 'preview', 'errors', '--delivery', '1', '--json', ...at])
  expect(kept).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(kept.stdout)).toMatchObject({ data: [{ mapped: [{ field: 'app', to: 'shop' }] }] })
  expect((await runHere(['inbound-delivery', 'replay', '1', ...at])).stdout).toMatch(/^ticket_id +1$/m)
  const wrong = file('wrong.json', { fields: { app: 'a ==' } })
  expect(await runHere(['integration', 'mapping', 'errors', '--set', wrong, ...at])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('mapping.fields.app: The expression is not valid JMESPath'),
  })
  expect(await runHere(['integration', 'preview', 'errors', ...at])).toMatchObject({ code: 2 })
})
