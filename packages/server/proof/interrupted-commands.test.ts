import { existsSync } from 'node:fs'
import { cp, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer, type ServerOptions } from '../src/index.ts'
import { verifyBackup } from '../src/store/backup/backup-file.ts'
import { withoutPassword } from '../src/store/postgres-faults.ts'
import { runHere } from '../test/cli-in-process.ts'
import { runCli } from '../test/cli-process.ts'
import { freshDirectory } from '../test/fresh-directory.ts'
import { copyDatabase, createEmptyDatabase, hasCitus } from '../test/postgres-databases.ts'
import { openTables } from '../test/tables.ts'
import { killAtEachStep } from './interrupted.ts'

const encryptionKey = 'a key that is only used in tests, of enough characters'
const settings = { SERVICE_ENCRYPTION_KEY: encryptionKey }

const titlesIn = async (data: string) => {
  await using server = await createServer({ data, synchronous: 'normal', encryptionKey })
  const { data: tickets } = await server.admin.tickets.list({ workspace: 1 })
  return tickets.map(({ title }) => title)
}

/** A platform that was killed: its newest ticket is only in the WAL. And a backup from before that ticket. */
async function killedPlatform() {
  const origin = await freshDirectory()
  const data = await freshDirectory()
  const server = await createServer({ data: origin, synchronous: 'normal', encryptionKey })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
  await server.admin.tickets.create({ workspace }, { title: 'Old' })
  const backup = join(await freshDirectory(), 'first.backup')
  expect(await runHere(['backup', backup, '--data', origin], settings)).toMatchObject({ code: 0 })
  await server.close()
  const database = new SqliteDatabase(join(origin, 'service.db'))
  database.prepare("update tickets set title = 'Newest'").run()
  await cp(origin, data, { recursive: true })
  database.close()
  expect(await readdir(data)).toContain('service.db-wal')
  return { data, backup }
}

/** A kill and its consequences take a second. */
const timeout = 600_000

test('a restore killed before any of its steps is completed, repeated, or undone by who comes next', {
  timeout,
}, async () => {
  const { data: origin, backup } = await killedPlatform()
  const kills = await killAtEachStep({
    async prepare() {
      const data = await freshDirectory()
      await cp(origin, data, { recursive: true })
      const restore = ['restore', backup, '--data', data, '--yes']
      return {
        words: restore,
        variables: settings,
        async check(step) {
          const titles = await titlesIn(data).catch(async (refusal: Error) => {
            const [remedy = ''] = /(?<=Run ")service-server restore [^"]+/.exec(refusal.message) ?? []
            expect(remedy, refusal.message).toBe(`service-server restore ${backup} --data ${data}`)
            expect((await runHere(['doctor', '--data', data], settings)).stdout).toContain(refusal.message)
            const next = step % 2 === 0 ? restore : ['restore', '--undo', '--data', data]
            expect(await runHere(next, settings)).toMatchObject({ code: 0, stderr: '' })
            const titles = await titlesIn(data)
            expect(titles).toEqual([step % 2 === 0 ? 'Old' : 'Newest'])
            return titles
          })
          expect([['Old'], ['Newest']]).toContainEqual(titles)
          if (step === 0) expect(titles).toEqual(['Old'])
          const left = await readdir(data)
          expect(left.filter((name) => /restoring|restore\.json|unfinished/.test(name))).toEqual([])
          const [aside] = left.filter((name) => name.startsWith('service.db.before-restore-'))
          if (titles[0] === 'Newest') return expect(aside).toBeUndefined()
          const before = await freshDirectory()
          await cp(join(data, aside ?? ''), join(before, 'service.db'))
          expect(await titlesIn(before)).toEqual(['Newest'])
        },
      }
    },
  })
  expect(kills).toBeGreaterThan(7)
})

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return url
}

const titlesOf = async (place: ServerOptions) => {
  await using server = await createServer({ synchronous: 'normal', encryptionKey, ...place })
  const { data } = await server.admin.tickets.list({ workspace: 1 })
  return data.map(({ title }) => title).toSorted()
}

