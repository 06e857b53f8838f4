import type { Micros } from '../../core/clock.ts'
import type { App } from '../../core/context.ts'
import { decryptHeaders, decryptSecret, unsealUrl } from '../../encryption/subscription-secrets.ts'
import { toBoolean } from '../../store/columns.ts'
import { scheduleOf } from '../dispatch/backoff.ts'
import { createRequestBuilder } from '../dispatch/request.ts'
import type { SignatureEncoding } from '../dispatch/sign.ts'
import type { TargetRow } from '../dispatch/target-queries.ts'
import { type Bodies, discardPrefetched, type LeasedQueue } from './leased-queue.ts'

/** A leased queue with what is needed to send. Throws when what it keeps secret was encrypted with another key. */
export function hydrateQueue(
  app: App,
  row: TargetRow,
  { leaseEndsMs, bodies }: { leaseEndsMs: number; bodies: Bodies },
): LeasedQueue {
  const readAtMs = app.clock.elapsedMs()
  return {
    subscriptionId: row.subscription_id,
    workspaceId: row.workspace_id,
    buildRequest: createRequestBuilder({
      subscriptionId: row.subscription_id,
      url: unsealUrl(app, row.subscription_id, row.url_encrypted),
      signing: { secrets: secretsOf(app, row, app.clock.now()), encoding: row.encoding as SignatureEncoding }, // written by the subscription's service only
      standardWebhooks: toBoolean(row.standard_webhooks),
      headers: decryptHeaders(app, row.subscription_id, row.headers_encrypted),
    }),
    ratePerMinute: row.rate_per_minute,
    schedule: scheduleOf(row.schedule),
    fifo: toBoolean(row.fifo),
    health: {
      sendLimit: row.send_limit,
      failuresInARow: row.failures_in_a_row,
      pausedUntil: row.paused_until,
      failingSince: row.failing_since,
      failingDays: row.failing_days,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
    },
    pacedUntil: row.paced_until,
    disabled: undefined,
    isBeingReleased: false,
    bodies,
    leaseEndsMs,
    readAtMs,
    ready: [],
    inFlight: 0,
    known: new Set(),
    mayHaveMore: true,
    nextFetchAtMs: readAtMs,
  }
}

/**
 * Takes over changed settings. How the receiver does is known better by the holder than by the database, unless all that
 * the holder knows is written: then somebody may have enabled the subscription anew.
 */
export function refreshQueue(queue: LeasedQueue, fresh: LeasedQueue, { isWritten }: { isWritten: boolean }): void {
  queue.buildRequest = fresh.buildRequest
  queue.ratePerMinute = fresh.ratePerMinute
  queue.schedule = fresh.schedule
  // What was fetched for one order of sending is of no use for the other.
  if (queue.fifo !== fresh.fifo) discardPrefetched(queue)
  queue.fifo = fresh.fifo
  queue.leaseEndsMs = fresh.leaseEndsMs
  queue.readAtMs = fresh.readAtMs
  if (isWritten) {
    queue.health = fresh.health
    queue.disabled = fresh.disabled
  }
}

function secretsOf(app: App, row: TargetRow, now: Micros): [string, ...string[]] {
  const {
    subscription_id: id,
    secret_encrypted,
    previous_secret_encrypted: previous,
    previous_secret_until: until,
  } = row
  const alsoPrevious = previous !== null && until !== null && until > now ? [decryptSecret(app, id, previous)] : []
  return [decryptSecret(app, id, secret_encrypted), ...alsoPrevious]
}
