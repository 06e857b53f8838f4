import type { Micros } from '../clock.ts'
import type { Health } from './health.ts'
import { paceAllowsAt } from './pace.ts'
import type { SavedQueue } from './queue-queries.ts'
import type { Dress, DueDelivery } from './request.ts'

/** A queue that this worker has leased. */
export interface HeldQueue {
  readonly subscriptionId: number
  readonly workspaceId: number
  dress: Dress
  ratePerMinute: number | null
  health: Health
  pacedUntil: Micros | null
  disabled: Disabled | undefined
  leaseUntil: Micros
  /** Fetched and waiting for a place. */
  ready: DueDelivery[]
  inFlight: number
  /** Fetched and not recorded yet: what must not be fetched again. */
  readonly known: Set<number>
  /** Whether the database may have more that is due. */
  more: boolean
  /** When to fetch even so: a retry may have become due meanwhile. */
  lookAgainAt: Micros
}

export interface Disabled {
  readonly at: Micros
  readonly reason: string
  /** By this worker, which has not written it down yet. */
  readonly isNew: boolean
}

/** Before this moment nothing may be sent, because the receiver fails or because of its rate. */
export const blockedUntil = ({ health, pacedUntil, ratePerMinute }: HeldQueue): Micros =>
  Math.max(health.pausedUntil ?? 0, paceAllowsAt(pacedUntil, ratePerMinute))

/**
 * How many deliveries to fetch. Three waiting for each one under way keep the places filled while a batch of outcomes is
 * gathered and written.
 */
export const roomIn = ({ health, ready, inFlight }: HeldQueue): number => 4 * health.sendLimit - ready.length - inFlight

export const isDone = (queue: HeldQueue, now: Micros): boolean =>
  queue.inFlight === 0 &&
  (queue.disabled !== undefined || blockedUntil(queue) > now || (queue.ready.length === 0 && !queue.more))

/** What is fetched and cannot go is forgotten; it still waits in the database. */
export function dropReady(queue: HeldQueue): void {
  for (const { id } of queue.ready) queue.known.delete(id)
  queue.ready = []
}

export function toSaved(queue: HeldQueue, letGo: { readonly dueAt: Micros | undefined } | undefined): SavedQueue {
  const { health } = queue
  const disabled = queue.disabled?.isNew === true ? queue.disabled : undefined
  return {
    subscription_id: queue.subscriptionId,
    send_limit: health.sendLimit,
    failures_in_a_row: health.failuresInARow,
    paused_until: health.pausedUntil,
    paced_until: queue.pacedUntil,
    failing_since: health.failingSince,
    last_success_at: health.lastSuccessAt,
    last_failure_at: health.lastFailureAt,
    disabled_at: disabled?.at ?? null,
    disabled_reason: disabled?.reason ?? null,
    due_at: letGo?.dueAt === undefined ? null : Math.max(letGo.dueAt, blockedUntil(queue)),
    released: letGo === undefined ? 0 : 1,
  }
}
