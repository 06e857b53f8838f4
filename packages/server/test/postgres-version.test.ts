import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { freshDirectory } from './fresh-directory.ts'
import { createDatabase, createEmptyDatabase } from './postgres-databases.ts'

// The database answers through a proxy that changes only the version number.

const refusal = /PostgreSQL at 127\.0\.0\.1:\d+ is version 14\.11, and the platform needs 15 or later\. Upgrade it/

async function startOldDatabase() {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const proxy = await startDatabaseProxy(url)
  proxy.answerInstead(await ask(url, 'show server_version_num'), '140011')
  return { url, oldUrl: proxy.url }
}

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return [await client.query(statement)]
      .flat()
      .flatMap(({ rows }) => rows.flatMap(Object.values))
      .join()
  } finally {
    await client.end()
  }
}

const countTables = (url: string) => ask(url, "select count(*) from pg_tables where schemaname = 'public'")

async function directoryWithPlatform(): Promise<string> {
  const data = await freshDirectory()
  await (await createServer({ data, synchronous: 'normal' })).close()
  return data
}

test('a start on an outdated PostgreSQL reports the found and the required version', async () => {
  const { url, oldUrl } = await startOldDatabase()
  await expect(createServer({ databaseUrl: oldUrl })).rejects.toThrow(refusal)
  expect(await countTables(url)).toBe('0')
})

test('upgrade, restore, and db copy refuse an outdated PostgreSQL with exit code 1 and write nothing', async () => {
  const { url, oldUrl } = await startOldDatabase()
  const filled = await createDatabase(inject('postgresUrl'))
  onTestFinished(filled.drop)
  const file = join(await freshDirectory(), 'platform.backup')
  expect(await runHere(['backup', file, '--database-url', filled.url])).toMatchObject({ code: 0 })
  const data = await directoryWithPlatform()
  const commands = [
    ['upgrade', '--database-url', oldUrl],
    ['restore', file, '--database-url', oldUrl, '--yes'],
    ['db', 'copy', '--from', data, '--to', oldUrl],
  ]
  for (const command of commands)
    expect(await runHere(command), command.join(' ')).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) })
  expect(await countTables(url)).toBe('0')
})

test('doctor reports an outdated PostgreSQL as a problem', async () => {
  const { oldUrl } = await startOldDatabase()
  const { code, stdout } = await runHere(['doctor', '--database-url', oldUrl])
  expect(code).toBe(1)
  expect(stdout).toMatch(refusal)
})

/** Runs statements as the superuser of the tests. */
async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

test('a database that cannot store every character is refused by each command that would fill it, and by doctor', async () => {
  await administer("create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0")
  onTestFinished(() => administer('drop database latin'))
  const url = new URL(inject('postgresUrl'))
  url.pathname = '/latin'
  const refusal =
    /has the encoding LATIN1, which cannot store every character\. Create one with "createdb --encoding UTF8/
  await expect(createServer({ databaseUrl: url.href })).rejects.toThrow(refusal)
  const data = await directoryWithPlatform()
  for (const command of [
    ['db', 'copy', '--from', data, '--to', url.href],
    ['doctor', '--database-url', url.href],
  ]) {
    const { code, stdout, stderr } = await runHere(command)
    expect(code).toBe(1)
    expect(stdout + stderr).toMatch(refusal)
  }
  expect(await countTables(url.href)).toBe('0')
})

/** A role that can sign in, and a database that belongs to the superuser. */
async function databaseWithRole(role: string, create: typeof createDatabase) {
  const { url, drop } = await create(inject('postgresUrl'))
  await administer(`create role ${role} login password 'x'`)
  onTestFinished(async () => {
    await drop()
    await administer(`drop role ${role}`)
  })
  const own = new URL(url)
  own.username = role
  own.password = 'x'
  return { url, ownUrl: own.href, name: own.pathname.slice(1) }
}

test('a user that may not create tables learns how it may', async () => {
  const { ownUrl } = await databaseWithRole('newcomer', createEmptyDatabase)
  const sentence =
    /^The user of the database URL may not create tables at .*Make it the owner of the database .*PostgreSQL says: permission denied for schema public \(42501\)\.$/
  await expect(createServer({ databaseUrl: ownUrl })).rejects.toThrow(sentence)
  const started = await runHere(['start', '--port', '0'], {
    SERVICE_DATABASE_URL: ownUrl,
    SERVICE_DATA: await freshDirectory(),
    SERVICE_LOG: 'off',
  })
  expect(started.stderr.trimEnd().split('\n').at(-1)).toMatch(sentence)
})

test('start and doctor name the owner of tables that the user of the database URL may not change', async () => {
  const { url, ownUrl, name } = await databaseWithRole('platform', createDatabase)
  await administer(`alter database ${name} owner to platform`)
  const foreign = (denied: string) =>
    `The table ${denied} belongs to the user postgres, and platform, the user of the database URL, may not change it. Use a URL with the user postgres, or give each table to platform ("alter table ${denied} owner to platform").`
  const reason = (denied: string) => `PostgreSQL says: permission denied for table ${denied} (42501).`
  await expect(createServer({ databaseUrl: ownUrl })).rejects.toThrow(foreign('accounts'))
  const doctor = () => runHere(['doctor', '--database-url', ownUrl])
  const unreadable = await doctor()
  expect(unreadable).toMatchObject({ code: 1, stdout: expect.stringContaining(foreign('accounts')) })
  expect(unreadable.stdout).toContain(reason('migrations'))
  await ask(url, 'grant select on all tables in schema public to platform; select 1')
  expect((await doctor()).stdout).toMatch(/^writes +problem +The table accounts belongs to the user postgres/m)
  await ask(url, 'grant insert, update, delete on all tables in schema public to platform; select 1')
  expect((await doctor()).stdout).toMatch(/^writes +ok +allowed$/m)
})
