import { type Micros, microsPerSecond } from '../../core/clock.ts'
import { concurrencyLimit, handOver, type LeasedQueue } from './leased-queue.ts'
import { maxInFlight, maxLeasedQueues, type WorkerState } from './worker-state.ts'

// Workers on one database share its queues without messages between them: each leases only as many as should fill its
// free places, leaves the rest to the others for a moment, and gives back what it has too much of.

/** What a queue is thought to have before one was looked into. */
export const initialMeanQueueLength = 32
/** How long a full worker leaves a due queue to those who have places. */
const patience = microsPerSecond / 2
const overPatience = 4
const releaseAtMostEveryMs = 250

export interface LeaseQuota {
  readonly places: number
  /** Only queues that were due by then. */
  readonly dueBy: Micros
}

/** How many queues to lease. */
export function leaseQuota(worker: WorkerState, now: Micros): LeaseQuota {
  const left = maxLeasedQueues - worker.leased.size
  if (!isShared(worker)) return { places: worker.inFlight < maxInFlight ? left : 0, dueBy: now }
  const free = maxInFlight - demandOn(worker)
  if (free <= 0) return { places: Math.min(left, overPatience), dueBy: now - patience }
  return { places: Math.min(left, Math.ceil(free / worker.meanQueueLength)), dueBy: now }
}

/** Where there is clearly more to send than there are places, releases the queue with the fewest deliveries in flight. */
export function releaseExcess(worker: WorkerState): void {
  const now = worker.app.clock.elapsedMs()
  if (!isShared(worker) || worker.inFlight < maxInFlight || now - worker.lastReleasedAtMs < releaseAtMostEveryMs) return
  const [least] = [...worker.leased.values()]
    .filter(({ state }) => state.kind !== 'handing-over')
    .sort((one, other) => one.inFlight - other.inFlight)
  if (least === undefined || demandOn(worker) - demandOf(least) < maxInFlight) return
  worker.lastReleasedAtMs = now
  handOver(least)
}

/** Whether other processes may be at the same database. */
export const isShared = ({ app }: Pick<WorkerState, 'app'>) => app.store.signals !== undefined

/** The places that a queue would take if it got all it may have. */
const demandOf = (queue: LeasedQueue): number => Math.min(concurrencyLimit(queue), queue.inFlight + queue.ready.length)

const demandOn = ({ leased }: WorkerState): number =>
  [...leased.values()].reduce((sum, queue) => sum + demandOf(queue), 0)
