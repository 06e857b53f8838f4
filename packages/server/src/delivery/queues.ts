import type { TxApp } from '../context.ts'
import { firstSendLimit, healthy } from './health.ts'
import { insertJob } from './job-queries.ts'
import * as queries from './queue-queries.ts'

/** Opens the queue of a new subscription. */
export async function openQueue(app: TxApp, subscriptionId: number): Promise<void> {
  await queries.insertQueue(app.db, subscriptionId)
  app.store.afterCommit(app.bell.ring)
}

/** Has the queue of a subscription looked at: something about it has changed. */
export async function stirQueue(app: TxApp, subscriptionId: number): Promise<void> {
  await queries.markDue(app.store, [subscriptionId], app.clock.now())
  app.store.afterCommit(app.bell.ring)
}

/** Stops a queue. What waits in it is held, by a job because it may be a million; what comes is held from the start. */
export async function closeQueue(
  app: TxApp,
  { workspaceId, id }: { workspaceId: number; id: number },
  reason: string,
): Promise<void> {
  const now = app.clock.now()
  await queries.updateQueue(app.db, id, { disabled_at: now, disabled_reason: reason })
  await insertJob(app.db, { kind: 'hold', workspaceId, subscriptionId: id, since: 0, lastId: 0, now })
  await stirQueue(app, id)
}

/** Starts a queue afresh, as if its receiver had never failed. */
export async function reopenQueue(app: TxApp, subscriptionId: number): Promise<void> {
  await queries.updateQueue(app.db, subscriptionId, {
    disabled_at: null,
    disabled_reason: null,
    send_limit: firstSendLimit,
    failures_in_a_row: healthy.failuresInARow,
    paused_until: healthy.pausedUntil,
    failing_since: healthy.failingSince,
    due_at: app.clock.now(),
  })
  app.store.afterCommit(app.bell.ring)
}
