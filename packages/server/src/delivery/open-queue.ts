import type { Micros } from '../clock.ts'
import type { App } from '../context.ts'
import { unsealHeaders, unsealSecret } from '../sealing/subscription-secrets.ts'
import { toBoolean } from '../store/columns.ts'
import { scheduleOf } from './backoff.ts'
import { dropReady, type HeldQueue } from './held-queue.ts'
import { dressFor } from './request.ts'
import type { Bodies } from './shift.ts'
import type { SignatureEncoding } from './sign.ts'
import type { TargetRow } from './target-queries.ts'

/** A leased queue with what is needed to send. Throws when its secret was sealed with another key. */
export function openQueue(
  app: App,
  row: TargetRow,
  { now, leaseUntil, bodies }: { now: Micros; leaseUntil: Micros; bodies: Bodies },
): HeldQueue {
  return {
    subscriptionId: row.subscription_id,
    workspaceId: row.workspace_id,
    dress: dressFor({
      subscriptionId: row.subscription_id,
      url: row.url,
      signing: { secrets: secretsOf(app, row, now), encoding: row.encoding as SignatureEncoding }, // written by the subscription's service only
      standardWebhooks: toBoolean(row.standard_webhooks),
      headers: unsealHeaders(app, row.subscription_id, row.headers_sealed),
    }),
    ratePerMinute: row.rate_per_minute,
    schedule: scheduleOf(row.schedule),
    fifo: toBoolean(row.fifo),
    health: {
      sendLimit: row.send_limit,
      failuresInARow: row.failures_in_a_row,
      pausedUntil: row.paused_until,
      failingSince: row.failing_since,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
    },
    pacedUntil: row.paced_until,
    disabled: undefined,
    isLeaving: false,
    bodies,
    leaseUntil,
    ready: [],
    inFlight: 0,
    known: new Set(),
    more: true,
    lookAgainAt: now,
  }
}

/**
 * Takes over changed settings. How the receiver does is known better by the holder than by the database, unless all that
 * the holder knows is written: then somebody may have enabled the subscription anew.
 */
export function refreshQueue(queue: HeldQueue, fresh: HeldQueue, { isWritten }: { isWritten: boolean }): void {
  queue.dress = fresh.dress
  queue.ratePerMinute = fresh.ratePerMinute
  queue.schedule = fresh.schedule
  // What was fetched for one order of sending is of no use for the other.
  if (queue.fifo !== fresh.fifo) dropReady(queue)
  queue.fifo = fresh.fifo
  queue.leaseUntil = fresh.leaseUntil
  if (isWritten) {
    queue.health = fresh.health
    queue.disabled = fresh.disabled
  }
}

function secretsOf(app: App, row: TargetRow, now: Micros): [string, ...string[]] {
  const { subscription_id: id, secret_sealed, previous_secret_sealed: previous, previous_secret_until: until } = row
  const alsoPrevious = previous !== null && until !== null && until > now ? [unsealSecret(app, id, previous)] : []
  return [unsealSecret(app, id, secret_sealed), ...alsoPrevious]
}
