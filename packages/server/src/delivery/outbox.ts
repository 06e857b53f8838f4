import type { EventName, EventOf } from '@service/contract'
import type { App, TxApp } from '../context.ts'
import { toEventTimestamp } from '../instants.ts'
import * as queries from './queries.ts'

/** An event without what the outbox adds. */
type NewEvent = {
  [Name in EventName]: { readonly event: Name } & Omit<EventOf<Name>, 'event' | 'workspace_id' | 'timestamp'>
}[EventName]

/** Keeps an event with its change. It asks for an app inside a transaction, so an event without its change does not compile. */
export async function enqueue(app: TxApp, workspaceId: number, { event, ...payload }: NewEvent): Promise<void> {
  const now = app.clock.now()
  const body = JSON.stringify({ event, workspace_id: workspaceId, timestamp: toEventTimestamp(now), ...payload })
  await queries.insertEvent(app.db, { workspace_id: workspaceId, name: event, body, created_at: now })
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
