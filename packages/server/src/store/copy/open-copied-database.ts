import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import SqliteDatabase from 'better-sqlite3'
import type { Client } from 'pg'
import type { ServerClock } from '../../core/clock.ts'
import { readConfig } from '../../core/config.ts'
import { quietLog } from '../../core/log.ts'
import { toShellWord } from '../../core/shell-word.ts'
import { copyIn } from '../copy-in.ts'
import { databaseFileName, lockDirectory } from '../directory-lock.ts'
import { dropForeignKeys, restoreForeignKeys } from '../foreign-keys.ts'
import { schemaStatus } from '../migrate.ts'
import { openExistingStore, openStore } from '../open.ts'
import { OpenError } from '../open-error.ts'
import { connectWithoutLimits, inTransaction } from '../postgres-client.ts'
import { isDatabaseUrl, withoutPassword } from '../postgres-faults.ts'
import { requireNoServer } from '../serving-lock.ts'
import type { Store } from '../store.ts'
import { beginFilling, lockForFilling, markNames } from '../unfinished.ts'
import type { CopiedDatabase, Row, TableProgress, TableShape, Value } from './copy-database.ts'

/** The configuration of one side of a copy: a data directory or a database URL. */
export const toConfig = (location: string, role: 'from' | 'to') =>
  readConfig(isDatabaseUrl(location) ? { databaseUrl: location } : { data: location }, () => `--${role}`)

/** The two sides of a copy: data directories or database URLs. */
export interface CopyPlan {
  readonly from: string
  readonly to: string
}

/** Marks an empty target as the target of this copy, before anything is written into it. */
export const markTarget =
  ({ from }: CopyPlan) =>
  ({ dialect, migrateWith }: Store): Promise<void> =>
    migrateWith((run) => beginFilling(run, dialect, { command: 'db copy', source: describeLocation(from) }))

const describeLocation = (location: string) => (isDatabaseUrl(location) ? withoutPassword(location) : resolve(location))

/** Opens one side of a copy. The target is first marked, and migrated to the newest schema. */
export async function openCopiedDatabase(
  plan: CopyPlan,
  role: 'from' | 'to',
  clock: ServerClock,
): Promise<CopiedDatabase> {
  const location = plan[role]
  const { databaseUrl } = toConfig(location, role)
  if (databaseUrl !== undefined)
    return openPostgresSide(databaseUrl, { role, prepare: () => prepare(plan, role, clock) })
  await prepare(plan, role, clock)
  const lock = lockDirectory(location)
  if (lock === undefined) throw new OpenError(`The data directory ${location} is in use. Stop the platform first.`)
  const side = sqliteDatabase(join(location, databaseFileName))
  return {
    ...side,
    async close() {
      await side.close()
      lock.release()
    },
  }
}

async function prepare(plan: CopyPlan, role: 'from' | 'to', clock: ServerClock): Promise<void> {
  const open = role === 'to' ? openStore : openExistingStore
  const location = plan[role]
  const store = await open(toConfig(location, role), { clock, log: quietLog(), permit: markTarget(plan) })
  try {
    const { pending } = await schemaStatus(store)
    if (pending.length > 0)
      throw new OpenError(
        `--${role}: ${pending.length} migrations are pending. Run "service-server upgrade ${isDatabaseUrl(location) ? '--database-url' : '--data'} ${toShellWord(describeLocation(location))}" first.`,
      )
  } finally {
    await store.close()
  }
}

/** The mark itself has no `done`. */
const progressRows = 'select * from copy_progress where done is not null'

const quotedNames = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/** A SQLite file as one side of a copy. The caller holds the lock of its directory. */
function sqliteDatabase(path: string): CopiedDatabase {
  const database = new SqliteDatabase(path)
  database.pragma('foreign_keys = off')
  // As above. The checkpoint of `finish` waits for the disk.
  database.pragma('synchronous = normal')
  const all = <Found>(statement: string, ...parameters: unknown[]) =>
    database.prepare(statement).all(...parameters) as Found[] // the statement determines the type
  const saveProgress = (table: string, { last, done }: TableProgress) =>
    database
      .prepare('insert or replace into copy_progress values (?, ?, ?)')
      .run(table, last === undefined ? null : JSON.stringify(last), done ? 1 : 0)
  return {
    async tables() {
      const found = all<{ name: string }>(`select name from pragma_table_list where schema = 'main' and type = 'table'
        and name not like 'sqlite%' and name not in ('migrations', ${markNames}) order by name`)
      return found.map(({ name }): TableShape => {
        const columns = all<{ name: string; pk: number }>(`select name, pk from pragma_table_info(?)`, name)
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
        return { name, columns: columns.map(({ name }) => name), key: key.map(({ name }) => name) }
      })
    },
    async read({ name, columns, key }, { after, limit }) {
      const behind = after === undefined ? '' : `where (${quotedNames(key)}) > (${key.map(() => '?').join(', ')})`
      return database
        .prepare(`select ${quotedNames(columns)} from "${name}" ${behind} order by ${quotedNames(key)} limit ${limit}`)
        .raw()
        .all(...(after ?? [])) as Row[] // rows as arrays of text and integers
    },
    count: async (table) => database.prepare(`select count(*) from "${table}"`).pluck().get() as number,
    async begin() {
      const rows = all<{ name: string; last: string | null; done: number }>(progressRows)
      return new Map(
        rows.map(({ name, last, done }) => [
          name,
          { last: last === null ? undefined : JSON.parse(last), done: done === 1 },
        ]),
      )
    },
    async write({ name, columns }, rows, progress) {
      const insert = database.prepare(
        `insert into "${name}" (${quotedNames(columns)}) values (${columns.map(() => '?').join(', ')})`,
      )
      database.transaction(() => {
        for (const row of rows) insert.run(...row)
        saveProgress(name, progress)
      })()
    },
    async finish() {
      const [broken] = all<{ table: string }>('pragma foreign_key_check')
      if (broken !== undefined) throw new Error(`A row of ${broken.table} refers to a missing row.`)
      database.exec('drop table copy_progress')
      database.pragma('wal_checkpoint(truncate)')
    },
    // The caller holds the lock of the directory.
    requireUnused: async () => undefined,
    close: async () => void database.close(),
  }
}

