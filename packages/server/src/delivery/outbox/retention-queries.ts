import { type RawBuilder, sql } from 'kysely'
import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import { hasKey } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'

/** How many rows a step reads. */
export const batch = 500

/** The oldest event. Its attempts and deliveries are younger. */
export const oldestEventAt = async (db: Db): Promise<Micros | undefined> => (await oldestEvent(db, {}))[0]?.created_at

const oldestEvent = prepared((db) =>
  db.selectFrom('events').select('created_at').orderBy('id').limit(1).modifyEnd(acrossWorkspaces('retention')),
)

interface PrunedTable {
  readonly name: 'delivery_attempts' | 'deliveries' | 'events'
  readonly time: 'started_at' | 'created_at'
  /** Which expired rows to delete. */
  readonly isRemovable: RawBuilder<boolean>
}

export const prunedTables: readonly PrunedTable[] = [
  { name: 'delivery_attempts', time: 'started_at', isRemovable: sql`true` },
  {
    name: 'deliveries',
    time: 'created_at',
    // Pending and held deliveries are kept at any age, unless their subscription was deleted.
    isRemovable: sql`(state in ('succeeded', 'failed') or exists (select 1 from subscriptions
        where subscriptions.workspace_id = deliveries.workspace_id and subscriptions.id = subscription_id
          and deleted_at is not null))
      and not exists (select 1 from delivery_attempts
        where delivery_attempts.workspace_id = deliveries.workspace_id and delivery_id = deliveries.id)`,
  },
  {
    name: 'events',
    time: 'created_at',
    isRemovable: sql`not exists (select 1 from deliveries
        where deliveries.workspace_id = events.workspace_id and event_id = events.id)
      and not exists (select 1 from unrouted_events
        where unrouted_events.workspace_id = events.workspace_id and event_id = events.id)`,
  },
]

/** The next expired rows by id, at most a batch. */
export async function findExpired(
  { db }: Store,
  { name, time }: PrunedTable,
  { lastId, before }: { readonly lastId: number; readonly before: Micros },
): Promise<RowRef[]> {
  const { rows } = await sql<RowRef & { at: Micros }>`select id, workspace_id as "workspaceId", ${sql.ref(time)} as at
    from ${sql.table(name)} where id > ${lastId} order by id limit ${batch} ${acrossWorkspaces('retention')}`.execute(
    db,
  )
  const firstToKeep = rows.findIndex(({ at }) => at >= before)
  return firstToKeep < 0 ? rows : rows.slice(0, firstToKeep)
}

export async function removeExpired(
  { dialect, db }: Store,
  table: PrunedTable,
  found: readonly RowRef[],
): Promise<number> {
  if (found.length === 0) return 0
  const { rows } = await sql`delete from ${sql.table(table.name)}
    where ${hasKey({ dialect, id: `${table.name}.id`, workspaceId: `${table.name}.workspace_id` }, found)}
      and ${table.isRemovable} returning id`.execute(db)
  return rows.length
}

/** Jobs are few. A finished job is kept as long as the deliveries it changed. */
export async function pruneJobs({ db }: Store, before: Micros): Promise<number> {
  const { rows } = await sql`delete from delivery_jobs where finished_at < ${before}
    and id in (select id from delivery_jobs order by id limit ${batch})
    returning id ${acrossWorkspaces('retention')}`.execute(db)
  return rows.length
}
