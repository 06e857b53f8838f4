import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/core/system-clock.ts'
import { createServer, type ServerOptions } from '../src/index.ts'
import type { Columns, Migration } from '../src/store/columns.ts'
import { migrate, migrations } from '../src/store/migrate.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { createStorage, onEveryStore, type StoreName } from './on-every-store.ts'
import { createEmptyDatabase } from './postgres-databases.ts'
import { onDisk, openTables } from './tables.ts'

const clock = systemClock()

/** A migrated store and its location. */
async function open(name: StoreName): Promise<{ store: Store; place: ServerOptions }> {
  const place = await createStorage(name)
  const store = await openAt(place.options)
  onTestFinished(async () => {
    await store.close()
    await place.remove()
  })
  await migrate(store, clock)
  return { store, place: place.options }
}

const openAt = ({ data, databaseUrl }: ServerOptions): Promise<Store> | Store =>
  databaseUrl === undefined
    ? openSqlite({
        path: data === undefined ? ':memory:' : join(data, 'service.db'),
        synchronous: 'normal',
        stopwatchMs: () => 0, // concurrent writes share a commit even on a slow machine
      })
    : openPostgres({ url: databaseUrl, poolSize: 5, namedStatements: true })

const rowsOf = async (store: Store, sql: string) => {
  let rows: readonly Record<string, unknown>[] = []
  await store.migrateWith(async (run) => {
    rows = await run(sql)
  })
  return rows
}

const step = (name: string, ...statements: string[]): Migration => ({ name, statements: () => statements })
const later = (...steps: Migration[]) => [...migrations, ...steps]

onEveryStore('a migration', (_start, name) => {
  test('that fails leaves nothing behind and succeeds after it is fixed', async () => {
    const { store } = await open(name)
    const bad = step('9001-bad', 'create table half (id integer)', 'insert into nowhere values (1)')
    await expect(
      migrate(store, clock, later(step('9000-good', 'create table whole (id integer)'), bad)),
    ).rejects.toThrow('nowhere')
    await expect(rowsOf(store, 'select * from half')).rejects.toThrow('half')
    expect(await rowsOf(store, 'select * from whole')).toEqual([])
    const mended = step('9001-bad', 'create table half (id integer)')
    await migrate(store, clock, later(step('9000-good', 'create table whole (id integer)'), mended))
    expect(await rowsOf(store, "select name from migrations where name like '9%' order by name")).toEqual([
      { name: '9000-good' },
      { name: '9001-bad' },
    ])
  })

  test('is applied once, in order, with the columns of its database', async () => {
    const { store } = await open(name)
    const seen: string[] = []
    const counted = (migration: string): Migration => ({
      name: migration,
      statements: ({ id }: Columns) => {
        seen.push(`${migration} ${id.includes('autoincrement') ? 'sqlite' : 'postgres'}`)
        return [`create table t${migration.slice(0, 4)} (${id})`]
      },
    })
    await migrate(store, clock, later(counted('9000-a'), counted('9001-b')))
    expect([...new Set(seen)]).toEqual([`9000-a ${store.dialect}`, `9001-b ${store.dialect}`])
    await migrate(store, clock, later(counted('9000-a'), counted('9001-b')))
    expect(await rowsOf(store, "select count(*) as applied from migrations where name like '9%'")).toEqual([
      { applied: 2 },
    ])
  })

  test('that was edited after it was applied is refused with a remedy', async () => {
    const { store } = await open(name)
    await migrate(store, clock, later(step('9000-a', 'create table a (id integer)')))
    const edited = later(step('9000-a', 'create table a (id integer, more text)'))
    await expect(migrate(store, clock, edited)).rejects.toThrow(
      'The database was created with a different text of the migration 9000-a, so its tables may differ. Start the version that created it, or restore a backup of a released version.',
    )
  })

  test('of a newer version prevents an older version from starting', async () => {
    const { store } = await open(name)
    await migrate(store, clock, later(step('9000-newer', 'create table a (id integer)')))
    await expect(migrate(store, clock)).rejects.toThrow(
      'The database has a schema that this version does not know (9000-newer). Start the version that wrote it or a newer one, or restore a backup made by this version.',
    )
  })

  test('of the next release lets this one start if it says so, but not one of the release after it', async () => {
    const { store } = await open(name)
    const next = { ...step('9000-next', 'create table a (id integer)'), compatibleWith: migrations.at(-1)?.name ?? '' }
    await migrate(store, clock, later(next))
    await migrate(store, clock)
    const afterNext = { ...step('9001-after', 'create table b (id integer)'), compatibleWith: next.name }
    await migrate(store, clock, later(next, afterNext))
    await expect(migrate(store, clock)).rejects.toThrow('does not know (9000-next, 9001-after)')
  })

  test('that adds a column does not break the statements of nodes that serve meanwhile', async () => {
    const { store, place } = await open(name)
    const serving = place.databaseUrl === undefined ? store : await openAt(place)
    const read = () =>
      serving.db
        .selectFrom('tasks')
        .selectAll()
        .where('workspace_id', '=', 1)
        .where('id', '>', 0)
        .orderBy('id')
        .limit(9)
        .execute()
    const write = () => serving.transaction(read)
    for (const act of [read, read, read, write, write]) expect(await act()).toEqual([])
    await migrate(store, clock, later(step('9000-note', 'alter table tasks add column note text')))
    for (const act of [write, read]) expect(await act()).toEqual([])
    if (serving !== store) await serving.close()
  })

  test('that builds an index beside writers builds it again after a failure', async () => {
    const { store } = await open(name)
    const rows = step('9000-rows', 'create table whole (id integer)', 'insert into whole values (1), (1)')
    const index = { ...step('9001-index', 'create unique index whole_id on whole (id)'), isConcurrent: true }
    await expect(migrate(store, clock, later(rows, index))).rejects.toThrow(/unique/i)
    await rowsOf(store, 'delete from whole')
    await migrate(store, clock, later(rows, index))
    await expect(rowsOf(store, 'insert into whole values (1), (1)')).rejects.toThrow(/unique/i)
  })
})

