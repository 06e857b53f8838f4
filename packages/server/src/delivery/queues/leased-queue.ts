import { type Micros, microsPerMinute } from '../../core/clock.ts'
import type { Health } from './health.ts'
import type { SavedQueue } from './queue-queries.ts'
import type { DueDelivery, RequestBuilder } from './request.ts'

// The states of a queue in the memory of a worker. Only the functions of this file change them.
//
//     database ──▶ sending ──────── disable ──────▶ disabled
//     (leased)     │  │  ▲                          │    │
//                  │  │  └── applySettings: enabled ┘    │
//                  │  └───── handOver ──▶ handing over ──┤
//                  │                                     │
//                  └─ empty, paused or paced ────────────┴──▶ isReleasable ──▶ database
//                     (nothing in flight)                     (flushOutcomes)
//
// The states of a delivery in it:
//
//     database ── addFetched ──▶ ready ── beginAttempt ──▶ in flight ── endAttempt ──▶ known ── forget ──▶ database
//                                  └───────────────── discardPrefetched ──────────────────────────────────▲

export interface LeasedQueue {
  readonly subscriptionId: number
  readonly workspaceId: number
  readonly settings: QueueSettings
  readonly state: QueueState
  readonly health: Health
  readonly pacedUntil: Micros | null
  /**
   * On the monotonic clock. No request starts later, so a worker that was suspended for longer than its lease sends
   * nothing that another worker has taken over. Earlier than in the database, to allow for the time of the write.
   */
  readonly leaseEndsMs: number
  /** When its settings were read, on the monotonic clock. */
  readonly readAtMs: number
  readonly ready: DueDelivery[]
  readonly inFlight: number
  /** Fetched and not recorded yet; must not be fetched again. */
  readonly known: Set<number>
  readonly bodies: Bodies
  readonly mayHaveMore: boolean
  /** When to fetch even without a notification, on the monotonic clock: a retry may have become due. */
  readonly nextFetchAtMs: number
}

interface QueueSettings {
  readonly buildRequest: RequestBuilder
  readonly ratePerMinute: number | null
  readonly schedule: readonly number[]
  /** One at a time, in event order. */
  readonly fifo: boolean
}

/** A queue that is `handing-over` is released to another worker once nothing is in flight. */
type QueueState = { readonly kind: 'sending' | 'handing-over' } | Disabled

export interface Disabled {
  readonly kind: 'disabled'
  readonly at: Micros
  readonly reason: string
  /** True if this worker disabled it and has not recorded that yet. */
  readonly isNew: boolean
}

/** Bodies in the worker's memory, fetched or in flight. */
export interface Bodies {
  bytes: number
}

/** Queues are read-only outside this file. */
type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
type OwnQueue = Mutable<LeasedQueue>

/** The stored state of a queue that was just leased. */
export type NewlyLeased = Pick<
  LeasedQueue,
  'subscriptionId' | 'workspaceId' | 'settings' | 'health' | 'pacedUntil' | 'leaseEndsMs' | 'readAtMs' | 'bodies'
>

export const toLeasedQueue = (leased: NewlyLeased): LeasedQueue => ({
  ...leased,
  state: { kind: 'sending' },
  ready: [],
  inFlight: 0,
  known: new Set(),
  mayHaveMore: true,
  nextFetchAtMs: leased.readAtMs,
})

/**
 * Applies changed settings. The holder knows the receiver's health better than the database, unless all of it is
 * written: then the subscription may have been re-enabled.
 */
export function applySettings(queue: OwnQueue, fresh: LeasedQueue, { isWritten }: { isWritten: boolean }): void {
  // Deliveries fetched in one sending order are useless in the other.
  if (queue.settings.fifo !== fresh.settings.fifo) discardPrefetched(queue)
  queue.settings = fresh.settings
  queue.leaseEndsMs = fresh.leaseEndsMs
  queue.readAtMs = fresh.readAtMs
  if (!isWritten) return
  queue.health = fresh.health
  if (queue.state.kind === 'disabled') queue.state = { kind: 'sending' }
}

export function extendLease(queue: OwnQueue, leaseEndsMs: number): void {
  queue.leaseEndsMs = leaseEndsMs
}

export function handOver(queue: OwnQueue): void {
  queue.state = { kind: 'handing-over' }
  discardPrefetched(queue)
}

/** In-flight deliveries finish, then the lease is released. The first reason is kept. */
export function disable(queue: OwnQueue, why: Omit<Disabled, 'kind'>): void {
  if (queue.state.kind !== 'disabled') queue.state = { kind: 'disabled', ...why }
}

export function expectMore(queue: OwnQueue): void {
  queue.mayHaveMore = true
}

const fetchAgainAfterMs = 1000

