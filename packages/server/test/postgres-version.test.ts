import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { freshDirectory } from './cli-process.ts'
import { startDatabaseProxy } from './database-proxy.ts'
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
    return Object.values((await client.query(statement)).rows[0]).join()
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
