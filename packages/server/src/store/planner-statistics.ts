import type { RunStatement } from './store.ts'

// Without statistics, SQLite assumes that ten rows match any indexed column. It then finds fifty ids by reading all rows of
// their workspace. `ANALYZE` would measure what happens to be stored, so plans would change with the data. These
// statistics are the same for every database, as https://sqlite.org/lang_analyze.html suggests: a workspace may have
// half of a large table. `plans` in the tests asks for the plan of every statement with them.

const rowsOfTable = 1_000_000
const rowsOfWorkspace = rowsOfTable / 2
/** Assumed number of different values of any other column. */
const valuesOfColumn = 1000

/** Writes the statistics of all indexes. Run it after each change of the schema, in its transaction. */
export async function writePlannerStatistics(run: RunStatement): Promise<void> {
  await run('analyze sqlite_schema') // creates the table
  await run('delete from sqlite_stat1')
  const columns = await run(`select tbl_name as "table", indexes.name as "index", columns.name as "column", "unique"
    from sqlite_schema as indexes join pragma_index_xinfo(indexes.name) as columns on columns.key = 1
      join pragma_index_list(tbl_name) as list on list.name = indexes.name
    where indexes.type = 'index' order by indexes.name, seqno`)
  const indexes = Map.groupBy(columns, ({ index }) => String(index))
  for (const [index, keys] of indexes)
    await run('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)', [
      keys[0]?.['table'],
      index,
      [rowsOfTable, ...rowsPerPrefix(keys), 'noskipscan'].join(' '),
    ])
  await run('analyze sqlite_schema') // makes the open connections read it
}

/** How many rows are expected to have the same values in the first column, the first two, and so on. */
function rowsPerPrefix(keys: readonly Record<string, unknown>[]): number[] {
  let rows = rowsOfTable
  return keys.map(({ column, unique }, position) => {
    if (column === 'workspace_id' && position === 0) rows = rowsOfWorkspace
    else rows = Math.max(1, Math.round(rows / valuesOfColumn))
    return unique === 1 && position === keys.length - 1 ? 1 : rows
  })
}
