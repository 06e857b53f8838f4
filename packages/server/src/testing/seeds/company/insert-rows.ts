import { type Insertable, sql } from 'kysely'
import type { TxApp } from '../../../context.ts'
import type { Micros } from '../../../core/clock.ts'
import type { Database } from '../../../store/database.ts'
import type { Company } from './company.ts'

/** Tables whose rows have an `id` that the database counts. */
type Counted = {
  [Table in keyof Database]: Database[Table] extends { id: unknown } ? Table : never
}[keyof Database]

/**
 * Takes ids for rows that name one another before they are stored. On SQLite they count as taken only when the rows are
 * inserted, so each table is asked once.
 */
export async function takeIds({ db, store }: TxApp, table: Counted, count: number): Promise<readonly number[]> {
  if (store.dialect === 'postgres') {
    const taken = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id
      from generate_series(1, cast(${count} as integer))`.execute(db)
    return taken.rows.map(({ id }) => id)
  }
  const counted = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
  const last = counted.rows[0]?.seq ?? 0
  return Array.from({ length: count }, (_, index) => last + index + 1)
}

/** Inserts rows that all have the same columns: in the process with one prepared statement, over a connection at once. */
export async function insertRows<Table extends keyof Database>(
  { db, store }: TxApp,
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const names = columns.map((column) => `"${column}"`).join(', ')
  if (store.runForEach === undefined) {
    await sql`insert into ${sql.table(table)} (${sql.raw(names)}) select ${sql.raw(names)}
      from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(db)
    return
  }
  const places = columns.map(() => '?').join(', ')
  store.runForEach(
    `insert into "${table}" (${names}) values (${places})`,
    rows.map((row: Readonly<Record<string, unknown>>) => columns.map((column) => row[column])),
  )
}

/** The id that was taken for a row. */
export function idAt(ids: readonly number[], index: number): number {
  const id = ids[index]
  if (id === undefined) throw new RangeError(`No id was taken for row ${index}.`)
  return id
}

/** What the log says of one delivery. */
export interface Received {
  readonly at: Micros
  readonly status: number
  readonly summary: string
}

/** As many as are shown of one integration, and more than anybody reads. */
const mostOfOne = 120

/** The log of what third parties have pushed in, by integration. */
export async function storeInbound(
  { app, workspace }: Company,
  received: Readonly<Record<string, readonly Received[]>>,
): Promise<void> {
  const latest = Object.entries(received).flatMap(([integration, entries]) =>
    entries
      .toSorted((a, b) => a.at - b.at)
      .slice(-mostOfOne)
      .map((entry) => ({ ...entry, integration })),
  )
  await insertRows(
    app,
    'inbound_deliveries',
    latest
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, integration, status, summary }) => {
        const request_id = app.ids.uuid()
        return { workspace_id: workspace, integration, status, summary, request_id, received_at: at }
      }),
  )
}