const tableCount = async (place: ServerOptions) => {
  const tables = await openTables(place)
  try {
    const relations =
      place.data === undefined
        ? "pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
        : 'sqlite_schema'
    const [row] = await tables.rows(`select count(*) as count from ${relations}`)
    return Number(row?.['count'])
  } finally {
    await tables.close()
  }
}

/** Titles of tickets in a platform, and a backup of it. */
async function filledPlatform(place: ServerOptions) {
  await using server = await createServer({ synchronous: 'normal', encryptionKey, ...place })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
  for (const title of ['A', 'B']) await server.admin.tickets.create({ workspace }, { title })
  await server.admin.webhooks.create({ workspace }, { url: 'https://hooks.example/x', events: ['*'] })
}

/** A command that fills a new database. Other commands refuse the database until a second run completes it. */
const filling = (command: readonly string[], place: ServerOptions, says: string) => ({
  words: command,
  variables: settings,
  async check(step: number) {
    const isBegun =
      place.data === undefined ? (await tableCount(place)) > 0 : existsSync(join(place.data, 'service.db'))
    const before =
      isBegun && ((await tableCount(place)) > 0 ? await titlesOf(place).catch((fault: Error) => fault.message) : [])
    if (Array.isArray(before) && before.length > 0) return expect(before).toEqual(['A', 'B'])
    expect(step).toBeGreaterThan(0)
    if (before !== false && !Array.isArray(before)) expect(before).toContain(says)
    const next = await runHere(command, settings)
    expect(next.code, next.stderr).toBe(0)
    expect(await titlesOf(place)).toEqual(['A', 'B'])
  },
})

test.each([
  ['SQLite to PostgreSQL', 12],
  ['PostgreSQL to SQLite', 12],
])(
  'a db copy from %s killed before any of its steps is refused by a start, and completed by the next run',
  { timeout },
  async (name, most) => {
    const sqlite: ServerOptions = { data: await freshDirectory() }
    const postgres: ServerOptions = { databaseUrl: await emptyDatabase() }
    const isToPostgres = name.startsWith('SQLite')
    const source = isToPostgres ? sqlite : postgres
    await filledPlatform(source)
    const kills = await killAtEachStep(
      {
        async prepare() {
          const place: ServerOptions = isToPostgres
            ? { databaseUrl: await emptyDatabase() }
            : { data: await freshDirectory() }
          const [from, to] = [source, place].map(({ data, databaseUrl }) => String(data ?? databaseUrl))
          return filling(
            ['db', 'copy', '--from', String(from), '--to', String(to)],
            place,
            'into this database has not finished, so data is missing. Stop the platform, and run "service-server db copy --from ',
          )
        },
      },
      most,
    )
    expect(kills).toBeGreaterThan(7)
  },
)

test('a restore into PostgreSQL killed before any of its steps is refused by a start, and completed by the next run', {
  timeout,
}, async () => {
  const databaseUrl = await emptyDatabase()
  await filledPlatform({ databaseUrl })
  const backup = join(await freshDirectory(), 'pg.backup')
  expect(await runHere(['backup', backup, '--database-url', databaseUrl], settings)).toMatchObject({ code: 0 })
  await killAtEachStep(
    {
      async prepare() {
        const place = { databaseUrl: await emptyDatabase() }
        return filling(
          ['restore', backup, '--database-url', place.databaseUrl, '--yes'],
          place,
          `A restore of ${backup} into this database has not finished, so it has no data yet. Run "service-server restore ${backup} --database-url ${withoutPassword(place.databaseUrl)}" again`,
        )
      },
    },
    8,
  )
})

