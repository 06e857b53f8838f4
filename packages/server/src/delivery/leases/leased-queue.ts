import { type Micros, microsPerMinute } from '../../core/clock.ts'
import type { Health } from '../dispatch/health.ts'
import type { DueDelivery, RequestBuilder } from '../dispatch/request.ts'
import type { SavedQueue } from './queue-queries.ts'

// The life of a queue in the memory of a worker. All changes are made by the functions of this file.
//
//     database ──▶ sending ──────── disable ──────▶ disabled
//     (leased)     │  │  ▲                          │    │
//                  │  │  └── applySettings: enabled ┘    │
//                  │  └───── handOver ──▶ handing over ──┤
//                  │                                     │
//                  └─ empty, paused or paced ────────────┴──▶ isReleasable ──▶ database
//                     (nothing of it is under way)            (flushOutcomes)
//
// And of a delivery in it:
//
//     database ── addFetched ──▶ ready ── beginAttempt ──▶ under way ── endAttempt ──▶ known ── forget ──▶ database
//                                  └───────────────── discardPrefetched ──────────────────────────────────▲

export interface LeasedQueue {
  readonly subscriptionId: number
  readonly workspaceId: number
  readonly settings: QueueSettings
  readonly state: QueueState
  readonly health: Health
  readonly pacedUntil: Micros | null
  /**
   * As the clock measures: nothing is begun later, so that whoever was away for longer than its lease sends nothing that
   * another has taken over. Earlier than what the database says by the time that writing may have taken.
   */
  readonly leaseEndsMs: number
  /** When its settings were read, as the clock measures. */
  readonly readAtMs: number
  readonly ready: DueDelivery[]
  readonly inFlight: number
  /** Fetched and not recorded yet: what must not be fetched again. */
  readonly known: Set<number>
  readonly bodies: Bodies
  readonly mayHaveMore: boolean
  /** When to fetch even so, as the clock measures: a retry may have become due meanwhile. */
  readonly nextFetchAtMs: number
}

interface QueueSettings {
  readonly buildRequest: RequestBuilder
  readonly ratePerMinute: number | null
  readonly schedule: readonly number[]
  /** One after the other, in the order of the events. */
  readonly fifo: boolean
}

/** `handing-over` goes to another worker as soon as nothing of it is under way. */
type QueueState = { readonly kind: 'sending' | 'handing-over' } | Disabled

export interface Disabled {
  readonly kind: 'disabled'
  readonly at: Micros
  readonly reason: string
  /** By this worker, which has not written it down yet. */
  readonly isNew: boolean
}

/** The bodies in a worker's memory, fetched or under way. */
export interface Bodies {
  bytes: number
}

/** Outside of this file a queue is read-only. */
type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
type OwnQueue = Mutable<LeasedQueue>

/** What the database knows of a queue that has just been leased. */
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
 * Takes over changed settings. How the receiver does is known better by the holder than by the database, unless all that
 * the holder knows is written: then somebody may have enabled the subscription anew.
 */
export function applySettings(queue: OwnQueue, fresh: LeasedQueue, { isWritten }: { isWritten: boolean }): void {
  // What was fetched for one order of sending is of no use for the other.
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

/** What is under way is finished, and then the queue is let go. The first reason stays. */
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
    // The database went away in between: what was not read must be found again.
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

/** The delivery is recorded, or was cut off: from now on it may be fetched again. */
export function forget({ known }: LeasedQueue, deliveryId: number): void {
  known.delete(deliveryId)
}

/** What is fetched and cannot go is forgotten; it still waits in the database. */
export function discardPrefetched(queue: LeasedQueue): void {
  for (const { id, size } of queue.ready.splice(0)) {
    forget(queue, id)
    queue.bodies.bytes -= size
  }
}

/** Before this moment nothing may be sent, because the receiver fails or because of its rate. */
export const blockedUntil = ({ health, pacedUntil, settings: { ratePerMinute } }: LeasedQueue): Micros =>
  Math.max(health.pausedUntil ?? 0, paceAllowsAt(pacedUntil, ratePerMinute))

export const concurrencyLimit = ({ settings, health }: LeasedQueue): number => (settings.fifo ? 1 : health.sendLimit)

const fetchedInOrder = 64

/**
 * How many deliveries to fetch. Three waiting for each one under way keep the places filled while a batch of outcomes is
 * gathered and written. Where order counts, what comes next is known only when all before it is written down.
 */
export function prefetchCapacity({ settings, health, ready, inFlight, known }: LeasedQueue): number {
  if (settings.fifo) return known.size === 0 ? fetchedInOrder : 0
  return 4 * health.sendLimit - ready.length - inFlight
}

export const isReleasable = (queue: LeasedQueue, now: Micros): boolean =>
  queue.inFlight === 0 &&
  (queue.state.kind !== 'sending' || blockedUntil(queue) > now || (queue.ready.length === 0 && !queue.mayHaveMore))

/** That it was disabled by this worker, which still has to write it down. */
export const newlyDisabled = ({ state }: LeasedQueue): Disabled | undefined =>
  state.kind === 'disabled' && state.isNew ? state : undefined

export function toQueueUpdate(
  queue: LeasedQueue,
  released: { readonly dueAt: Micros | undefined; readonly now: Micros } | undefined,
): SavedQueue {
  const { health } = queue
  // One that is handed over goes to the end of the line.
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
    released: released === undefined ? 0 : 1,
  }
}

// A rate is kept by remembering when the next request would be on time (the leaky bucket as a clock, "GCRA"): one number
// that lives in the queue's row, so the rate holds whichever worker sends. A second's worth may go at once.

/** What an allowed request does to the number. */
export const paceOn = (pacedUntil: Micros | null, now: Micros, ratePerMinute: number): Micros =>
  Math.max(pacedUntil ?? 0, now) + intervalOf(ratePerMinute)

export function paceAllowsAt(pacedUntil: Micros | null, ratePerMinute: number | null): Micros {
  if (ratePerMinute === null || pacedUntil === null) return 0
  const atOnce = Math.max(1, Math.floor(ratePerMinute / 60))
  return pacedUntil - (atOnce - 1) * intervalOf(ratePerMinute)
}

const intervalOf = (ratePerMinute: number): Micros => Math.round(microsPerMinute / ratePerMinute)
