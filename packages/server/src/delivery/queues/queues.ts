import type { App, TxApp } from '../../context.ts'
import { type Micros, microsPerSecond } from '../../core/clock.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { Db } from '../../store/database.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { QueueRef } from '../table.ts'
import { disabledAfter, firstSendLimit, healthy } from './health.ts'
import * as queries from './queue-queries.ts'
import * as schedule from './schedule-queries.ts'

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

/** Sends at once, although the last requests failed: an administrator says that the receiver works again. */
export async function endPause(app: TxApp, subscription: RowRef): Promise<void> {
  await queries.updateQueue(app.db, toQueue(subscription), { paused_until: null })
  await wakeQueue(app, subscription)
}

/** Stops a queue. A job holds its pending deliveries, which may be a million; new ones are held from the start. */
export async function pauseQueue(app: TxApp, subscription: RowRef, reason: string): Promise<void> {
  await queries.updateQueue(app.db, toQueue(subscription), { disabled_at: app.clock.now(), disabled_reason: reason })
  await holdDeliveries(app, subscription)
}

async function holdDeliveries(app: TxApp, subscription: RowRef): Promise<void> {
  app.store.noteWorkspaces([subscription.workspaceId])
  await queries.insertJob(app.db, { kind: 'hold', ...toQueue(subscription), since: 0, lastId: 0, now: app.clock.now() })
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
    await schedule.reclaimLeases(db, now)
    const aheadBy = await aheadOfWall(db, clock.now())
    if (Math.abs(aheadBy) > minOffset) await schedule.moveSchedule(db, -aheadBy)
    await schedule.deleteOffset(db)
  })
}

/**
 * How far the schedule of the last process was ahead of the wall clock: the stored offset, or the newest stored time if
 * it lies in the future.
 */
async function aheadOfWall(db: Db, now: Micros): Promise<Micros> {
  const { aheadBy, eventAt, attemptAt } = await schedule.lastTimes(db)
  const setBack = Math.max(eventAt ?? now, attemptAt ?? now) - now
  return setBack > minOffset ? Math.max(aheadBy ?? 0, setBack) : (aheadBy ?? 0)
}

/** Stores the schedule's offset from the wall clock whenever the wall clock was changed. */
export function scheduleOffsetWriter(app: App): () => Promise<void> {
  let stored: Micros = 0
  return async () => {
    const { clock, store, config } = app
    if (store.dialect !== 'sqlite' || config.data === undefined) return
    const aheadBy = clock.scheduleNow() - clock.now()
    if (Math.abs(aheadBy - stored) <= minOffset) return
    await inTransaction(app, ({ db }) => schedule.saveOffset(db, aheadBy))
    stored = aheadBy
  }
}