test('a backup killed before any of its steps leaves no part behind the next start', { timeout }, async () => {
  const data = await freshDirectory()
  await filledPlatform({ data })
  const kills = await killAtEachStep(
    {
      async prepare() {
        const directory = await freshDirectory()
        const backup = join(directory, 'manual-2026-01-01T00-00-00-000Z.backup')
        return {
          words: ['backup', backup, '--data', data],
          variables: settings,
          async check() {
            await (
              await createServer({ data, encryptionKey, synchronous: 'normal', backupDirectory: directory })
            ).close()
            const left = await readdir(directory)
            expect([[], [basename(backup)]]).toContainEqual(left)
            if (left.length > 0) await verifyBackup(backup)
          },
        }
      },
    },
    8,
  )
  expect(kills).toBeGreaterThan(5)
})

test('a rotation of the key killed before any of its steps leaves every secret readable, and the next one completes it', {
  timeout,
}, async () => {
  const kills = await killAtEachStep(
    {
      async prepare() {
        const data = await freshDirectory()
        const place = { data, synchronous: 'normal' } as const
        {
          await using server = await createServer(place)
          const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
          await server.admin.webhooks.create({ workspace }, { url: 'https://hooks.example/x', events: ['*'] })
        }
        const read = async () => {
          await using server = await createServer(place)
          expect(await server.admin.webhooks.get({ workspace: 1, id: 1 })).toMatchObject({
            url: 'https://hooks.example/x',
          })
        }
        return {
          words: ['rotate-key', '--yes', '--data', data],
          async check() {
            await read()
            const next = await runHere(['rotate-key', '--yes', '--data', data, '--json'], {})
            expect(next.code, next.stderr).toBe(0)
            expect((await readFile(join(data, 'encryption.key'), 'utf8')).trim().split('\n')).toHaveLength(1)
            await read()
            expect((await readdir(data)).filter((name) => name.endsWith('.unfinished'))).toEqual([])
          },
        }
      },
    },
    8,
  )
  expect(kills).toBeGreaterThan(5)
})

test('an upgrade killed before any of its steps is completed by the next start', { timeout }, async () => {
  const key = 'a key for tests, of at least 32 characters'
  const kills = await killAtEachStep(
    {
      async prepare() {
        const data = await freshDirectory()
        const database = new SqliteDatabase(join(data, 'service.db'))
        database.exec(await readFile(new URL('../test/last-release/sqlite.sql', import.meta.url), 'utf8'))
        database.close()
        return {
          words: ['upgrade', '--data', data],
          variables: { SERVICE_ENCRYPTION_KEY: key },
          async check() {
            await using server = await createServer({ data, synchronous: 'normal', encryptionKey: key })
            expect((await server.admin.system.get()).schema.pending).toBe(0)
            expect((await server.admin.tickets.list({ workspace: 1 })).data).toHaveLength(2)
            const backups = await readdir(join(data, 'backups'))
            expect(backups.filter((name) => !name.endsWith('.backup'))).toEqual([])
          },
        }
      },
    },
    8,
  )
  expect(kills).toBeGreaterThan(5)
})

const seededTables = ['workspaces', 'users', 'members', 'projects', 'tickets', 'tasks', 'leads', 'api_tokens']

/** The number of rows in each table that a seed fills; none before the tables exist. */
async function seededRows(place: ServerOptions): Promise<readonly number[]> {
  if (place.data !== undefined && !existsSync(join(place.data, 'service.db'))) return []
  const tables = await openTables(place)
  const counts = seededTables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')
  try {
    return Object.values((await tables.rows(`select ${counts}`))[0] ?? {}).map(Number)
  } catch (fault) {
    expect(String(fault)).toMatch(/no such table|does not exist/)
    return []
  } finally {
    await tables.close()
  }
}

const isEmpty = (rows: readonly number[]) => rows.every((count) => count === 0)