export function beginFetch(queue: OwnQueue, nowMs: number): void {
  queue.mayHaveMore = false
  queue.nextFetchAtMs = nowMs + fetchAgainAfterMs
}

export async function addFetched<Row extends { id: number; size: number }>(
  queue: LeasedQueue,
  row: Row,
  read: (row: Row) => Promise<DueDelivery>,
): Promise<void> {
  queue.bodies.bytes += row.size
  queue.known.add(row.id)
  try {
    queue.ready.push(await read(row))
  } catch (fault) {
    // The database became unreachable: a row that was not read must be found again.
    queue.bodies.bytes -= row.size
    queue.known.delete(row.id)
    throw fault
  }
}

export function beginAttempt(queue: OwnQueue, now: Micros): DueDelivery | undefined {
  const delivery = queue.ready.shift()
  if (delivery === undefined) return undefined
  const { ratePerMinute } = queue.settings
  if (ratePerMinute !== null) queue.pacedUntil = paceOn(queue.pacedUntil, now, ratePerMinute)
  queue.inFlight += 1
  return delivery
}

export function endAttempt(queue: OwnQueue, { size }: DueDelivery): void {
  queue.inFlight -= 1
  queue.bodies.bytes -= size
}

export function setHealth(queue: OwnQueue, health: Health): void {
  queue.health = health
}

/** The delivery is recorded or was aborted, and may be fetched again. */
export function forget({ known }: LeasedQueue, deliveryId: number): void {
  known.delete(deliveryId)
}

/** Drops fetched deliveries that cannot be sent; they remain pending in the database. */
export function discardPrefetched(queue: LeasedQueue): void {
  for (const { id, size } of queue.ready.splice(0)) {
    forget(queue, id)
    queue.bodies.bytes -= size
  }
}

/** The earliest time to send, given the receiver's pause and its rate limit. */
export const blockedUntil = ({ health, pacedUntil, settings: { ratePerMinute } }: LeasedQueue): Micros =>
  Math.max(health.pausedUntil ?? 0, paceAllowsAt(pacedUntil, ratePerMinute))

export const concurrencyLimit = ({ settings, health }: LeasedQueue): number => (settings.fifo ? 1 : health.sendLimit)

const fetchedInOrder = 64

/**
 * How many deliveries to fetch. Three ready ones per in-flight one keep the slots filled while a batch of outcomes is
 * recorded. In order, the next delivery is known only once all before it are recorded.
 */
export function prefetchCapacity({ settings, health, ready, inFlight, known }: LeasedQueue): number {
  if (settings.fifo) return known.size === 0 ? fetchedInOrder : 0
  return 4 * health.sendLimit - ready.length - inFlight
}

export const isReleasable = (queue: LeasedQueue, now: Micros): boolean =>
  queue.inFlight === 0 &&
  (queue.state.kind !== 'sending' || blockedUntil(queue) > now || (queue.ready.length === 0 && !queue.mayHaveMore))

/** The reason if this worker disabled it and still has to record that. */
export const newlyDisabled = ({ state }: LeasedQueue): Disabled | undefined =>
  state.kind === 'disabled' && state.isNew ? state : undefined

export function toQueueUpdate(
  queue: LeasedQueue,
  released: { readonly dueAt: Micros | undefined; readonly now: Micros } | undefined,
): SavedQueue {
  const { health } = queue
  // A queue that is handed over goes to the end of the line.
  const notBefore = Math.max(blockedUntil(queue), queue.state.kind === 'handing-over' ? (released?.now ?? 0) : 0)
  const disabled = newlyDisabled(queue)
  return {
    workspace_id: queue.workspaceId,
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
    due_at: released?.dueAt === undefined ? null : Math.max(released.dueAt, notBefore),
    not_before: notBefore,
    released: released === undefined ? 0 : 1,
  }
}

// Rate limiting uses GCRA (the leaky bucket as a clock): it stores when the next request conforms to the rate. That one
// number is in the queue's row, so the rate holds across workers. Bursts of one second's worth are allowed.

/** The new value after a permitted request. */
export const paceOn = (pacedUntil: Micros | null, now: Micros, ratePerMinute: number): Micros =>
  Math.max(pacedUntil ?? 0, now) + toInterval(ratePerMinute)

export function paceAllowsAt(pacedUntil: Micros | null, ratePerMinute: number | null): Micros {
  if (ratePerMinute === null || pacedUntil === null) return 0
  const atOnce = Math.max(1, Math.floor(ratePerMinute / 60))
  return pacedUntil - (atOnce - 1) * toInterval(ratePerMinute)
}

const toInterval = (ratePerMinute: number): Micros => Math.round(microsPerMinute / ratePerMinute)
