import SqliteDatabase from 'better-sqlite3'
import type { CopiedDatabase, Row, TableProgress, TableShape } from './copied-database.ts'

const names = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/** A file of SQLite as one side of a copy. Whoever opens it holds the lock of its directory. */
export function sqliteSide(path: string): CopiedDatabase {
  const database = new SqliteDatabase(path)
  database.pragma('foreign_keys = off')
  const all = <Found>(statement: string, ...parameters: unknown[]) =>
    database.prepare(statement).all(...parameters) as Found[] // the statement says what it finds
  const remember = (table: string, { last, done }: TableProgress) =>
    database
      .prepare('insert or replace into copy_progress values (?, ?, ?)')
      .run(table, last === undefined ? null : JSON.stringify(last), done ? 1 : 0)
  return {
    async tables() {
      const found = all<{ name: string }>(`select name from pragma_table_list where schema = 'main' and type = 'table'
        and name not like 'sqlite%' and name not in ('migrations', 'copy_progress') order by name`)
      return found.map(({ name }): TableShape => {
        const columns = all<{ name: string; pk: number }>(`select name, pk from pragma_table_info(?)`, name)
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
        return { name, columns: columns.map(({ name }) => name), key: key.map(({ name }) => name) }
      })
    },
    async read({ name, columns, key }, { after, limit }) {
      const behind = after === undefined ? '' : `where (${names(key)}) > (${key.map(() => '?').join(', ')})`
      return database
        .prepare(`select ${names(columns)} from "${name}" ${behind} order by ${names(key)} limit ${limit}`)
        .raw()
        .all(...(after ?? [])) as Row[] // rows as lists, of columns that are text and integers
    },
    count: async (table) => database.prepare(`select count(*) from "${table}"`).pluck().get() as number,
    async begin() {
      database.exec('create table if not exists copy_progress (name text primary key, last text, done integer) strict')
      const rows = all<{ name: string; last: string | null; done: number }>('select * from copy_progress')
      return new Map(
        rows.map(({ name, last, done }) => [
          name,
          { last: last === null ? undefined : JSON.parse(last), done: done === 1 },
        ]),
      )
    },
    async write({ name, columns }, rows, progress) {
      const insert = database.prepare(
        `insert into "${name}" (${names(columns)}) values (${columns.map(() => '?').join(', ')})`,
      )
      database.transaction(() => {
        for (const row of rows) insert.run(...row)
        remember(name, progress)
      })()
    },
    async finish() {
      const [broken] = all<{ table: string }>('pragma foreign_key_check')
      if (broken !== undefined) throw new Error(`A row of ${broken.table} refers to one that is not there.`)
      database.exec('drop table copy_progress')
      database.pragma('wal_checkpoint(truncate)')
    },
    close: async () => void database.close(),
  }
}
