import type { TxApp } from '../../core/context.ts'
import { firstSendLimit, healthy } from '../dispatch/health.ts'
import { insertJob } from '../redelivery/job-queries.ts'
import * as queries from './queue-queries.ts'

/** Opens the queue of a new subscription. */
export async function createQueue(app: TxApp, subscriptionId: number): Promise<void> {
  await queries.insertQueue(app.db, subscriptionId)
  app.store.afterCommit(app.wakeSignal.notify)
}

/** Has the queue of a subscription looked at: something about it has changed. */
export async function wakeQueue(app: TxApp, subscriptionId: number): Promise<void> {
  await queries.markDue(app.store, [subscriptionId], app.clock.scheduleNow())
  app.store.afterCommit(app.wakeSignal.notify)
}

/** Stops a queue. What waits in it is held, by a job because it may be a million; what comes is held from the start. */
export async function pauseQueue(
  app: TxApp,
  { workspaceId, id }: { workspaceId: number; id: number },
  reason: string,
): Promise<void> {
  const now = app.clock.now()
  app.store.noteWorkspaces([workspaceId])
  await queries.updateQueue(app.db, id, { disabled_at: now, disabled_reason: reason })
  await insertJob(app.db, { kind: 'hold', workspaceId, subscriptionId: id, since: 0, lastId: 0, now })
  await wakeQueue(app, id)
}

/** Starts a queue afresh, as if its receiver had never failed. */
export async function resumeQueue(app: TxApp, subscriptionId: number): Promise<void> {
  await queries.updateQueue(app.db, subscriptionId, {
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
