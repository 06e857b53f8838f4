import { sql } from 'kysely'
import type { Micros } from '../core/clock.ts'
import type { Db } from './database.ts'
import { acrossWorkspaces } from './workspace-keys.ts'

const batch = 500

/** Tables with retention by age, and the column with the time. Their ids grow with time. */
const columns = {
  inbound_deliveries: 'received_at',
  git_deliveries: 'received_at',
  automation_runs: 'ran_at',
  activities: 'created_at',
  error_samples: 'seen_at',
  lead_enquiries: 'received_at',
  unmatched_punches: 'received_at',
} as const

export type AgingTable = keyof typeof columns

export async function oldestIn(db: Db, table: AgingTable): Promise<Micros | undefined> {
  const { rows } = await sql<{ at: Micros }>`select ${sql.ref(columns[table])} as at from ${sql.table(table)}
    order by id limit 1 ${acrossWorkspaces('retention')}`.execute(db)
  return rows[0]?.at
}

export interface Pruned {
  readonly removed: number
  readonly more: boolean
}

const toPruned = (rows: readonly unknown[]): Pruned => ({ removed: rows.length, more: rows.length >= batch })

export async function pruneOldest(db: Db, table: AgingTable, before: Micros): Promise<Pruned> {
  const isExpired = sql`${sql.ref(columns[table])} < ${before}
    and id in (select id from ${sql.table(table)} order by id limit ${batch})`
  // PostgreSQL and SQLite do this by themselves, Citus does not.
  if (table === 'git_deliveries')
    await sql`update activities set delivery_id = null where (delivery_id, workspace_id) in (
      select id, workspace_id from git_deliveries where ${isExpired}) ${acrossWorkspaces('retention')}`.execute(db)
  const { rows } = await sql`delete from ${sql.table(table)} where ${isExpired}
    returning id ${acrossWorkspaces('retention')}`.execute(db)
  return toPruned(rows)
}

/** When the oldest inbound delivery whose body is kept arrived. */
export async function oldestBody(db: Db): Promise<Micros | undefined> {
  const row = await db
    .selectFrom('inbound_deliveries')
    .select('received_at')
    .where('body', 'is not', null)
    .orderBy('id')
    .limit(sql.lit(1))
    .modifyEnd(acrossWorkspaces('retention'))
    .executeTakeFirst()
  return row?.received_at
}

export async function dropBodies(db: Db, before: Micros): Promise<Pruned> {
  const { rows } = await sql`update inbound_deliveries set body = null where received_at < ${before}
    and id in (select id from inbound_deliveries where body is not null order by id limit ${batch})
    returning id ${acrossWorkspaces('retention')}`.execute(db)
  return toPruned(rows)
}

export async function soonestExpiry(db: Db): Promise<Micros | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('expires_at')
    .orderBy('expires_at')
    .limit(sql.lit(1))
    .modifyEnd(acrossWorkspaces('retention'))
    .executeTakeFirst()
  return row?.expires_at
}

/** Tables of counts per hour, which the overview reads for 30 days. */
export const countTables = ['resolved_counts', 'delivery_counts'] as const

type CountTable = (typeof countTables)[number]

/** The oldest hour that a table of counts has. */
export async function oldestHour(db: Db, table: CountTable): Promise<number | undefined> {
  const { rows } = await sql<{ hour: number }>`select hour from ${sql.table(table)}
    order by hour limit 1 ${acrossWorkspaces('retention')}`.execute(db)
  return rows[0]?.hour
}

export async function pruneCounts(db: Db, table: CountTable, beforeHour: number): Promise<Pruned> {
  const key = sql.raw(table === 'resolved_counts' ? 'workspace_id, hour' : 'workspace_id, hour, subscription_id')
  const { rows } = await sql`delete from ${sql.table(table)} where (${key}) in (
      select ${key} from ${sql.table(table)} where hour < ${beforeHour} order by hour limit ${batch}
    ) returning hour ${acrossWorkspaces('retention')}`.execute(db)
  return toPruned(rows)
}

export async function pruneExpiredKeys(db: Db, now: Micros): Promise<Pruned> {
  const { rows } = await sql`delete from idempotency_keys where (workspace_id, scope, key) in (
      select workspace_id, scope, key from idempotency_keys where expires_at <= ${now} order by expires_at limit ${batch}
    ) returning key ${acrossWorkspaces('retention')}`.execute(db)
  return toPruned(rows)
}