/** PostgreSQL's type id of bigint, which pg returns as text. All our values fit in a number. */
const bigint = 20

interface PostgresSide {
  readonly role: 'from' | 'to'
  prepare(): Promise<void>
}

async function openPostgresSide(url: string, { role, prepare }: PostgresSide): Promise<CopiedDatabase> {
  const client = await connectWithoutLimits({ connectionString: url, application_name: 'service-server db copy' })
  try {
    await requireNoServer(client)
    if (role === 'to') await lockForFilling(queryRunner(client))
    await prepare()
    client.setTypeParser(bigint, Number)
    // A crash may lose the last batches together with their progress, so the copy resumes before them. `finish` waits for the disk.
    await client.query('set synchronous_commit = off')
    const reading = reader(client)
    return {
      ...reading,
      ...writer(client, reading),
      requireUnused: () => requireNoServer(client),
      close: () => client.end(),
    }
  } catch (fault) {
    await client.end()
    throw fault
  }
}

type Reading = Pick<CopiedDatabase, 'tables' | 'read' | 'count'>
type Writing = Pick<CopiedDatabase, 'begin' | 'write' | 'finish'>

function reader(client: Client): Reading {
  const all = queryRunner(client)
  const textColumns = new Map<string, ReadonlySet<string>>()
  /** Compared by bytes, as in SQLite. */
  const ordered = (table: string, key: readonly string[]) =>
    key.map((column) => (textColumns.get(table)?.has(column) ? `"${column}" collate "C"` : `"${column}"`)).join(', ')
  return {
    async tables() {
      const found = await all<{
        name: string
        columns: string[]
        key: string[]
        texts: string[]
      }>(`select relname as name,
          (select json_agg(attname order by attnum) from pg_attribute
            where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
          coalesce((select json_agg(attname order by array_position(indkey::int2[], attnum)) from pg_index join pg_attribute
            on attrelid = indrelid and attnum = any (indkey) where indrelid = c.oid and indisprimary), '[]') as key,
          coalesce((select json_agg(attname) from pg_attribute where attrelid = c.oid and atttypid = 'text'::regtype), '[]') as texts
        from pg_class c where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and relname not in ('migrations', ${markNames}) order by relname`)
      for (const { name, texts } of found) textColumns.set(name, new Set(texts))
      return found.map(({ name, columns, key }): TableShape => ({ name, columns, key }))
    },
    async read({ name, columns, key }, { after, limit }) {
      const behind =
        after === undefined ? '' : `where (${ordered(name, key)}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`
      const text = `select ${quotedNames(columns)} from "${name}" ${behind} order by ${ordered(name, key)} limit ${limit}`
      return (await client.query<Value[]>({ text, values: [...(after ?? [])], rowMode: 'array' })).rows
    },
    count: async (table) => (await all<{ count: number }>(`select count(*) as count from "${table}"`))[0]?.count ?? 0,
  }
}

function writer(client: Client, { tables }: Reading): Writing {
  const all = queryRunner(client)
  const saveProgress = (table: string, { last, done }: TableProgress) =>
    all(
      `insert into copy_progress values ($1, $2, $3)
        on conflict (name) do update set last = excluded.last, done = excluded.done`,
      [table, last === undefined ? null : JSON.stringify(last), done],
    )
  return {
    async begin() {
      // References are restored at the end, because a row may refer to a later one.
      await inTransaction(client, () => dropForeignKeys(client))
      const rows = await all<{ name: string; last: string | null; done: boolean }>(progressRows)
      return new Map(
        rows.map(({ name, last, done }) => [name, { last: last === null ? undefined : JSON.parse(last), done }]),
      )
    },
    write: ({ name, columns }, rows, progress) =>
      inTransaction(client, async () => {
        await copyIn(
          client,
          `copy "${name}" (${quotedNames(columns)}) from stdin`,
          Readable.from([rows.map(toLine).join('')]),
        )
        await saveProgress(name, progress)
      }),
    finish: () =>
      inTransaction(client, async () => {
        await client.query('set local synchronous_commit = on')
        for (const { name, columns } of await tables()) if (columns.includes('id')) await advanceSequence(name)
        await restoreForeignKeys(client)
        // Otherwise the first requests are planned without statistics.
        await client.query('analyze')
        await client.query('drop table copy_progress')
      }),
  }

  /** Sets the next id to one that was never used. */
  async function advanceSequence(table: string): Promise<void> {
    await all(
      `select setval(sequence, (select coalesce(max(id), 0) + 1 from "${table}"), false)
        from pg_get_serial_sequence($1, 'id') as sequence where sequence is not null`,
      [`"${table}"`],
    )
  }
}

const queryRunner =
  (client: Client) =>
  async <Found extends object>(statement: string, parameters: readonly unknown[] = []) =>
    (await client.query<Found>(statement, [...parameters])).rows

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const toLine = (row: Row) => `${row.map(toText).join('\t')}\n`

/** In the text format of COPY. */
const toText = (value: Value) =>
  value === null ? '\\N' : String(value).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
