import type { App } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { decryptHeaders, decryptSecret, decryptUrl } from '../../encryption/subscription-secrets.ts'
import { toBoolean } from '../../store/columns.ts'
import type { TargetRow } from './due-queries.ts'
import { type Bodies, type LeasedQueue, toLeasedQueue } from './leased-queue.ts'
import { createRequestBuilder } from './request.ts'
import { parseSchedule } from './retry-schedule.ts'
import type { SignatureEncoding } from './sign-webhook.ts'

/** A leased queue with its sending settings. Throws if its secrets were encrypted with another key. */
export function hydrateQueue(
  app: App,
  row: TargetRow,
  { leaseEndsMs, bodies }: { leaseEndsMs: number; bodies: Bodies },
): LeasedQueue {
  return toLeasedQueue({
    subscriptionId: row.subscription_id,
    workspaceId: row.workspace_id,
    settings: {
      buildRequest: createRequestBuilder({
        subscriptionId: row.subscription_id,
        url: decryptUrl(app, row.subscription_id, row.url_encrypted),
        signing: { secrets: decryptSecrets(app, row, app.clock.now()), encoding: row.encoding as SignatureEncoding }, // only the subscription's service writes it
        standardWebhooks: toBoolean(row.standard_webhooks),
        headers: decryptHeaders(app, row.subscription_id, row.headers_encrypted),
      }),
      ratePerMinute: row.rate_per_minute,
      schedule: parseSchedule(row.schedule),
      fifo: toBoolean(row.fifo),
    },
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
    bodies,
    leaseEndsMs,
    readAtMs: app.clock.elapsedMs(),
  })
}

function decryptSecrets(app: App, row: TargetRow, now: Micros): [string, ...string[]] {
  const {
    subscription_id: id,
    secret_encrypted,
    previous_secret_encrypted: previous,
    previous_secret_until: until,
  } = row
  const alsoPrevious = previous !== null && until !== null && until > now ? [decryptSecret(app, id, previous)] : []
  return [decryptSecret(app, id, secret_encrypted), ...alsoPrevious]
}
