import { sql } from 'kysely'
import type { App, TxApp } from '../../context.ts'
import { type Micros, microsPerSecond } from '../../core/clock.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { Db } from '../../store/database.ts'
import { inTransaction } from '../../store/transaction.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import { disabledAfter, firstSendLimit, healthy } from '../dispatch/health.ts'
import { insertJob } from '../redelivery/job-queries.ts'
import type { QueueRef } from '../table.ts'
import * as queries from './queue-queries.ts'

/** A subscription and its queue share a key. */
const toQueue = ({ workspaceId, id }: RowRef): QueueRef => ({ workspaceId, subscriptionId: id })

export async function createQueue(app: TxApp, subscription: RowRef): Promise<void> {
  await queries.insertQueue(app.db, toQueue(subscription))
  app.store.afterCommit(app.wakeSignal.notify)
}

/** Marks the queue of a subscription due after a change. */
export async function wakeQueue(app: TxApp, subscription: RowRef): Promise<void> {
  await queries.markDue(app.store, [toQueue(subscription)], app.clock.scheduleNow())
  app.store.afterCommit(app.wakeSignal.notify)
}

/** Stops a queue. A job holds its pending deliveries, which may be a million; new ones are held from the start. */
export async function pauseQueue(app: TxApp, subscription: RowRef, reason: string): Promise<void> {
  await queries.updateQueue(app.db, toQueue(subscription), { disabled_at: app.clock.now(), disabled_reason: reason })
  await holdDeliveries(app, subscription)
}

async function holdDeliveries(app: TxApp, subscription: RowRef): Promise<void> {
  app.store.noteWorkspaces([subscription.workspaceId])
  await insertJob(app.db, { kind: 'hold', ...toQueue(subscription), since: 0, lastId: 0, now: app.clock.now() })
  await wakeQueue(app, subscription)
}

/** Restarts a queue with the health of a receiver that never failed. */
export async function resumeQueue(app: TxApp, subscription: RowRef): Promise<void> {
  await queries.updateQueue(app.db, toQueue(subscription), {
    disabled_at: null,
    disabled_reason: null,
    send_limit: firstSendLimit,
    failures_in_a_row: healthy.failuresInARow,
    paused_until: healthy.pausedUntil,
    failing_since: healthy.failingSince,
    failing_days: healthy.failingDays,
  })
  await wakeQueue(app, subscription)
}

const batch = 100

/** Disables long-failing subscriptions on time: their next attempt may be a day away, or never come. */
export function createDisablingTask(app: App): MaintenanceTask {
  return {
    async nextDueAt() {
      const since = await queries.longestFailing(app.db)
      return since === undefined ? undefined : app.clock.toWall(since + disabledAfter)
    },
    async run() {
      const failingSince = app.clock.scheduleNow() - disabledAfter
      const found = await queries.findLongFailing(app.store, { failingSince, limit: batch })
      for (const queue of found) await inTransaction(app, (app) => disableFailing(app, queue, failingSince))
      return found.length > 0
    },
  }
}

async function disableFailing(app: TxApp, queue: QueueRef, failingSince: Micros): Promise<void> {
  const { workspaceId, subscriptionId: id } = queue
  if (!(await queries.disableLongFailing(app.db, queue, { failingSince, now: app.clock.now() }))) return
  await holdDeliveries(app, { workspaceId, id })
  app.store.afterCommit(() => logDisabled(app, { subscription_id: id, workspace_id: workspaceId }, 'failing'))
}

export function logDisabled(
  { log }: Pick<App, 'log'>,
  subscription: { readonly subscription_id: number; readonly workspace_id: number },
  reason: string,
): void {
  log.warn(`Subscription ${subscription.subscription_id} is disabled (${reason}); its deliveries are held.`, {
    ...subscription,
    reason,
  })
}

// A data directory belongs to one process, and only the wall clock measures time between two processes. So the next
// process reclaims the leases of the last one. If the wall clock was changed, it shifts all due times by that amount:
// what was due in five seconds stays due in five seconds.

/** Smaller differences are not stored. */
const minOffset = 2 * microsPerSecond

export async function resumeQueues(app: App): Promise<void> {
  if (app.config.data === undefined || app.config.databaseUrl !== undefined) return
  await inTransaction(app, async ({ db, clock }) => {
    const now = clock.scheduleNow()
    await sql`update delivery_queues set lease_until = null, lease_token = null, notified_at = null,
        due_at = ${now}
      where lease_token is not null ${acrossWorkspaces('delivery')}`.execute(db)
    const aheadBy = await aheadOfWall(db, clock.now())
    if (Math.abs(aheadBy) > minOffset) await moveSchedule(db, -aheadBy)
    await sql`delete from delivery_schedule`.execute(db)
  })
}

/**
 * How far the schedule of the last process was ahead of the wall clock: the stored offset, or the newest stored time if
 * it lies in the future.
 */
async function aheadOfWall(db: Db, now: Micros): Promise<Micros> {
  const { rows } = await sql<{ ahead_by: number | null; event_at: number | null; attempt_at: number | null }>`select
    (select ahead_by from delivery_schedule) as ahead_by,
    (select created_at from events order by id desc limit 1) as event_at,
    (select started_at from delivery_attempts order by id desc limit 1) as attempt_at
    ${acrossWorkspaces('delivery')}`.execute(db)
  const [row] = rows
  const ahead = row?.ahead_by ?? 0
  const setBack = Math.max(row?.event_at ?? now, row?.attempt_at ?? now) - now
  return setBack > minOffset ? Math.max(ahead, setBack) : ahead
}

async function moveSchedule(db: Db, by: Micros): Promise<void> {
  await sql`update deliveries set next_attempt_at = next_attempt_at + ${by} where state = 'pending'
    ${acrossWorkspaces('delivery')}`.execute(db)
  await sql`update delivery_queues set due_at = due_at + ${by}, paused_until = paused_until + ${by},
    paced_until = paced_until + ${by}, failing_since = failing_since + ${by},
    last_success_at = last_success_at + ${by}, last_failure_at = last_failure_at + ${by}
    ${acrossWorkspaces('delivery')}`.execute(db)
}

/** Stores the schedule's offset from the wall clock whenever the wall clock was changed. */
export function scheduleOffsetWriter(app: App): () => Promise<void> {
  let stored: Micros = 0
  return async () => {
    const { clock, store, config } = app
    if (store.dialect !== 'sqlite' || config.data === undefined) return
    const aheadBy = clock.scheduleNow() - clock.now()
    if (Math.abs(aheadBy - stored) <= minOffset) return
    await inTransaction(app, ({ db }) =>
      sql`insert into delivery_schedule (id, ahead_by) values (1, ${aheadBy})
        on conflict (id) do update set ahead_by = excluded.ahead_by`.execute(db),
    )
    stored = aheadBy
  }
}
