import type { Micros } from '../../core/clock.ts'
import { paceAllowsAt } from '../dispatch/gcra.ts'
import type { Health } from '../dispatch/health.ts'
import type { DueDelivery, RequestBuilder } from '../dispatch/request.ts'
import type { SavedQueue } from './queue-queries.ts'

/** The bodies in a worker's memory, fetched or under way. */
export interface Bodies {
  bytes: number
}

/** A queue that this worker has leased. */
export interface LeasedQueue {
  readonly subscriptionId: number
  readonly workspaceId: number
  buildRequest: RequestBuilder
  ratePerMinute: number | null
  /** Seconds before each attempt. */
  schedule: readonly number[]
  /** One after the other, in the order of the events. */
  fifo: boolean
  health: Health
  pacedUntil: Micros | null
  disabled: Disabled | undefined
  /** To be given to another worker as soon as nothing of it is under way. */
  isBeingReleased: boolean
  /**
   * As the clock measures: nothing is begun later, so that whoever was away for longer than its lease sends nothing that
   * another has taken over. Earlier than what the database says by the time that writing may have taken.
   */
  leaseEndsMs: number
  /** When its settings were read, as the clock measures. */
  readAtMs: number
  /** Fetched and waiting for a place. */
  ready: DueDelivery[]
  inFlight: number
  /** Fetched and not recorded yet: what must not be fetched again. */
  readonly known: Set<number>
  /** What the worker holds of bodies, over all its queues. */
  readonly bodies: Bodies
  /** Whether the database may have more that is due. */
  mayHaveMore: boolean
  /** When to fetch even so, as the clock measures: a retry may have become due meanwhile. */
  nextFetchAtMs: number
}

export interface Disabled {
  readonly at: Micros
  readonly reason: string
  /** By this worker, which has not written it down yet. */
  readonly isNew: boolean
}

/** Before this moment nothing may be sent, because the receiver fails or because of its rate. */
export const blockedUntil = ({ health, pacedUntil, ratePerMinute }: LeasedQueue): Micros =>
  Math.max(health.pausedUntil ?? 0, paceAllowsAt(pacedUntil, ratePerMinute))

/** How many requests may be under way at once. */
export const concurrencyLimit = ({ fifo, health }: LeasedQueue): number => (fifo ? 1 : health.sendLimit)

const fetchedInOrder = 64

/**
 * How many deliveries to fetch. Three waiting for each one under way keep the places filled while a batch of outcomes is
 * gathered and written. Where order counts, what comes next is known only when all before it is written down.
 */
export function prefetchCapacity({ fifo, health, ready, inFlight, known }: LeasedQueue): number {
  if (fifo) return known.size === 0 ? fetchedInOrder : 0
  return 4 * health.sendLimit - ready.length - inFlight
}

export const isReleasable = (queue: LeasedQueue, now: Micros): boolean =>
  queue.inFlight === 0 &&
  (queue.disabled !== undefined ||
    queue.isBeingReleased ||
    blockedUntil(queue) > now ||
    (queue.ready.length === 0 && !queue.mayHaveMore))

/** What is fetched and cannot go is forgotten; it still waits in the database. */
export function discardPrefetched(queue: LeasedQueue): void {
  for (const { id, size } of queue.ready) {
    queue.known.delete(id)
    queue.bodies.bytes -= size
  }
  queue.ready = []
}

export function toQueueUpdate(
  queue: LeasedQueue,
  letGo: { readonly dueAt: Micros | undefined; readonly now: Micros } | undefined,
): SavedQueue {
  const { health, isBeingReleased: isLeaving } = queue
  // One that is given away goes to the end of the line.
  const notBefore = Math.max(blockedUntil(queue), isLeaving ? (letGo?.now ?? 0) : 0)
  const disabled = queue.disabled?.isNew === true ? queue.disabled : undefined
  return {
    subscription_id: queue.subscriptionId,
    send_limit: health.sendLimit,
    failures_in_a_row: health.failuresInARow,
    paused_until: health.pausedUntil,
    paced_until: queue.pacedUntil,
    failing_since: health.failingSince,
    failing_days: health.failingDays,
    last_success_at: health.lastSuccessAt,
    last_failure_at: health.lastFailureAt,
    disabled_at: disabled?.at ?? null,
    disabled_reason: disabled?.reason ?? null,
    due_at: letGo?.dueAt === undefined ? null : Math.max(letGo.dueAt, notBefore),
    released: letGo === undefined ? 0 : 1,
  }
}
