import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer, type ServerOptions } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, type StoreName } from './on-every-store.ts'
import { createEmptyDatabase } from './postgres-databases.ts'
import { onDisk, openTables, type Tables } from './tables.ts'
import { call } from './workspace.ts'

// `last-release/` has the database of the last release as SQL: its schema, its migration records, and a
// few rows of almost every table. Replace it, and the expectations here, when a release changes the schema.

const encryptionKey = 'a key for tests, of at least 32 characters'
const token = 'service_iyqlqVjLTBpdMoE88e245TFrzLoSCnD5Jl6O4KfCZVv329r0E'
const at = { workspace: 1 }

async function emptyPlace(store: StoreName): Promise<ServerOptions> {
  if (store === 'sqlite') return { data: await freshDirectory(), synchronous: 'normal', encryptionKey }
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return { databaseUrl: url, encryptionKey }
}

/** The location of a database of the last release. */
async function lastRelease(store: StoreName): Promise<ServerOptions> {
  const place = await emptyPlace(store)
  const statements = readFileSync(new URL(`./last-release/${store}.sql`, import.meta.url), 'utf8')
  if (place.data !== undefined) {
    const database = new SqliteDatabase(join(place.data, 'service.db'))
    database.exec(statements)
    database.close()
    return place
  }
  const client = new pg.Client({ connectionString: place.databaseUrl })
  await client.connect()
  await client.query(statements)
  await client.end()
  return place
}

/** Tables that the server writes during its start. */
const ownRows = ['encryption_key', 'health_checks', 'migrations', 'operation_marks', 'rate_limit_windows']

async function countRows(tables: Tables, store: StoreName): Promise<Record<string, unknown>> {
  const names = await tables.rows(
    store === 'sqlite'
      ? "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'"
      : "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'",
  )
  const counts: Record<string, unknown> = {}
  for (const { name } of names)
    if (!ownRows.includes(String(name)))
      counts[String(name)] = (await tables.rows(`select count(*) as count from "${name}"`))[0]?.['count']
  return counts
}

const describeSqlite = [
  `select t.name as owner, c.name, c.type, c."notnull", c.dflt_value, c.pk from pragma_table_list t, pragma_table_info(t.name) c
    where t.schema = 'main' and t.name not like 'sqlite%' order by 1, 2`,
  `select t.name as owner, f."from", f."table", f."to", f.on_delete from pragma_table_list t, pragma_foreign_key_list(t.name) f
    where t.schema = 'main' order by 1, 2, 3`,
  "select name, sql from sqlite_master where type in ('index', 'trigger', 'view') and sql is not null order by 1",
]
const describePostgres = [
  `select table_name as owner, column_name as name, data_type, is_nullable, column_default, generation_expression
    from information_schema.columns where table_schema = current_schema() order by 1, 2`,
  `select conrelid::regclass::text as owner, pg_get_constraintdef(oid) as sql from pg_constraint
    where connamespace = current_schema()::regnamespace and contype <> 'n' order by 1, 2`,
  'select indexname as name, indexdef as sql from pg_indexes where schemaname = current_schema() order by 1',
  `select tgname as name, pg_get_triggerdef(oid) as sql from pg_trigger where not tgisinternal order by 1`,
]

/** Every column, reference, index, and trigger, ignoring the layout of its SQL. */
async function describeSchema(tables: Tables, store: StoreName): Promise<string[]> {
  const described: string[] = []
  for (const statement of store === 'sqlite' ? describeSqlite : describePostgres)
    for (const row of await tables.rows(statement)) described.push(JSON.stringify(row).replace(/\\n|\s/g, ''))
  return described
}

async function tablesOf(place: ServerOptions): Promise<Tables> {
  const tables = await openTables(place)
  onTestFinished(() => tables.close())
  return tables
}

async function start(place: ServerOptions) {
  // Early enough that retention removes nothing.
  const server = await createServer({ clock: manualClock(Date.parse('2026-11-01T09:00:00Z') * 1000), ...place })
  onTestFinished(() => server.close())
  return server
}

onEveryStore(
  'a database of the last release',
  (_start, store) => {
    test('gets the same schema as a new database and loses no row', async () => {
      const place = await lastRelease(store)
      const { ticket_tags, task_tags, ...before } = await countRows(await tablesOf(place), store)
      expect([ticket_tags, task_tags].map(Number)).toEqual([2, 1])
      expect(Object.values(before).filter((count) => Number(count) > 0).length).toBeGreaterThan(25)
      const server = await start(place)
      expect((await server.admin.system.get()).schema).toMatchObject({ pending: 0 })
      const tables = await tablesOf(place)
      expect(await countRows(tables, store)).toMatchObject(before)
      expect(await tables.rows('select tags from tickets union select tags from tasks order by tags')).toEqual(
        ['["now"]', '["office","fire"]', '[]'].map((tags) => ({ tags })),
      )
      const fresh = await emptyPlace(store)
      await start(fresh)
      const described = await describeSchema(await tablesOf(fresh), store)
      expect(described.length).toBeGreaterThan(400)
      expect(await describeSchema(await tablesOf(place), store)).toEqual(described)
    })

    test('is refused with a remedy if one of its migrations was edited', async () => {
      const place = await lastRelease(store)
      const tables = await tablesOf(place)
      await tables.rows("update migrations set checksum = 'edited' where name = '0008-search'")
      await expect(createServer(place)).rejects.toThrow(
        /^The database has a schema that this version does not know \(0001-foundation, .*\)\. Start the version that wrote it/,
      )
      expect(await tables.rows('select tag from ticket_tags')).toHaveLength(2)
    })

    test('keeps working: credentials, secrets, search, numbers, and history', async () => {
      const server = await start(await lastRelease(store))
      const { admin } = server
      const api = await call(server, { path: '/api/v1/workspaces/1/tickets', token })
      expect([api.status, api.body.data ?? api.body]).toMatchObject([
        200,
        [{ title: 'PrinterError: Out of paper' }, { title: "The printer's on fire 🔥", status: 'in_progress' }],
      ])
      const person = { email: 'ada@northwind.example', password: 'correct horse battery' }
      expect((await admin.sessions.create(person)).user.name).toBe('Ada Obi')
      expect((await admin.webhooks.get({ ...at, id: 1 })).url).toBe('https://hooks.example.com/a')
      expect((await admin.tickets.list(at, { search: 'printer zoë', tag: 'fire' })).data).toHaveLength(1)
      expect(await admin.tickets.get({ ...at, id: 1 })).toMatchObject({ description: 'Zoë saw it', assigned_to: 1 })
      expect((await admin.deals.list(at, {})).data).toMatchObject([{ title: 'Renewal', amount: '1200.50' }])
      expect((await admin.messages.list(at, {})).data).toMatchObject([{ body: 'Hello, €5?' }])
      expect((await admin.leads.list(at, {})).data).toMatchObject([{ email: 'kim@globex.example' }])
      expect((await admin.attendance.sessions(at, {})).data).toHaveLength(1)
      const made = await admin.tickets.create(at, { title: 'The next one', tags: ['fire'] })
      expect(made).toMatchObject({ id: 3, assigned_to: 1 })
      expect((await admin.tickets.list(at, { tag: 'fire' })).data.map(({ id }) => id)).toEqual([3, 1])
    })
  },
  onDisk,
)
