import { createHash } from 'node:crypto'
import { ownTables } from '../unfinished.ts'

export type Value = string | number | null
export type Row = readonly Value[]

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/** The progress of a table: its last copied key, and `done` once it is complete. */
export interface TableProgress {
  readonly last: Row | undefined
  readonly done: boolean
}

export interface CopiedDatabase {
  tables(): Promise<TableShape[]>
  read(table: TableShape, page: { readonly after: Row | undefined; readonly limit: number }): Promise<Row[]>
  count(table: string): Promise<number>
  /** Prepares the marked target for writing, and returns the progress of an earlier run. */
  begin(): Promise<ReadonlyMap<string, TableProgress>>
  /** Writes rows and the progress atomically. */
  write(table: TableShape, rows: readonly Row[], progress: TableProgress): Promise<void>
  /** Restores the constraints, which slow down writing, and deletes the progress: the copy can no longer be resumed. */
  finish(): Promise<void>
  /** Throws if a server may have changed rows since they were read. */
  requireUnused(): Promise<void>
  close(): Promise<void>
}

export interface CopiedRows {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

export interface CopyOptions {
  readonly batch?: number
  /** From 0 to 1. Copying and verifying are half each. */
  readonly onProgress?: (done: number) => void
}

/**
 * Copies all tables from one database into another in batches. An interrupted copy resumes after the last written key.
 * At the end, every table is read from both sides and must have the same checksum. The target stays open for further
 * changes; then call `finish`.
 */
export async function copyDatabase(
  from: CopiedDatabase,
  to: CopiedDatabase,
  { batch = 5000, onProgress = () => undefined }: CopyOptions = {},
): Promise<CopiedRows[]> {
  const tables = await sharedTables(from, to)
  const counts = new Map<string, number>()
  for (const { name } of tables) counts.set(name, await from.count(name))
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let seen = 0
  const report = (rows: number) => {
    seen += rows
    onProgress(all === 0 ? 1 : Math.min(1, seen / (2 * all)))
  }
  const progress = await to.begin()
  for (const table of tables) {
    const { last, done } = progress.get(table.name) ?? { last: undefined, done: false }
    if (done) report(counts.get(table.name) ?? 0)
    else await copyTable({ from, to, table, batch, report }, last)
  }
  const copied: CopiedRows[] = []
  for (const table of tables) copied.push(await compare(table, { from, to, batch, report }))
  return copied
}

/** Tables that exist in only one of the databases are skipped. */
async function sharedTables(from: CopiedDatabase, to: CopiedDatabase): Promise<TableShape[]> {
  const [source, target] = [await from.tables(), await to.tables()]
  return source.flatMap((table) => {
    if (ownTables.has(table.name)) return []
    const other = target.find(({ name }) => name === table.name)
    if (other === undefined) return []
    if (table.key.length === 0) throw new Error(`The table ${table.name} has no primary key.`)
    const columns = table.columns.filter((column) => other.columns.includes(column))
    return [{ ...table, columns }]
  })
}

interface Copying {
  readonly from: CopiedDatabase
  readonly to: CopiedDatabase
  readonly table: TableShape
  readonly batch: number
  report(rows: number): void
}

async function copyTable({ from, to, table, batch, report }: Copying, last: Row | undefined): Promise<void> {
  let after = last
  let rows = await from.read(table, { after, limit: batch })
  while (true) {
    after = rows.length === 0 ? after : keyOf(table, rows.at(-1) ?? [])
    const done = rows.length < batch
    // One side reads while the other writes.
    const [next] = await Promise.all([
      done ? [] : from.read(table, { after, limit: batch }),
      to.write(table, rows, { last: after, done }),
    ])
    report(rows.length)
    if (done) return
    rows = next
  }
}

const keyOf = ({ columns, key }: TableShape, row: Row): Row => key.map((name) => row[columns.indexOf(name)] ?? null)

async function compare(table: TableShape, { from, to, batch, report }: Omit<Copying, 'table'>): Promise<CopiedRows> {
  const [source, copy] = await Promise.all([checksum(from, table, batch), checksum(to, table, batch)])
  report(copy.rows)
  if (source.rows === copy.rows && source.sha256 === copy.sha256) return { table: table.name, ...copy }
  throw new Error(
    `The table ${table.name} has ${source.rows} rows (${source.sha256.slice(0, 8)}) here and ${copy.rows} (${copy.sha256.slice(0, 8)}) in the copy. Another program may have written to it. Stop the platform and copy into a new database.`,
  )
}

/** A checksum over the JSON of the rows in key order, which is the same in both databases. */
async function checksum(database: CopiedDatabase, table: TableShape, batch: number) {
  const hash = createHash('sha256')
  let rows = 0
  let after: Row | undefined
  while (true) {
    const page = await database.read(table, { after, limit: batch })
    for (const row of page) hash.update(`${JSON.stringify(row)}\n`)
    rows += page.length
    if (page.length < batch) return { rows, sha256: hash.digest('hex') }
    after = keyOf(table, page.at(-1) ?? [])
  }
}
