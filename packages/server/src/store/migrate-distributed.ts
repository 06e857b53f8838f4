import { distributeStatement, firstTable } from './distribute.ts'
import type { RunStatement, Store } from './store.ts'
import { instanceTables } from './workspace-keys.ts'

/**
 * The statements of a migration for this database. On Citus a new table of workspaces is created without its foreign
 * keys, distributed, and then gets them, because a table must be distributed to refer to a distributed one.
 */
export async function distributing(
  { dialect }: Pick<Store, 'dialect'>,
  run: RunStatement,
  statements: readonly string[],
): Promise<readonly string[]> {
  if (dialect === 'sqlite' || !(await isDistributed(run))) return statements
  return statements.flatMap(toDistributed)
}

async function isDistributed(run: RunStatement): Promise<boolean> {
  const [extension] = await run("select 1 from pg_extension where extname = 'citus'")
  if (extension === undefined) return false
  const [table] = await run(
    `select 1 from pg_dist_partition where logicalrelid = to_regclass('${firstTable}') and partmethod = 'h'`,
  )
  return table !== undefined
}

const tableKey = /,\s*(foreign key \([\w, ]+\) references \w+ \([\w, ]+\))(?: on delete set null \(\w+\))?/g
const columnKey = /\b(\w{1,63})( bigint(?: not null)?) (references \w+ \(\w+\))/g

/** Exported for the tests. */
export function toDistributed(statement: string): string[] {
  const table = /^\s*create table (\w+)/.exec(statement)?.[1]
  if (table === undefined || table in instanceTables || !/\bworkspace_id\b/.test(statement)) return [statement]
  const keys: string[] = []
  const create = statement
    .replace(tableKey, (_, key: string) => {
      keys.push(key)
      return ''
    })
    .replace(columnKey, (...[, column, type, references]: string[]) => {
      keys.push(`foreign key (${column}) ${references}`)
      return `${column}${type}`
    })
  return [create, distributeStatement(table), ...keys.map((key) => `alter table ${table} add ${key}`)]
}
