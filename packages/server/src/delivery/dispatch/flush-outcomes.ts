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
} from '../leases/leased-queue.ts'
import { lockQueues, nextDueOf, saveQueues } from '../leases/queue-queries.ts'
import { noteDisabled } from '../leases/queues.ts'
import type { RecordableOutcome, WorkerState } from '../leases/worker-state.ts'
import { insertJob } from '../redelivery/job-queries.ts'
import { recordAttempts } from './record-queries.ts'

/** Records the outcomes since the last flush in one transaction, and releases finished queues. */
export async function flushOutcomes(worker: WorkerState): Promise<boolean> {
  const now = worker.app.clock.scheduleNow()
  const done = [...worker.leased.values()].filter(
    (queue) => isReleasable(queue, now) || (worker.phase !== 'working' && queue.inFlight === 0),
  )
  const isTime = worker.shouldFlush || worker.phase !== 'working'
  if (done.length === 0 && (!isTime || worker.outcomes.length === 0)) return false
  const { outcomes: finished } = worker
  worker.outcomes = []
  worker.shouldFlush = false
  // Nothing more may start in these queues: another worker may lease them as soon as this commits.
  for (const queue of done) discardPrefetched(queue)
  try {
    await write(worker, { finished, done: new Set(done), now })
  } catch (fault) {
    worker.outcomes = [...finished, ...worker.outcomes]
    worker.shouldFlush = true
    for (const queue of done) expectMore(queue)
    throw fault
  }
  release(worker, finished, done)
  return true
}

interface Written {
  readonly finished: readonly RecordableOutcome[]
  readonly done: ReadonlySet<LeasedQueue>
  readonly now: Micros
}

function write({ app, token }: WorkerState, { finished, done, now }: Written): Promise<void> {
  const queues = [...new Set([...finished.map(({ queue }) => queue), ...done])]
  // If a power failure undoes this commit, the deliveries are sent again, so it does not wait for the disk.
  return inQuickTransaction(app, async ({ store, db }) => {
    store.noteWorkspaces(queues.map(({ workspaceId }) => workspaceId))
    await lockQueues(store, queues)
    await recordAttempts(
      store,
      finished.map(({ attempt }) => attempt),
    )
    const dueAt = done.size === 0 ? new Map<number, Micros>() : await nextDueOf(store, [...done])
    const rows = queues.map((queue) =>
      toQueueUpdate(queue, done.has(queue) ? { dueAt: dueAt.get(queue.subscriptionId), now } : undefined),
    )
    await saveQueues(store, token, rows)
    for (const queue of done) {
      if (newlyDisabled(queue) !== undefined)
        await insertJob(db, { kind: 'hold', since: 0, lastId: 0, ...queue, now: app.clock.now() })
    }
  })
}

function release(
  { app, leased }: WorkerState,
  finished: readonly RecordableOutcome[],
  done: readonly LeasedQueue[],
): void {
  for (const { queue, attempt } of finished) forget(queue, attempt.delivery_id)
  for (const queue of done) {
    leased.delete(queue.subscriptionId)
    const disabled = newlyDisabled(queue)
    const who = { subscription_id: queue.subscriptionId, workspace_id: queue.workspaceId }
    if (disabled !== undefined) noteDisabled(app, who, disabled.reason)
    if (queue.state.kind === 'handing-over') app.wakeSignal.notify()
  }
}
