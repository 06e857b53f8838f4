import type { Iteration } from '../../runtime/run-loop.ts'
import { inQuickTransaction } from '../../store/transaction.ts'
import type { QueueRef } from '../table.ts'
import { isShared } from './lease-balancing.ts'
import { extendLease } from './leased-queue.ts'
import { extendLeases, type Lease } from './queue-queries.ts'
import type { WorkerState } from './worker-state.ts'

// Where processes share a database, a lease is short and is renewed by a heartbeat: the queues of a process that has died
// are taken over in some seconds, and one that was stopped for longer sends nothing, because before each request it looks
// at how much time has passed for itself. Nobody shares SQLite, so there a lease hardly matters and is hardly renewed.

const sharedLeaseMs = 4000
const ownLeaseMs = 30_000

export const usualLeaseMs = (worker: Pick<WorkerState, 'app'>): number =>
  isShared(worker) ? sharedLeaseMs : ownLeaseMs

/** A lease as the database knows it, and when its holder takes it to be over. */
export interface OwnLease extends Lease {
  /** As the clock measures. An eighth earlier, for what writing it down may take. */
  readonly endsMs: number
}

/** Both ends are counted from before it is written. */
export function leaseOf({ app: { clock }, token, leaseMs }: WorkerState): OwnLease {
  const now = clock.scheduleNow()
  return { token, now, until: now + leaseMs * 1000, endsMs: clock.elapsedMs() + (leaseMs * 7) / 8 }
}

/** Renews all leases at once, beside the rounds of the worker: a round that takes long must not cost it its queues. */
export async function renewLeases(worker: WorkerState, wake: () => void): Promise<Iteration> {
  const lookAgainInMs = worker.leaseMs / 4
  const queues = [...worker.leased.values()]
  if (queues.length === 0) return { didWork: false, nextRunInMs: lookAgainInMs }
  const lease = leaseOf(worker)
  const extended = await inQuickTransaction(worker.app, ({ store }) => extendLeases(store, lease, queues)).catch(
    // The database is away: the worker's own rounds say so, and send nothing as soon as the leases have ended.
    (): QueueRef[] => [],
  )
  let wasOver = false
  for (const { subscriptionId } of extended) {
    const queue = worker.leased.get(subscriptionId)
    if (queue === undefined) continue
    wasOver ||= queue.leaseEndsMs <= worker.app.clock.elapsedMs()
    extendLease(queue, lease.endsMs)
  }
  if (wasOver) wake()
  return { didWork: false, nextRunInMs: lookAgainInMs }
}
