import type { Columns } from '../columns.ts'

// Records are found by the beginnings of the words in some columns. The databases keep the indexes themselves: SQLite by
// triggers on FTS5 tables without content, PostgreSQL by an index on an expression. Each entry starts with its workspace.
// These functions make the texts of migrations, whose checksums may not change.

/** The searched columns of each table. */
export type SearchedColumns = Readonly<Record<string, readonly string[]>>

/** An index on the words of each table. The migration is concurrent. */
export const wordIndexes = (dialect: Columns['dialect'], searched: SearchedColumns): string[] =>
  Object.entries(searched).flatMap(([table, columns]) =>
    dialect === 'sqlite'
      ? sqliteIndex(table, columns)
      : [`create index ${table}_words on ${table} using gin (${wordsIn(columns)})`],
  )

const textOf = (columns: readonly string[], row = '') =>
  columns.map((column) => `coalesce(${row}${column}, '')`).join(` || ' ' || `)

const accented = 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ'
const plain = 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy'
const punctuation = '!"#$%&()*+,-./:;<=>?@[]^_`{|}~'

/** PostgreSQL: the words of a row, without the usual accents and without punctuation, and the term of its workspace. */
export const wordsIn = (columns: readonly string[]) =>
  `(array_to_tsvector(array['#' || workspace_id::text]) || to_tsvector('simple', translate(lower(${textOf(
    columns,
  )}), '${accented}${punctuation}', '${plain}${' '.repeat(punctuation.length)}')))`

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
