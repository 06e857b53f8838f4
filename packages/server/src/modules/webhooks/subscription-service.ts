import type { Rotation } from '@service/contract/admin/webhook-input'
import type { RotatedSubscription, Subscription } from '@service/contract/admin/webhooks'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { microsPerHour } from '../../core/clock.ts'
import { pauseQueue, resumeQueue, wakeQueue } from '../../delivery/queues/queues.ts'
import { encryptSecret } from '../../encryption/subscription-secrets.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { requireReadable } from './lost-key-service.ts'
import * as queries from './queries.ts'
import { getSubscription, newSigningSecret } from './service.ts'

/** Resumes deliveries and resets the failure history. Held deliveries stay held until they are recovered. */
export function enableSubscription(app: App, at: RowRef): Promise<Subscription> {
  return inTransaction(app, async (app) => {
    if (!(await getSubscription(app, at)).enabled) {
      await requireReadable(app, at)
      await resumeQueue(app, at)
    }
    return getSubscription(app, at)
  })
}

/** Stops deliveries. New events are stored as held deliveries. */
export function disableSubscription(app: App, at: RowRef): Promise<Subscription> {
  return inTransaction(app, async (app) => {
    if ((await getSubscription(app, at)).enabled) await pauseQueue(app, at, 'manual')
    return getSubscription(app, at)
  })
}

/** Deletes the URL and secret. Past deliveries stay in the log until they expire. */
export function deleteSubscription(app: App, at: RowRef): Promise<{ readonly id: number }> {
  return inTransaction(app, async (app) => {
    await getSubscription(app, at)
    await pauseQueue(app, at, 'deleted')
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

/** X-Service-Signature holds one signature, so it cannot cover two secrets. */
const noOverlap =
  'X-Service-Signature now uses the new secret: receivers that know only the old one reject every delivery. Give them both secrets first, or set standard_webhooks, whose header carries a signature of each.'

/** Replaces the secret. During the overlap the old secret also signs, so that receivers can switch without a gap. */
export function rotateSecret(
  app: App,
  at: RowRef,
  { overlap_hours = defaultOverlapHours }: z.output<typeof Rotation>,
): Promise<RotatedSubscription> {
  const secret = newSigningSecret(app.ids)
  return inTransaction(app, async (app) => {
    const { standard_webhooks } = await getSubscription(app, at)
    const now = app.clock.now()
    const old = await queries.findEncryptedSecret(app.db, at)
    // A secret encrypted with a lost key cannot sign.
    const overlaps = overlap_hours > 0 && app.cipher.isReadable(old)
    await queries.updateSubscription(app.db, at, {
      secret_encrypted: await encryptSecret(app, at.id, secret),
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

/** Ends the overlap immediately, for example because the old secret leaked. */
export function revokePreviousSecret(app: App, at: RowRef): Promise<Subscription> {
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
