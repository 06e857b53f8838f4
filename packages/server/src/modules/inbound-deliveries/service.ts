import type { BodyToExplain } from '@service/contract/admin/mapping'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { formatInstant, microsPerHour } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import { toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'
import { emptyBody, type RawBody, requireStoredBody, type StoredBody, toRawBody, toStoredBody } from './stored-body.ts'

export type { RawBody } from './stored-body.ts'

const maxDeliveries = 500
const maxBodies = 100
const pruneEvery = 50
const maxSummaryLength = 255

/** An authenticated delivery. */
export interface ReceivedDelivery {
  readonly workspaceId: number
  readonly requestId: string
  /** The body to store, if any. */
  readonly stored?: StoredBody | undefined
  /** The delivery that is being replayed. Its log entry changes instead of a new one being added. */
  readonly replayOf?: number | undefined
}

export interface DeliveryOutcome {
  readonly integration: string
  /** The lead source of a lead delivery. */
  readonly source?: string | undefined
  readonly status: number
  readonly summary: string
  /** Whether it created a ticket, a lead, or a punch. */
  readonly opened?: boolean
  /** The error keys on which it was counted. */
  readonly counted?: readonly string[]
}

/** Logs an authenticated delivery. Inside a transaction, the entry commits with the delivery's changes. */
export function recordDelivery(app: App, received: ReceivedDelivery, outcome: DeliveryOutcome): Promise<void> {
  const { workspaceId, requestId, replayOf } = received
  const columns = toColumns(outcome)
  const { content_type, body } = received.stored ?? emptyBody
  return inTransaction(app, async (app) => {
    if (replayOf !== undefined)
      return void (await queries.updateDelivery(app.db, { workspaceId, id: replayOf }, columns))
    const { integration, source = null } = outcome
    const id = await queries.insertDelivery(app.db, {
      workspace_id: workspaceId,
      integration,
      source,
      request_id: requestId,
      received_at: app.clock.now(),
      ...columns,
      // Only a replay reads the keys, and only a delivery with a body can be replayed.
      counted: body === null ? null : columns.counted,
      content_type,
      body,
    })
    if (id % pruneEvery !== 0) return
    await queries.pruneDeliveries(app.db, { workspaceId, integration, keep: maxDeliveries })
    await queries.dropBodies(app.db, { workspaceId, integration, keep: maxBodies })
  })
}

const toColumns = ({ status, summary, opened = false, counted = [] }: DeliveryOutcome) => ({
  status,
  summary: summary.slice(0, maxSummaryLength),
  opened: toInteger(opened),
  counted: counted.length === 0 ? null : JSON.stringify(counted),
})

/** Integrations whose bodies can be explained and replayed. */
const replayableIntegrations = ['errors', 'leads', 'attendance']

/** The body to store with a delivery. Masking takes time, so call this before a transaction starts. */
export function bodyToStore(app: App, integration: string, raw: RawBody): StoredBody {
  if (app.config.inboundBodyHours === 0 || !replayableIntegrations.includes(integration)) return emptyBody
  return toStoredBody(raw)
}

/** The last deliveries of a workspace or of one of its integrations, newest first. */
export async function listDeliveries(app: App, workspaceId: number, filter: queries.InboundFilter) {
  const rows = await queries.listDeliveries(app.db, workspaceId, filter)
  return rows.map(({ received_at, has_body, ...row }) => ({
    ...row,
    received_at: formatInstant(received_at),
    has_body: Boolean(has_body) && !isExpired(app, received_at),
  }))
}

interface DeliveryRef {
  readonly workspaceId: number
  readonly id: number
}

/** A stored delivery. An expired body is null. */
export async function requireDelivery(app: App, ref: DeliveryRef) {
  const row = await queries.findDelivery(app.db, ref)
  if (row === undefined) throw notFound('inbound delivery', ref.id)
  return isExpired(app, row.received_at) ? { ...row, body: null } : row
}

/** The body of an `explain` request, in the form that the receiver of the integration reads. */
export async function bodyToExplain(
  app: App,
  { workspaceId, integration }: { readonly workspaceId: number; readonly integration: string },
  { delivery_id: id, ...posted }: z.output<typeof BodyToExplain>,
): Promise<RawBody> {
  if ((posted.body === undefined) === (id === undefined))
    throw validation({ body: ['Send either the body field or the delivery_id field.'] })
  if (id === undefined) return toRawBody({ ...posted, body: posted.body })
  const delivery = await requireDelivery(app, { workspaceId, id })
  if (delivery.integration !== integration) throw notFound('inbound delivery', id)
  return requireStoredBody(delivery)
}

/** A delivery with its body. */
export async function getDelivery(app: App, ref: DeliveryRef) {
  const { workspace_id: _, opened: __, counted: ___, received_at, ...row } = await requireDelivery(app, ref)
  return { ...row, received_at: formatInstant(received_at), has_body: row.body !== null }
}

/** Maintenance deletes expired bodies within an hour. Until then they are hidden. */
const isExpired = (app: App, receivedAt: number) =>
  receivedAt + app.config.inboundBodyHours * microsPerHour <= app.clock.now()

/** Locks a delivery for a replay. False if it does not exist or has already created something. */
export const claimReplay = (app: TxApp, ref: DeliveryRef): Promise<boolean> => queries.claimReplay(app.db, ref)
