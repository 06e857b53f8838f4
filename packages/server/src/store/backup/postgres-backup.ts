import type { Client, ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { connectWithoutLimits } from '../postgres-client.ts'
import { type BackupManifest, readBackup, toReadable, writeBackup } from './backup-file.ts'
import type { BackupOptions } from './sqlite-backup.ts'

// The data of a PostgreSQL backup. Each table is a line of JSON, its rows as written by COPY, and a line `\.`, which
// cannot be a row. All tables come from one snapshot.

export interface TableHead {
  readonly table: string
  readonly columns: readonly string[]
  /** The id of the next row; null if the database does not generate ids for the table. */
  readonly next_id: number | null
}

const newLine = 0x0a

/** Backs up a database while others write to it. Does not need PostgreSQL's programs. */
export async function backUpPostgres(databaseUrl: string, options: BackupOptions): Promise<BackupManifest> {
  const client = await connectWithoutLimits({
    connectionString: databaseUrl,
    application_name: 'service-server backup',
  })
  try {
    await client.query('begin isolation level repeatable read, read only, deferrable')
    const tables = await listTables(client)
    const schema = await client.query<{ name: string }>('select name from migrations order by name')
    const key = await client.query<{ fingerprint: string }>('select fingerprint from encryption_key')
    const rows: Record<string, number> = {}
    const { path, reason, version, createdAt: created_at } = options
    const facts = {
      reason,
      version,
      created_at,
      dialect: 'postgres',
      schema: schema.rows.map(({ name }) => name),
      rows,
      key_fingerprint: key.rows[0]?.fingerprint ?? null,
    } as const
    return await writeBackup(path, toReadable(dump(client, tables, rows)), () => facts)
  } finally {
    await client.end()
  }
}

async function* dump(client: Client, tables: readonly CopiedTable[], rows: Record<string, number>) {
  for (const table of tables) {
    yield `${JSON.stringify(await readHead(client, table))}\n`
    let count = 0
    const copied = client.query(copyTo(`copy "${table.name}" (${quoted(table.columns)}) to stdout`))
    for await (const chunk of copied as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === newLine) count += 1
      yield chunk
    }
    rows[table.name] = count
    yield '\\.\n'
  }
}

async function readHead(client: Client, { name, columns, hasId }: CopiedTable): Promise<TableHead> {
  if (!hasId) return { table: name, columns, next_id: null }
  const { rows } = await client.query<{ next_id: string }>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('"${name}"', 'id')), 0) + 1 as next_id`,
  )
  return { table: name, columns, next_id: Number(rows[0]?.next_id ?? 1) }
}

/** The tables of a backup, in order. Read the rows of each table before requesting the next. */
export async function* readDump(path: string): AsyncGenerator<TableHead & { readonly rows: AsyncIterable<Buffer> }> {
  const lines = splitLines(readBackup(path))
  while (true) {
    const head = await lines.next()
    if (head.done === true) return
    yield { ...(JSON.parse(head.value.toString()) as TableHead), rows: readRows(lines) }
  }
}

async function* readRows(lines: AsyncGenerator<Buffer>) {
  while (true) {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('The backup file ends in the middle of a table.')
    if (value.length === 3 && value.toString() === '\\.\n') return
    yield value
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let at = text.indexOf(newLine); at >= 0; at = text.indexOf(newLine, from)) {
      yield text.subarray(from, at + 1)
      from = at + 1
    }
    rest = text.subarray(from)
  }
  if (rest.length > 0) yield rest
}

/** A table with the information needed to copy its rows. */
interface CopiedTable {
  readonly name: string
  /** The columns that the database does not compute itself. */
  readonly columns: readonly string[]
  readonly hasId: boolean
}

interface Row {
  readonly name: string
  readonly columns: readonly string[]
  readonly has_id: boolean
  readonly needs: readonly string[]
}

/** All tables except the list of migrations. Each follows the tables it refers to. */
async function listTables(client: ClientBase): Promise<CopiedTable[]> {
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
