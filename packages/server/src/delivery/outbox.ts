import type { EventName, EventOf } from '@service/contract'
import { microsPerDay } from '../clock.ts'
import type { App, TxApp } from '../context.ts'
import { familyOf } from '../event-family.ts'
import { toEventTimestamp } from '../instants.ts'
import * as queries from './event-queries.ts'
import { largestBodyBytes } from './largest-body.ts'

// The counter of the post: whatever a service may ask of the delivery stands here or is passed on from here.
export { countRecoverable, countReplayable, recover, replay, resend } from './again.ts'
export { deliveryId } from './delivery-id.ts'
export { listJobs } from './job-queries.ts'
export { closeQueue, openQueue, reopenQueue, stirQueue } from './queues.ts'
export { rehearse } from './rehearse.ts'

/** An event without what the outbox adds. */
type NewEvent = {
  [Name in EventName]: { readonly event: Name } & Omit<EventOf<Name>, 'event' | 'workspace_id' | 'timestamp'>
}[EventName]

const tooLarge = `The event is larger than ${largestBodyBytes / 1024} KiB and was not sent.`

/**
 * Keeps an event with its change, and a delivery of it for every subscription that asks for it. It wants an app inside a
 * transaction, so an event without its change does not compile.
 */
export async function enqueue(app: TxApp, workspaceId: number, { event, ...payload }: NewEvent): Promise<void> {
  const now = app.clock.now()
  const body = JSON.stringify({ event, workspace_id: workspaceId, timestamp: toEventTimestamp(now), ...payload })
  app.hooks.eventKept?.(event, body)
  const fits = Buffer.byteLength(body) <= largestBodyBytes
  const toBeSent = await queries.keepEvent(app.store, {
    workspace_id: workspaceId,
    name: event,
    family: familyOf(event),
    body,
    created_at: now,
    key: app.ids.uuid(),
    state: fits ? 'pending' : 'failed',
    error: fits ? null : tooLarge,
  })
  if (toBeSent) app.store.afterCommit(app.bell.ring)
  app.alarm.setFor(now + app.config.deliveryRetentionDays * microsPerDay)
}

/** Keeps an event that nothing caused, for one subscription. It goes the way of the others and says what it is. */
export async function enqueueTest(
  app: TxApp,
  { workspaceId, subscriptionId }: { workspaceId: number; subscriptionId: number },
  { event, payload }: { event: EventName; payload: object },
): Promise<number> {
  const now = app.clock.now()
  const envelope = { event, workspace_id: workspaceId, timestamp: toEventTimestamp(now), test: true }
  const id = await queries.insertTestEvent(app.db, {
    workspace_id: workspaceId,
    subscription_id: subscriptionId,
    name: event,
    body: JSON.stringify({ ...payload, ...envelope }),
    created_at: now,
    key: app.ids.uuid(),
  })
  app.store.afterCommit(app.bell.ring)
  return id
}

/** An event as it was kept. */
export interface KeptEvent {
  readonly id: number
  readonly name: string
  readonly body: string
}

/** Every event of a workspace, oldest first. */
export async function listEvents(app: App, workspaceId: number): Promise<KeptEvent[]> {
  return queries.listEvents(app.db, workspaceId)
}

/** The newest event of a name, where there is one. */
export const findLastEvent = ({ db }: App, workspaceId: number, name: EventName): Promise<KeptEvent | undefined> =>
  queries.findLastEvent(db, workspaceId, name)
