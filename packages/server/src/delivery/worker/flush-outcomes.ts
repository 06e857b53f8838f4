import type { Micros } from '../../core/clock.ts'
import { inQuickTransaction } from '../../store/transaction.ts'
import {
  discardPrefetched,
  expectMore,
  forget,
  isReleasable,
  type LeasedQueue,
  newlyDisabled,
  toQueueUpdate,
} from '../queues/leased-queue.ts'
import { findNextDue, insertJob, saveQueues } from '../queues/queue-queries.ts'
import { logDisabled } from '../queues/queues.ts'
import { recordAttempts } from '../queues/record-queries.ts'
import type { RecordableOutcome, WorkerState } from './worker-state.ts'

/** Records the outcomes since the last flush in one transaction, and releases finished queues. */
export async function flushOutcomes(worker: WorkerState): Promise<boolean> {
  const now = worker.app.clock.scheduleNow()
  const releasable = [...worker.leased.values()].filter(
    (queue) => isReleasable(queue, now) || (worker.phase !== 'working' && queue.inFlight === 0),
  )
  const isFlushDue = worker.shouldFlush || worker.phase !== 'working'
  if (releasable.length === 0 && (!isFlushDue || worker.outcomes.length === 0)) return false
  const { outcomes: flushed } = worker
  worker.outcomes = []
  worker.shouldFlush = false
  // Nothing more may start in these queues: another worker may lease them as soon as this commits.
  for (const queue of releasable) discardPrefetched(queue)
  try {
    await write(worker, { outcomes: flushed, releasable: new Set(releasable), now })
  } catch (fault) {
    worker.outcomes = [...flushed, ...worker.outcomes]
    worker.shouldFlush = true
    for (const queue of releasable) expectMore(queue)
    throw fault
  }
  release(worker, flushed, releasable)
  return true
}

interface Flush {
  readonly outcomes: readonly RecordableOutcome[]
  readonly releasable: ReadonlySet<LeasedQueue>
  readonly now: Micros
}

function write({ app, token }: WorkerState, { outcomes, releasable, now }: Flush): Promise<void> {
  const queues = [...new Set([...outcomes.map(({ queue }) => queue), ...releasable])]
  // If a power failure undoes this commit, the deliveries are sent again, so it does not wait for the disk.
  return inQuickTransaction(app, async ({ store, db }) => {
    store.noteWorkspaces(queues.map(({ workspaceId }) => workspaceId))
    await recordAttempts(
      store,
      outcomes.map(({ attempt }) => attempt),
    )
    const dueAt = releasable.size === 0 ? new Map<number, Micros>() : await findNextDue(store, [...releasable])
    const rows = queues.map((queue) =>
      toQueueUpdate(queue, releasable.has(queue) ? { dueAt: dueAt.get(queue.subscriptionId), now } : undefined),
    )
    await saveQueues(store, token, rows)
    for (const queue of releasable) {
      if (newlyDisabled(queue) !== undefined)
        await insertJob(db, { kind: 'hold', since: 0, lastId: 0, ...queue, now: app.clock.now() })
    }
  })
}

function release(
  { app, leased }: WorkerState,
  outcomes: readonly RecordableOutcome[],
  releasable: readonly LeasedQueue[],
): void {
  for (const { queue, attempt } of outcomes) forget(queue, attempt.delivery_id)
  for (const queue of releasable) {
    leased.delete(queue.subscriptionId)
    const disabled = newlyDisabled(queue)
    const ids = { subscription_id: queue.subscriptionId, workspace_id: queue.workspaceId }
    if (disabled !== undefined) logDisabled(app, ids, disabled.reason)
    if (queue.state.kind === 'handing-over') app.wakeSignal.notify()
  }
}