onEveryStore(
  'opening a database',
  (_start, name) => {
    test('of a newer version is refused and left unchanged', async () => {
      const { store, place } = await open(name)
      await migrate(store, clock, later(step('9000-newer', 'create table a (id integer)')))
      const before = await rowsOf(store, 'select * from migrations order by name')
      await expect(createServer(place)).rejects.toThrow('schema that this version does not know (9000-newer)')
      expect(await rowsOf(store, 'select * from migrations order by name')).toEqual(before)
    })
  },
  onDisk,
)

test('several servers that open a new PostgreSQL database at once apply each migration once', async () => {
  const { url: databaseUrl, drop } = await createEmptyDatabase(inject('postgresUrl'))
  const servers = await Promise.all([1, 2, 3, 4].map(() => createServer({ databaseUrl })))
  const tables = await openTables({ databaseUrl })
  onTestFinished(async () => {
    await tables.close()
    for (const server of servers) await server.close()
    await drop()
  })
  const applied = await tables.rows('select name from migrations order by name')
  expect(applied.map((row) => row['name'])).toEqual(migrations.map((migration) => migration.name))
  const created = await Promise.all(servers.map(({ admin }) => admin.workspaces.create({ name: 'Acme' })))
  expect(created.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4])
})

const notes = step('9000-notes', 'create table notes (id integer primary key, text text not null)')

onEveryStore('concurrent transactions', (_start, name) => {
  const insert = (store: Store, id: number) =>
    store.transaction(async () => {
      // `notes` is a table of this test only.
      await store.db
        .insertInto('notes' as 'users')
        .values({ id, text: 'x' } as never)
        .execute()
      return id
    })

  test('do not affect each other when one fails', async () => {
    const { store } = await open(name)
    await migrate(store, clock, later(notes))
    const outcomes = await Promise.allSettled([insert(store, 1), insert(store, 1), insert(store, 2), insert(store, 3)])
    const [one, other, ...others] = outcomes.map(({ status }) => status)
    // On PostgreSQL either transaction with the same id may win.
    expect([one, other].sort()).toEqual(['fulfilled', 'rejected'])
    expect(others).toEqual(['fulfilled', 'fulfilled'])
    expect(await rowsOf(store, 'select id from notes order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  test('are rejected when their commit fails, leave nothing behind, and the next one succeeds', async () => {
    const { store } = await open(name)
    const child = `create table children (
      id integer primary key, parent integer not null references notes (id) deferrable initially deferred)`
    await migrate(store, clock, later(notes, step('9001-children', child)))
    const orphan = store.transaction(async () => {
      await store.db
        .insertInto('children' as 'users')
        .values({ id: 1, parent: 99 } as never)
        .execute()
    })
    await expect(orphan).rejects.toThrow(/foreign key/i)
    expect(await rowsOf(store, 'select * from children')).toEqual([])
    await insert(store, 1)
    expect(await rowsOf(store, 'select id from notes')).toEqual([{ id: 1 }])
  })
})

onEveryStore(
  'a commit on SQLite',
  (_start, name) => {
    test('that fails rejects every transaction in its group', async () => {
      const { store } = await open(name)
      const child = `create table children (
        id integer primary key, parent integer not null references notes (id) deferrable initially deferred)`
      await migrate(store, clock, later(notes, step('9001-children', child)))
      const insertInto = (table: string, row: object) =>
        store.transaction(async () => {
          await store.db
            .insertInto(table as 'users')
            .values(row as never)
            .execute()
        })
      const outcomes = await Promise.allSettled([
        insertInto('notes', { id: 1, text: 'x' }),
        insertInto('children', { id: 1, parent: 99 }),
        insertInto('nowhere', { id: 1 }),
        insertInto('notes', { id: 2, text: 'x' }),
      ])
      const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'committed'))
      expect(reasons).toEqual([
        expect.stringContaining('FOREIGN KEY'),
        expect.stringContaining('FOREIGN KEY'),
        expect.stringContaining('nowhere'),
        expect.stringContaining('FOREIGN KEY'),
      ])
      expect(await rowsOf(store, 'select * from notes')).toEqual([])
    })
  },
  ['memory', 'sqlite'],
)

onEveryStore('a write outside of a transaction', (_start, name) => {
  test('is refused with a remedy', async () => {
    const { store } = await open(name)
    const writing = store.db.insertInto('users').values({ name: 'x', email: 'x', created_at: 0 }).execute()
    await expect(writing).rejects.toThrow('Writes belong in a transaction: use inTransaction(app, work).')
  })
})

onEveryStore("Kysely's own transactions", (_start, name) => {
  test('are refused with a remedy', async () => {
    const { store } = await open(name)
    await expect(store.db.transaction().execute(async () => undefined)).rejects.toThrow(
      "Use inTransaction(app, work) instead of Kysely's own transactions.",
    )
  })
})
