import { parseInstant } from '@service/intake/sanitize/instant'
import { sql } from 'kysely'
import type { TxApp } from '../../context.ts'
import { type Clock, type Micros, toServerClock } from '../../core/clock.ts'
import { validation } from '../../core/errors.ts'
import type { Database } from '../../store/database.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import type { Kind } from './define-factory.ts'

/** A created record. */
export interface CreatedRecord {
  readonly kind: Kind
  readonly workspaceId: number
  readonly record: object
}

/** The state of one factory transaction. Everything else is read from the database. */
export interface FactoryContext {
  readonly app: TxApp
  /** The server's clock. That of `app` may be in the past. */
  readonly serverClock: Clock
  /** The next id of each table, once read. */
  readonly nextIds: Map<keyof Database, number>
  /** Relations found or created, by workspace and kind. */
  readonly parents: Map<string, number>
  /** When the newest record of a kind in a workspace was created, once read. */
  readonly newestAt: Map<string, Micros>
  /** The keys that a seed gives its records, by `nameKey`. */
  readonly named: Map<string, number>
  onCreated(created: CreatedRecord): void
}

export const createFactoryContext = (
  app: TxApp,
  onCreated: (created: CreatedRecord) => void = () => undefined,
): FactoryContext => ({
  app,
  serverClock: app.clock,
  nextIds: new Map(),
  parents: new Map(),
  newestAt: new Map(),
  named: new Map(),
  onCreated,
})

export const nameKey = (workspaceId: number, kind: Kind, name: string) => `${workspaceId} ${kind} ${name}`

export const idOf = (record: object): number | undefined =>
  'id' in record && typeof record.id === 'number' ? record.id : undefined

/** The id of the table's next row. */
export async function nextId({ app, nextIds }: FactoryContext, table: keyof Database): Promise<number> {
  const known = nextIds.get(table)
  if (known !== undefined) return known
  const counted = await sql<{ last: number | null }>`select max(id) as last from ${sql.table(table)}
    ${acrossWorkspaces('seeds')}`.execute(app.db)
  return (counted.rows[0]?.last ?? 0) + 1
}

/**
 * Sets a table's counter so that the next row gets this id. The services insert as usual, so related rows, such as
 * events and tags, refer to the right id.
 */
export async function pinId(context: FactoryContext, table: keyof Database, id: number): Promise<void> {
  const next = await nextId(context, table)
  if (id < next) throw validation({ id: [`The id ${id} is too low: ids only increase, and the next one is ${next}.`] })
  const { db, store } = context.app
  if (store.dialect === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id}, false)`.execute(db)
    return
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id - 1})`.execute(db)
}

/** The same app at another time. */
export function pinTime(app: TxApp, createdAt: string | undefined): TxApp {
  const at = createdAt === undefined ? null : parseInstant(createdAt)
  return at === null ? app : { ...app, clock: toServerClock({ now: () => at }) }
}
