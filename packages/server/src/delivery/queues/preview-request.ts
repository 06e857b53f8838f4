import type { App } from '../../context.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { QueueRef } from '../table.ts'
import { findDelivery, findTargets } from './due-queries.ts'
import { hydrateQueue } from './hydrate-queue.ts'
import type { OutgoingRequest } from './request.ts'

/** The request that would be sent for a delivery now, signed with the current secrets. Sends nothing. */
export async function previewRequest(
  app: App,
  { workspaceId, id, subscriptionId }: RowRef & QueueRef,
): Promise<OutgoingRequest | undefined> {
  const [target] = await findTargets(app.store, [{ workspaceId, subscriptionId }])
  const delivery = await findDelivery(app.store, { workspaceId, id })
  if (target === undefined || delivery === undefined) return undefined
  return hydrateQueue(app, target, { leaseEndsMs: 0, bodies: { bytes: 0 } }).settings.buildRequest(
    delivery,
    app.clock.now(),
  )
}
