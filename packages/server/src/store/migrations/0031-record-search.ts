import type { Migration } from '../columns.ts'

// Records are found by the beginnings of the words in these columns. The databases keep the indexes themselves: SQLite by
// triggers on FTS5 tables without content, PostgreSQL by an index on an expression. Each entry starts with its workspace.

const searchedColumns = {
  leads: ['name', 'email', 'phone', 'company'],
  accounts: ['name'],
  deals: ['title'],
  tasks: ['title'],
  projects: ['name'],
  messages: ['body'],
} as const

export type SearchedTable = keyof typeof searchedColumns

const textOf = (columns: readonly string[], row = '') =>
  columns.map((column) => `coalesce(${row}${column}, '')`).join(` || ' ' || `)

const accented = 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ'
const plain = 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy'
const punctuation = '!"#$%&()*+,-./:;<=>?@[]^_`{|}~'

/** PostgreSQL: the words of a row, without the usual accents and without punctuation, and the term of its workspace. */
export const wordsIn = (table: SearchedTable) =>
  `(array_to_tsvector(array['#' || workspace_id::text]) || to_tsvector('simple', translate(lower(${textOf(
    searchedColumns[table],
  )}), '${accented}${punctuation}', '${plain}${' '.repeat(punctuation.length)}')))`

export const recordSearch: Migration = {
  name: '0031-record-search',
  isConcurrent: true,
  statements: ({ dialect }) =>
    Object.entries(searchedColumns).flatMap(
      ([table, columns]) =>
        dialect === 'sqlite'
          ? sqliteIndex(table, columns)
          : [`create index ${table}_words on ${table} using gin (${wordsIn(table as SearchedTable)})`], // its keys
    ),
}

function sqliteIndex(table: string, columns: readonly string[]): string[] {
  const index = `${table}_words`
  const insert = (row: string) => `insert into ${index} (rowid, workspace, words)
    values (${row}id, 'w' || ${row}workspace_id, ${textOf(columns, row)});`
  const remove = `delete from ${index} where rowid = old.id;`
  const isChanged = columns.map((column) => `new.${column} is not old.${column}`).join(' or ')
  return [
    `create virtual table ${index} using fts5 (workspace, words, content = '', contentless_delete = 1, detail = column,
      prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2')`,
    `create trigger ${index}_insert after insert on ${table} begin ${insert('new.')} end`,
    `create trigger ${index}_update after update on ${table} when ${isChanged} begin ${remove} ${insert('new.')} end`,
    `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
    `/* across workspaces: migration */ insert into ${index} (rowid, workspace, words)
      select id, 'w' || workspace_id, ${textOf(columns)} from ${table}`,
  ]
}
