import type { Iteration } from '../../runtime/run-loop.ts'
import { inQuickTransaction } from '../../store/transaction.ts'
import { extendLease, type LeasedQueue } from '../queues/leased-queue.ts'
import { extendLeases, type Lease } from '../queues/queue-queries.ts'
import type { QueueRef } from '../table.ts'
import type { WorkerState } from './worker-state.ts'

/** Renews all leases, independently of the worker's iterations: a slow iteration must not lose its queues. */
export async function renewLeases(worker: WorkerState, wake: () => void): Promise<Iteration> {
  const nextRunInMs = worker.leaseMs / 4
  const queues = [...worker.leased.values()]
  if (queues.length === 0) return { didWork: false, nextRunInMs }
  const lease = createLease(worker)
  const extended = await inQuickTransaction(worker.app, ({ store }) => extendLeases(store, lease, queues)).catch(
    // The database is unreachable. The worker's iterations report it, and send nothing once the leases have expired.
    (): undefined => undefined,
  )
  if (extended === undefined) return { didWork: false, nextRunInMs }
  countLost(worker, queues, extended)
  let hadExpired = false
  for (const { subscriptionId } of extended) {
    const queue = worker.leased.get(subscriptionId)
    if (queue === undefined) continue
    hadExpired ||= queue.leaseEndsMs <= worker.app.clock.elapsedMs()
    extendLease(queue, lease.endsMs)
  }
  if (hadExpired) wake()
  return { didWork: false, nextRunInMs }
}

/** Queues that were counted as lost. */
const lost = new WeakSet<LeasedQueue>()

/** Only an expired lease can be taken over. One that has not expired was released by this worker meanwhile. */
function countLost({ app, leased }: WorkerState, held: readonly LeasedQueue[], extended: readonly QueueRef[]): void {
  const kept = new Set(extended.map(({ subscriptionId }) => subscriptionId))
  for (const queue of held) {
    const { subscriptionId, workspaceId, leaseEndsMs } = queue
    if (kept.has(subscriptionId) || lost.has(queue) || leased.get(subscriptionId) !== queue) continue
    if (leaseEndsMs > app.clock.elapsedMs()) continue
    lost.add(queue)
    app.metrics.leaseLost()
    app.log.warn(
      `Another server took over the queue of webhook ${subscriptionId}, because its lease was not renewed.`,
      {
        subscription_id: subscriptionId,
        workspace_id: workspaceId,
      },
    )
  }
}

/** Whether other processes may use the same database. */
export const isShared = ({ app }: Pick<WorkerState, 'app'>) => app.store.signals !== undefined

// On a shared database, a lease is short and a heartbeat renews it. The queues of a dead process are taken over within
// seconds. A process that was suspended for longer sends nothing, because it checks the elapsed time before each
// request. SQLite is not shared, so there the lease is long and rarely renewed.

const sharedLeaseMs = 4000
const ownLeaseMs = 30_000

export const defaultLeaseMs = (worker: Pick<WorkerState, 'app'>): number =>
  isShared(worker) ? sharedLeaseMs : ownLeaseMs

/** A lease as stored in the database, and when its holder considers it expired. */
export interface OwnLease extends Lease {
  /** On the monotonic clock. An eighth earlier, to allow for the time of the write. */
  readonly endsMs: number
}

/** Both ends are counted from before the write. */
export function createLease({ app: { clock }, token, leaseMs }: WorkerState): OwnLease {
  const now = clock.scheduleNow()
  return { token, now, until: now + leaseMs * 1000, endsMs: clock.elapsedMs() + (leaseMs * 7) / 8 }
}
