import type { ClientBase } from 'pg'

/** A table with what it takes to copy its rows. */
export interface CopiedTable {
  readonly name: string
  /** Those that the database does not compute itself. */
  readonly columns: readonly string[]
  readonly hasId: boolean
}

interface Row {
  readonly name: string
  readonly columns: readonly string[]
  readonly has_id: boolean
  readonly needs: readonly string[]
}

/** All tables but the list of migrations; each stands behind those that it refers to. */
export async function listTables(client: ClientBase): Promise<CopiedTable[]> {
  const { rows } = await client.query<Row>(`select relname as name,
      (select json_agg(attname order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'id' and attidentity <> '') as has_id,
      coalesce((select json_agg(confrelid::regclass::text) from pg_constraint
        where conrelid = c.oid and contype = 'f' and confrelid <> c.oid), '[]') as needs
    from pg_class c where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'migrations'
    order by relname`)
  return inOrder(rows).map(({ name, columns, has_id }) => ({ name, columns, hasId: has_id }))
}

function inOrder(rows: readonly Row[]): Row[] {
  const ordered: Row[] = []
  const visited = new Set<string>()
  const visit = (row: Row): void => {
    if (visited.has(row.name)) return
    visited.add(row.name)
    for (const needed of rows.filter(({ name }) => row.needs.includes(name))) visit(needed)
    ordered.push(row)
  }
  for (const row of rows) visit(row)
  return ordered
}

export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
