import type { App } from '../../core/context.ts'
import { pauseQueue, resumeQueue } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import { requireReadable } from './lost-key-service.ts'
import * as queries from './queries.ts'
import { getSubscription, type Subscription, type SubscriptionAt } from './service.ts'

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
