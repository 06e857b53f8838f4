import type { App } from '../context.ts'
import { findDelivery } from './due-queries.ts'
import { openQueue } from './open-queue.ts'
import type { OutgoingRequest } from './send.ts'
import { readTargets } from './target-queries.ts'

/** The request that would be made for a delivery at this moment, signed with the secrets of now; nothing is sent. */
export async function rehearse(
  app: App,
  { id, subscriptionId }: { id: number; subscriptionId: number },
): Promise<OutgoingRequest | undefined> {
  const [target] = await readTargets(app.store, [subscriptionId])
  const delivery = await findDelivery(app.store, id)
  if (target === undefined || delivery === undefined) return undefined
  const now = app.clock.now()
  return openQueue(app, target, { now, leaseUntil: now, bodies: { bytes: 0 } }).dress(delivery, now)
}
