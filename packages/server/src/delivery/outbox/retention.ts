import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { type Micros, microsPerDay, microsPerHour } from '../../core/clock.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { Db } from '../../store/database.ts'
import { hasKey } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Pruned } from '../../store/retention-queries.ts'
import type { Store } from '../../store/store.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'

/** How long to wait after everything prunable was deleted. Held deliveries stay, so age alone cannot decide. */
const pauseAfterWork = microsPerHour
const pauseWhenIdle = microsPerDay

const retentionPeriod = ({ config }: App) => config.deliveryRetentionDays * microsPerDay

export function createRetentionTask(app: App): MaintenanceTask {
  const prune = deliveryPruning(app)
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  let hasRemoved = false
  return {
    async nextDueAt() {
      const oldest = await oldestEventAt(app.db)
      if (oldest === undefined) return undefined
      const { clock } = app
      const pause = Math.max(0, Math.round((pausedUntilMs - clock.elapsedMs()) * 1000))
      const dueAt = oldest + retentionPeriod(app)
      return pause === 0 ? dueAt : Math.max(dueAt, clock.now() + pause)
    },
    async run() {
      const startedAtMs = app.clock.elapsedMs()
      let more = true
      while (more) {
        if (app.clock.elapsedMs() - startedAtMs > maxRunMs) return true
        const pruned = await prune()
        hasRemoved ||= pruned.removed > 0
        more = pruned.more
      }
      const didWork = hasRemoved
      pausedUntilMs = app.clock.elapsedMs() + (hasRemoved ? pauseAfterWork : pauseWhenIdle) / 1000
      hasRemoved = false
      return didWork
    },
  }
}

/** How long to delete before other maintenance gets its turn. */
const maxRunMs = 250
const batch = 500

/**
 * Each call deletes some expired attempts, deliveries, events, or jobs. The calls read each table once in id order, which is
 * the order of time, so that no batch reads again what an earlier one has kept or deleted.
 */
export function deliveryPruning(app: App): () => Promise<Pruned> {
  const start = { tables: prunedTables, lastId: 0 }
  let next = start
  return async () => {
    const { lastId, tables } = next
    const [table, ...others] = tables
    const before = app.clock.now() - retentionPeriod(app)
    if (table === undefined) {
      const removed = await inTransaction(app, ({ store }) => pruneJobs(store, before))
      if (removed < batch) next = start
      return { removed, more: removed >= batch }
    }
    const { expired, removed } = await inTransaction(app, async (app) => {
      // Processes take turns. Otherwise they would all wait to delete the same rows.
      await lockText(app, 'delivery retention')
      const expired = await findExpired(app.store, table, { lastId, before })
      return { expired, removed: await remove(app.store, table, expired) }
    })
    const last = expired[batch - 1]
    next = last === undefined ? { tables: others, lastId: 0 } : { tables, lastId: last.id }
    return { removed, more: true }
  }
}

/** The oldest event. Its attempts and deliveries are younger. */
const oldestEventAt = async (db: Db): Promise<Micros | undefined> => (await oldestEvent(db, {}))[0]?.created_at

const oldestEvent = prepared((db) =>
  db.selectFrom('events').select('created_at').orderBy('id').limit(1).modifyEnd(acrossWorkspaces('retention')),
)

interface PrunedTable {
  readonly name: 'delivery_attempts' | 'deliveries' | 'events'
  readonly time: 'started_at' | 'created_at'
  /** Which expired rows to delete. */
  readonly isRemovable: RawBuilder<boolean>
}

const prunedTables: readonly PrunedTable[] = [
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
async function findExpired(
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

async function remove({ dialect, db }: Store, table: PrunedTable, found: readonly RowRef[]): Promise<number> {
  if (found.length === 0) return 0
  const { rows } = await sql`delete from ${sql.table(table.name)}
    where ${hasKey({ dialect, id: `${table.name}.id`, workspaceId: `${table.name}.workspace_id` }, found)}
      and ${table.isRemovable} returning id`.execute(db)
  return rows.length
}

/** Jobs are few. A finished job is kept as long as the deliveries it changed. */
async function pruneJobs({ db }: Store, before: Micros): Promise<number> {
  const { rows } = await sql`delete from delivery_jobs where finished_at < ${before}
    and id in (select id from delivery_jobs order by id limit ${batch})
    returning id ${acrossWorkspaces('retention')}`.execute(db)
  return rows.length
}
