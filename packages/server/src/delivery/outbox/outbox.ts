import { type EventName, type EventOf, wildcardOf } from '@service/contract'
import type { App, TxApp } from '../../context.ts'
import { formatEventTimestamp, formatInstant, microsPerDay } from '../../core/clock.ts'
import type { Page } from '../../core/pagination.ts'
import { activeTraceparent } from '../../core/tracing.ts'
import { transactionOf } from '../../store/transaction.ts'
import * as queries from './event-queries.ts'

type NewEvent = {
  [Name in EventName]: { readonly event: Name } & Omit<EventOf<Name>, 'event' | 'workspace_id' | 'timestamp'>
}[EventName]

/**
 * Stores an event with its change, and a delivery of it for every matching subscription. It takes an app inside a
 * transaction, so an event without its change does not compile.
 */
export async function enqueue(app: TxApp, workspaceId: number, { event, ...payload }: NewEvent): Promise<void> {
  app.store.noteWorkspaces([workspaceId])
  const now = app.clock.now()
  const body = JSON.stringify({ event, workspace_id: workspaceId, timestamp: formatEventTimestamp(now), ...payload })
  app.hooks.eventStored?.(event, body)
  const { count, isPending } = await queries.appendToOutbox(app.store, {
    workspace_id: workspaceId,
    name: event,
    wildcard: wildcardOf(event),
    body,
    created_at: now,
    due_at: app.clock.scheduleNow(),
    key: app.ids.uuid(),
    traceparent: traceparentOf(app),
  })
  const transaction = transactionOf(app)
  storedIn.set(transaction, (storedIn.get(transaction) ?? 0) + count)
  if (isPending) app.store.afterCommit(app.wakeSignal.notify)
  app.dueSignal.scheduleAt(now + app.config.deliveryRetentionDays * microsPerDay)
}

const storedIn = new WeakMap<object, number>()

/** How many deliveries the caller's transaction has stored. */
export const countStoredDeliveries = (app: TxApp): number => storedIn.get(transactionOf(app)) ?? 0

/** Without an SDK of OpenTelemetry, the caller's trace is passed on unchanged. */
const traceparentOf = ({ traceparent }: TxApp): string | null => activeTraceparent() ?? traceparent ?? null

/** Stores a synthetic test event for one subscription. It is delivered like any other and is marked as a test. */
export async function enqueueTest(
  app: TxApp,
  { workspaceId, subscriptionId }: { workspaceId: number; subscriptionId: number },
  { event, payload }: { event: EventName; payload: object },
): Promise<number> {
  const now = app.clock.now()
  const envelope = { event, workspace_id: workspaceId, timestamp: formatEventTimestamp(now), test: true }
  const id = await queries.insertTestEvent(app.db, {
    workspace_id: workspaceId,
    subscription_id: subscriptionId,
    name: event,
    body: JSON.stringify({ ...payload, ...envelope }),
    created_at: now,
    due_at: app.clock.scheduleNow(),
    key: app.ids.uuid(),
    traceparent: traceparentOf(app),
  })
  app.store.afterCommit(app.wakeSignal.notify)
  return id
}

export interface StoredEvent {
  readonly id: number
  readonly name: string
  readonly body: string
}

export async function listEvents(app: App, workspaceId: number, page: Page) {
  const rows = await queries.listEvents(app.db, workspaceId, page)
  return rows.map(({ name, created_at, ...row }) => ({
    ...row,
    name: name as EventName, // only `enqueue` writes it
    created_at: formatInstant(created_at),
  }))
}

export const findLastEvent = ({ db }: App, workspaceId: number, name: EventName): Promise<StoredEvent | undefined> =>
  queries.findLastEvent(db, workspaceId, name)
