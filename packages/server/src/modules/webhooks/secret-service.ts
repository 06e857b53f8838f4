import type * as z from 'zod/mini'
import { microsPerHour } from '../../clock.ts'
import type { App } from '../../context.ts'
import { stirQueue } from '../../delivery/outbox.ts'
import { sealSecret } from '../../sealing/subscription-secrets.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { Rotation } from './input.ts'
import * as queries from './queries.ts'
import { getSubscription, type Subscription, type SubscriptionAt } from './service.ts'
import { newSigningSecret } from './signing-secret.ts'

const defaultOverlapHours = 24

/** Replaces the secret; the old one signs beside it for a while, so that a receiver can change over without a gap. */
export function rotateSecret(
  app: App,
  at: SubscriptionAt,
  { overlap_hours = defaultOverlapHours }: z.output<typeof Rotation>,
): Promise<Subscription & { readonly secret: string }> {
  const secret = newSigningSecret(app.ids)
  return inTransaction(app, async (app) => {
    await getSubscription(app, at)
    const now = app.clock.now()
    const overlaps = overlap_hours > 0
    await queries.updateSubscription(app.db, at.id, {
      secret_sealed: sealSecret(app, at.id, secret),
      previous_secret_sealed: overlaps ? await queries.findSealedSecret(app.db, at.id) : null,
      previous_secret_until: overlaps ? now + Math.round(overlap_hours * microsPerHour) : null,
      updated_at: now,
    })
    await stirQueue(app, at.id)
    return { ...(await getSubscription(app, at)), secret }
  })
}

/** Ends the overlap at once: the old secret has leaked, or nobody needs it any more. */
export function revokePreviousSecret(app: App, at: SubscriptionAt): Promise<Subscription> {
  return inTransaction(app, async (app) => {
    await getSubscription(app, at)
    await queries.updateSubscription(app.db, at.id, {
      previous_secret_sealed: null,
      previous_secret_until: null,
      updated_at: app.clock.now(),
    })
    await stirQueue(app, at.id)
    return getSubscription(app, at)
  })
}
