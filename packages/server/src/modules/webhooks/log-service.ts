import { notFound } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { deliveryId } from '../../delivery/outbox.ts'
import { toInstant, toInstantOrNull } from '../../instants.ts'
import { defaultPage, type Page } from '../../page.ts'
import { toBoolean } from '../../store/columns.ts'
import * as queries from './log-queries.ts'

/** One event for one subscription, and what became of it. */
export interface Delivery {
  readonly id: number
  /** What the receiver sees in `X-Service-Delivery`. */
  readonly uuid: string
  readonly subscription_id: number
  readonly event_id: number
  readonly event: string
  readonly is_test: boolean
  readonly state: 'pending' | 'succeeded' | 'failed' | 'held'
  readonly attempts: number
  readonly next_attempt_at: string | null
  /** Why the last attempt failed. */
  readonly error: string | null
  readonly created_at: string
  readonly finished_at: string | null
}

export async function listDeliveries(
  app: App,
  filter: queries.DeliveryFilter,
  page: Page = defaultPage,
): Promise<Delivery[]> {
  return (await queries.listDeliveries(app.db, filter, page)).map(toDelivery)
}

/** A delivery with the body that is sent. */
export async function getDelivery(
  app: App,
  { workspaceId, id }: { workspaceId: number; id: number },
): Promise<Delivery & { readonly body: string }> {
  const row = await queries.findDelivery(app.db, workspaceId, id)
  if (row === undefined) throw notFound('delivery', id)
  return { ...toDelivery(row), body: row.body }
}

/** The requests that were made for a delivery, newest first. */
export async function listAttempts(app: App, at: { workspaceId: number; id: number }) {
  await getDelivery(app, at)
  const rows = await queries.listAttempts(app.db, at.id)
  return rows.map(({ delivery_id: _, started_at, ...row }) => ({ ...row, started_at: toInstant(started_at) }))
}

function toDelivery({ key, is_test, next_attempt_at, created_at, finished_at, ...row }: queries.DeliveryRow): Delivery {
  return {
    ...row,
    uuid: deliveryId(key, row.subscription_id),
    is_test: toBoolean(is_test),
    next_attempt_at: row.state === 'pending' ? toInstant(next_attempt_at) : null,
    created_at: toInstant(created_at),
    finished_at: toInstantOrNull(finished_at),
  }
}
