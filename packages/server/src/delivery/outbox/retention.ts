import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { type Micros, microsPerDay, microsPerHour } from '../../core/clock.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { Db } from '../../store/database.ts'
import { hasKey } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Pruned } from '../../store/retention-queries.ts'
import type { Store } from '../../store/store.ts'
import { inTransaction } from '../../store/transaction.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'

/** How long to wait after everything prunable was deleted. Held deliveries stay, so age alone cannot decide. */
const pauseAfterWork = microsPerHour
const pauseWhenIdle = microsPerDay

const retentionPeriod = ({ config }: App) => config.deliveryRetentionDays * microsPerDay

export function createRetentionTask(app: App): MaintenanceTask {
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
      const { removed, more } = await pruneDeliveries(app)
      hasRemoved ||= removed > 0
      if (more) return true
      pausedUntilMs = app.clock.elapsedMs() + (hasRemoved ? pauseAfterWork : pauseWhenIdle) / 1000
      hasRemoved = false
      return removed > 0
    },
  }
}

const batch = 500

/** Deletes expired attempts, deliveries, events, and jobs, a few hundred of each per run. */
export const pruneDeliveries = (app: App): Promise<Pruned> =>
  inTransaction(app, ({ store }) => pruneSome(store, app.clock.now() - retentionPeriod(app)))

async function pruneSome(store: Store, before: Micros): Promise<Pruned> {
  const attempts = await pruneAttempts(store, before)
  const deliveries = await pruneFinished(store, before)
  const events = await pruneEvents(store, before)
  const jobs = await pruneJobs(store, before)
  const removed = attempts + deliveries + events + jobs
  return { removed, more: Math.max(attempts, deliveries, events, jobs) >= batch }
}

/** The oldest event. Its attempts and deliveries are younger. */
const oldestEventAt = async (db: Db): Promise<Micros | undefined> => (await oldestEvent(db, {}))[0]?.created_at

const oldestEvent = prepared((db) =>
  db.selectFrom('events').select('created_at').orderBy('id').limit(1).modifyEnd(acrossWorkspaces('retention')),
)

/** Ids grow with time, so the oldest rows are found without an extra index. */
async function pruneAttempts({ db }: Store, before: Micros): Promise<number> {
  const { rows } = await sql`delete from delivery_attempts where started_at < ${before}
    and id in (select id from delivery_attempts order by id limit ${batch})
    returning id ${acrossWorkspaces('retention')}`.execute(db)
  return rows.length
}

/** Pending and held deliveries are kept at any age, unless their subscription was deleted. */
async function pruneFinished(store: Store, before: Micros): Promise<number> {
  const { rows } = await sql<RowRef>`${acrossWorkspaces('retention')}
    select deliveries.id, deliveries.workspace_id as "workspaceId" from deliveries
    join subscriptions on subscriptions.workspace_id = deliveries.workspace_id and subscriptions.id = subscription_id
    where deliveries.id < ${firstToKeep('deliveries', before)} and (state in ('succeeded', 'failed') or deleted_at is not null)
      and not exists (select 1 from delivery_attempts
        where delivery_attempts.workspace_id = deliveries.workspace_id and delivery_id = deliveries.id)
    order by deliveries.id limit ${batch}`.execute(store.db)
  return remove(store, 'deliveries', rows)
}

async function pruneEvents(store: Store, before: Micros): Promise<number> {
  const { rows } = await sql<RowRef>`${acrossWorkspaces('retention')}
    select id, workspace_id as "workspaceId" from events
    where id < ${firstToKeep('events', before)}
      and not exists (select 1 from deliveries
        where deliveries.workspace_id = events.workspace_id and event_id = events.id)
      and not exists (select 1 from unrouted_events
        where unrouted_events.workspace_id = events.workspace_id and event_id = events.id)
    order by id limit ${batch}`.execute(store.db)
  return remove(store, 'events', rows)
}

/** Jobs are few. A finished job is kept as long as the deliveries it changed. */
async function pruneJobs({ db }: Store, before: Micros): Promise<number> {
  const { rows } = await sql`delete from delivery_jobs where finished_at < ${before}
    and id in (select id from delivery_jobs order by id limit ${batch})
    returning id ${acrossWorkspaces('retention')}`.execute(db)
  return rows.length
}

type Table = 'deliveries' | 'events'

/** The first id that is young enough to keep. The scan for expired rows stops there. */
const firstToKeep = (table: Table, before: Micros) =>
  sql`coalesce((select id from ${sql.table(table)} where created_at >= ${before} order by id limit 1), ${Number.MAX_SAFE_INTEGER})`

async function remove({ dialect, db }: Store, table: Table, found: readonly RowRef[]): Promise<number> {
  if (found.length > 0)
    await sql`delete from ${sql.table(table)}
      where ${hasKey({ dialect, id: 'id', workspaceId: 'workspace_id' }, found)}`.execute(db)
  return found.length
}
