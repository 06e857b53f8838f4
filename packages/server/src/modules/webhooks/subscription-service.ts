import type { Rotation } from '@service/contract/admin/webhook-input'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { microsPerHour } from '../../core/clock.ts'
import { pauseQueue, resumeQueue, wakeQueue } from '../../delivery/outbox/outbox.ts'
import { encryptSecret } from '../../encryption/subscription-secrets.ts'
import { inTransaction } from '../../store/transaction.ts'
import { requireReadable } from './lost-key-service.ts'
import * as queries from './queries.ts'
import { getSubscription, newSigningSecret, type Subscription, type SubscriptionAt } from './service.ts'

/** Sends again from now on; how the receiver did before is forgotten. What was held stays so until it is recovered. */
export function enableSubscription(app: App, at: SubscriptionAt): Promise<Subscription> {
  return inTransaction(app, async (app) => {
    if (!(await getSubscription(app, at)).enabled) {
      await requireReadable(app, at)
      await resumeQueue(app, at)
    }
    return getSubscription(app, at)
  })
}

/** Sends no more. Events go on being kept for it, as held deliveries. */
export function disableSubscription(app: App, at: SubscriptionAt): Promise<Subscription> {
  return inTransaction(app, async (app) => {
    if ((await getSubscription(app, at)).enabled) await pauseQueue(app, at, 'manual')
    return getSubscription(app, at)
  })
}

/** Forgets where to send and with which secret. What was delivered stays in the log until its time is over. */
export function deleteSubscription(app: App, at: SubscriptionAt): Promise<{ readonly id: number }> {
  return inTransaction(app, async (app) => {
    await disableSubscription(app, at)
    await queries.replacePatterns(app.db, at, [])
    await queries.updateSubscription(app.db, at, {
      url_encrypted: '',
      secret_encrypted: '',
      previous_secret_encrypted: null,
      headers_encrypted: null,
      deleted_at: app.clock.now(),
    })
    return { id: at.id }
  })
}

const defaultOverlapHours = 24

/** Shown this once. The warning says what a receiver must do that knows the old secret only. */
export type RotatedSubscription = Subscription & { readonly secret: string; readonly warning: string | null }

/** X-Service-Signature is one signature, so it cannot be made with two secrets. */
const noOverlap =
  'X-Service-Signature is made with the new secret from now on: receivers that know only the old one refuse every delivery. Give them both secrets first, or set standard_webhooks, whose header carries a signature of each.'

/** Replaces the secret; the old one signs beside it for a while, so that a receiver can change over without a gap. */
export function rotateSecret(
  app: App,
  at: SubscriptionAt,
  { overlap_hours = defaultOverlapHours }: z.output<typeof Rotation>,
): Promise<RotatedSubscription> {
  const secret = newSigningSecret(app.ids)
  return inTransaction(app, async (app) => {
    const { standard_webhooks } = await getSubscription(app, at)
    const now = app.clock.now()
    const old = await queries.findEncryptedSecret(app.db, at)
    // One that was encrypted with a lost key signs nothing any more.
    const overlaps = overlap_hours > 0 && app.cipher.isReadable(old)
    await queries.updateSubscription(app.db, at, {
      secret_encrypted: encryptSecret(app, at.id, secret),
      previous_secret_encrypted: overlaps ? old : null,
      previous_secret_until: overlaps ? now + Math.round(overlap_hours * microsPerHour) : null,
      updated_at: now,
    })
    await wakeQueue(app, at)
    const warning = standard_webhooks ? null : noOverlap
    if (warning !== null)
      app.log.warn(`The secret of subscription ${at.id} was rotated. ${warning}`, { subscription: at.id })
    return { ...(await getSubscription(app, at)), secret, warning }
  })
}

/** Ends the overlap at once: the old secret has leaked, or nobody needs it any more. */
export function revokePreviousSecret(app: App, at: SubscriptionAt): Promise<Subscription> {
  return inTransaction(app, async (app) => {
    await getSubscription(app, at)
    await queries.updateSubscription(app.db, at, {
      previous_secret_encrypted: null,
      previous_secret_until: null,
      updated_at: app.clock.now(),
    })
    await wakeQueue(app, at)
    return getSubscription(app, at)
  })
}
