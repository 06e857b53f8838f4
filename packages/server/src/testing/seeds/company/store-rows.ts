import { type Insertable, sql } from 'kysely'
import type { TxApp } from '../../../context.ts'
import type { Micros } from '../../../core/clock.ts'
import type { Database } from '../../../store/database.ts'

/** Tables with a generated `id`. */
type TableWithId = {
  [Table in keyof Database]: Database[Table] extends { id: unknown } ? Table : never
}[keyof Database]

/**
 * Sorts the items by time and assigns the ids of their rows, so that rows can refer to each other before
 * they are inserted. On SQLite an insert takes the id, so each table is read once.
 */
export async function withIds<Item extends { readonly at: Micros }>(
  { db, store }: TxApp,
  table: TableWithId,
  items: readonly Item[],
): Promise<readonly (Item & { readonly id: number })[]> {
  const { rows } = await (store.dialect === 'postgres'
    ? sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id
        from generate_series(1, cast(${items.length} as integer))`
    : sql<{ id: number }>`select coalesce(max(seq), 0) + 1 as id from sqlite_sequence where name = ${table}`
  ).execute(db)
  const first = rows[0]?.id ?? 1
  return byTime(items).map((item, index) => ({ ...item, id: rows[index]?.id ?? first + index }))
}

export const byTime = <Item extends { readonly at: Micros }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.at - b.at)

/** Inserts rows with equal columns: one prepared statement in process, one batch over a connection. */
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
  store.runForEach(
    `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
    rows.map((row: Readonly<Record<string, unknown>>) => columns.map((column) => row[column])),
  )
}

/** The log entry of one inbound delivery. */
export interface Received {
  readonly at: Micros
  readonly integration: string
  readonly status: number
  readonly summary: string
}

/** The log of inbound deliveries, with more entries per integration than a page shows. */
export function storeInbound(app: TxApp, workspace_id: number, received: readonly Received[]): Promise<void> {
  const latest = [...Map.groupBy(byTime(received), ({ integration }) => integration).values()]
  const rows = byTime(latest.flatMap((entries) => entries.slice(-120))).map(({ at, ...entry }) => {
    return { workspace_id, ...entry, request_id: app.ids.uuid(), received_at: at, opened: 0 }
  })
  return insertRows(app, 'inbound_deliveries', rows)
}
