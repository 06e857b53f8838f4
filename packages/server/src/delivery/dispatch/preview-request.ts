import type { App } from '../../core/context.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { hydrateQueue } from '../leases/hydrate-queue.ts'
import type { QueueRef } from '../table.ts'
import { findDelivery } from './due-queries.ts'
import type { OutgoingRequest } from './request.ts'
import { readTargets } from './target-queries.ts'

/** The request that would be made for a delivery at this moment, signed with the secrets of now; nothing is sent. */
export async function previewRequest(
  app: App,
  { workspaceId, id, subscriptionId }: RowRef & QueueRef,
): Promise<OutgoingRequest | undefined> {
  const [target] = await readTargets(app.store, [{ workspaceId, subscriptionId }])
  const delivery = await findDelivery(app.store, { workspaceId, id })
  if (target === undefined || delivery === undefined) return undefined
  return hydrateQueue(app, target, { leaseEndsMs: 0, bodies: { bytes: 0 } }).settings.buildRequest(
    delivery,
    app.clock.now(),
  )
}
