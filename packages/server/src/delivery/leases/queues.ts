import type { App, TxApp } from '../../context.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { disabledAfter, firstSendLimit, healthy } from '../dispatch/health.ts'
import { insertJob } from '../redelivery/job-queries.ts'
import type { QueueRef } from '../table.ts'
import * as queries from './queue-queries.ts'
import { findGivenUp, longestFailing } from './queue-queries.ts'

/** A subscription and its queue have the same key. */
const toQueue = ({ workspaceId, id }: RowRef): QueueRef => ({ workspaceId, subscriptionId: id })

/** Opens the queue of a new subscription. */
export async function createQueue(app: TxApp, at: RowRef): Promise<void> {
  await queries.insertQueue(app.db, toQueue(at))
  app.store.afterCommit(app.wakeSignal.notify)
}

/** Has the queue of a subscription looked at: something about it has changed. */
export async function wakeQueue(app: TxApp, at: RowRef): Promise<void> {
  await queries.markDue(app.store, [toQueue(at)], app.clock.scheduleNow())
  app.store.afterCommit(app.wakeSignal.notify)
}

/** Stops a queue. What waits in it is held, by a job because it may be a million; what comes is held from the start. */
export async function pauseQueue(app: TxApp, at: RowRef, reason: string): Promise<void> {
  const now = app.clock.now()
  app.store.noteWorkspaces([at.workspaceId])
  await queries.updateQueue(app.db, toQueue(at), { disabled_at: now, disabled_reason: reason })
  await insertJob(app.db, { kind: 'hold', ...toQueue(at), since: 0, lastId: 0, now })
  await wakeQueue(app, at)
}

/** Starts a queue afresh, as if its receiver had never failed. */
export async function resumeQueue(app: TxApp, at: RowRef): Promise<void> {
  await queries.updateQueue(app.db, toQueue(at), {
    disabled_at: null,
    disabled_reason: null,
    send_limit: firstSendLimit,
    failures_in_a_row: healthy.failuresInARow,
    paused_until: healthy.pausedUntil,
    failing_since: healthy.failingSince,
    failing_days: healthy.failingDays,
    due_at: app.clock.scheduleNow(),
  })
  app.store.afterCommit(app.wakeSignal.notify)
}

const atOnce = 100

/** Disables what has failed for too long when that time is over: the next attempt may be a day away, or never come. */
export function createDisablingTask(app: App): MaintenanceTask {
  return {
    async nextDueAt() {
      const since = await longestFailing(app.db)
      return since === undefined ? undefined : app.clock.toWall(since + disabledAfter)
    },
    run: () =>
      inTransaction(app, async (app) => {
        const failingSince = app.clock.scheduleNow() - disabledAfter
        const found = await findGivenUp(app.store, { failingSince, limit: atOnce })
        for (const { workspaceId, subscriptionId: id } of found) {
          await pauseQueue(app, { workspaceId, id }, 'failing')
          app.store.afterCommit(() => noteDisabled(app, { subscription_id: id, workspace_id: workspaceId }, 'failing'))
        }
        return found.length > 0
      }),
  }
}

export function noteDisabled(
  { log }: Pick<App, 'log'>,
  subscription: { readonly subscription_id: number; readonly workspace_id: number },
  reason: string,
): void {
  log.warn(`Subscription ${subscription.subscription_id} is disabled (${reason}); its deliveries are held.`, {
    ...subscription,
    reason,
  })
}