test.each([
  ['--seed edge', 'SQLite'],
  ['--seed edge', 'PostgreSQL'],
  ['--demo', 'SQLite'],
  ['--demo', 'PostgreSQL'],
])(
  'start %s on %s killed before any of its steps leaves nothing or everything, and the next start has everything once',
  { timeout },
  async (seed, database) => {
    let whole: readonly number[] | undefined
    const outcomes = new Set<string>()
    await killAtEachStep(
      {
        async prepare() {
          const data = await freshDirectory()
          const databaseUrl = database === 'SQLite' ? undefined : await emptyDatabase()
          const place: ServerOptions = databaseUrl === undefined ? { data } : { databaseUrl }
          const words = ['start', ...seed.split(' '), '--data', data, '--port', '0']
          const variables = { ...settings, ...(databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: databaseUrl }) }
          return {
            words,
            variables,
            async check() {
              const rows = await seededRows(place)
              whole ??= rows
              outcomes.add(isEmpty(rows) ? 'nothing' : 'everything')
              if (!isEmpty(rows)) expect(rows).toEqual(whole)
              const next = runCli(words, variables)
              await next.firstLine
              next.child.kill('SIGTERM')
              expect(await next.ended, next.said.stderr).toBe(0)
              expect(await seededRows(place)).toEqual(whole)
            },
          }
        },
      },
      7,
    )
    expect(isEmpty(whole ?? [])).toBe(false)
    expect(outcomes).toEqual(new Set(['everything', 'nothing']))
  },
)

/** What `db distribute` uses of Citus, without the distribution, for servers that do not have the extension. */
const citusDouble = [
  'create schema citus_double',
  'create table citus_double.pg_dist_partition (logicalrelid regclass primary key, partmethod text, repmodel text)',
  `create function citus_double.create_reference_table(name text) returns void
    language sql as $$ insert into citus_double.pg_dist_partition values (name::regclass, 'n', 't') $$`,
  `create function citus_double.create_distributed_table(name text, key text, colocate_with text default null) returns void
    language sql as $$ insert into citus_double.pg_dist_partition values (name::regclass, 'h', 's') $$`,
  'alter database current_name set search_path = public, citus_double',
  "insert into pg_extension select 1, 'citus', extowner, extnamespace, extrelocatable, extversion from pg_extension limit 1",
]

async function databaseToDistribute(filled: string) {
  const { url: databaseUrl, drop } = await copyDatabase(filled)
  onTestFinished(drop)
  const tables = await openTables({ databaseUrl })
  onTestFinished(tables.close)
  const name = new URL(databaseUrl).pathname.slice(1)
  if (await hasCitus(inject('postgresUrl'))) await tables.rows('create extension citus')
  else for (const statement of citusDouble) await tables.rows(statement.replace('current_name', name))
  return { databaseUrl, tables }
}

test('a db distribute killed before any of its steps is completed by the next run, and refused by a start without keys', {
  timeout,
}, async () => {
  const foreignKeys = `select count(*) as count from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`
  const outcomes = new Set<boolean>()
  const filled = await emptyDatabase()
  await filledPlatform({ databaseUrl: filled })
  const kills = await killAtEachStep(
    {
      async prepare() {
        const { databaseUrl, tables } = await databaseToDistribute(filled)
        const keys = await tables.rows(foreignKeys)
        const words = ['db', 'distribute', '--database-url', databaseUrl, '--json']
        return {
          words,
          variables: settings,
          async check() {
            const isWhole = (await tables.rows(foreignKeys))[0]?.['count'] === keys[0]?.['count']
            outcomes.add(isWhole)
            const titles = await titlesOf({ databaseUrl }).catch((fault: Error) => fault.message)
            if (isWhole) expect(titles).toEqual(['A', 'B'])
            else expect(titles).toContain('Stop the platform, and run "service-server db distribute" again')
            const next = await runHere(words, settings)
            expect(next.code, next.stderr).toBe(0)
            const placements: unknown = JSON.parse(next.stdout)
            expect(placements).toContainEqual({ table: 'tickets', placement: 'by workspace' })
            expect(placements).toContainEqual({ table: 'users', placement: 'on every node' })
            expect(await tables.rows(foreignKeys)).toEqual(keys)
            expect(await titlesOf({ databaseUrl })).toEqual(['A', 'B'])
          },
        }
      },
    },
    10,
  )
  expect(kills).toBe(10)
  expect(outcomes).toEqual(new Set([true, false]))
})
