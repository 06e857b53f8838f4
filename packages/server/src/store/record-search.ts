import { sql } from 'kysely'
import type { Page } from '../core/pagination.ts'
import { searchedRecords } from './migrations/0031-record-search.ts'
import { searchedEmployeesAndErrors } from './migrations/0037-employee-and-error-search.ts'
import { wordsIn } from './migrations/word-indexes.ts'
import type { Store } from './store.ts'

const searchedColumns = { ...searchedRecords, ...searchedEmployeesAndErrors }

interface RecordSearch {
  readonly table: keyof typeof searchedColumns
  readonly workspaceId: number
  readonly words: readonly string[][]
}

interface WantedRecords extends Pick<RecordSearch, 'table' | 'workspaceId'> {
  readonly search: string | undefined
}

/** Finds the newest records that have words with all beginnings in a text; undefined without a text. */
export function createSearch(store: Store, { table, workspaceId, search }: WantedRecords) {
  if (search === undefined) return undefined
  const words = spellings(search)
  return async (page: Page): Promise<number[]> =>
    words.length === 0 ? [] : findRecords(store, { table, workspaceId, words }, page)
}

/** More words would make the search slower than they make it precise. */
const maxWords = 12
const maxWordLength = 64

async function findRecords(
  { dialect, db }: Store,
  { table, workspaceId, words }: RecordSearch,
  { before = Number.MAX_SAFE_INTEGER, limit }: Page,
): Promise<number[]> {
  const index = sql.table(`${table}_words`)
  const query =
    dialect === 'sqlite'
      ? sql<{ id: number }>`select rowid as id from ${index} where ${index} match ${toFts5(workspaceId, words)}
          and rowid < cast(${before} as integer) order by rowid desc limit ${limit}`
      : // `offset 0` keeps the order and limit from the planner, which would otherwise read the newest rows to find few.
        sql<{ id: number }>`select id from (
          select id from ${sql.table(table)} where workspace_id = ${workspaceId}
          and ${sql.raw(wordsIn(searchedColumns[table]))} @@ ${toTsquery(workspaceId, words)}::tsquery offset 0
        ) as matching where id < ${before} order by id desc limit ${limit}`
  return (await query.execute(db)).rows.map(({ id }) => id)
}

/** Each word as it is typed and without accents: an index may have either. Words consist of letters and digits. */
function spellings(text: string): string[][] {
  const wordsOf = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .slice(0, maxWords)
      .map((word) => Array.from(word).slice(0, maxWordLength).join(''))
  const typed = wordsOf(text.normalize('NFC'))
  const plain = wordsOf(text.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
  return typed.map((word, index) => [...new Set([word, plain[index] ?? word])])
}

const toFts5 = (workspaceId: number, words: readonly string[][]) =>
  [
    `workspace : w${workspaceId}`,
    ...words.map((word) => `words : (${word.map((one) => `"${one}" *`).join(' OR ')})`),
  ].join(' AND ')

const toTsquery = (workspaceId: number, words: readonly string[][]) =>
  [`'#${workspaceId}'`, ...words.map((word) => `(${word.map((one) => `'${one}':*`).join(' | ')})`)].join(' & ')
