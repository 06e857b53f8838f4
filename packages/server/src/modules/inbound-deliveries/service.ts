import type { BodyToExplain } from '@service/contract/admin/mapping'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { formatInstant, microsPerHour } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import { toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'
import { noBody, type RawBody, requireStoredBody, type StoredBody, toRawBody, toStoredBody } from './stored-body.ts'

export type { RawBody } from './stored-body.ts'

const maxDeliveries = 500
const maxBodies = 100
const pruneEvery = 50
const maxSummaryLength = 255

/** A delivery as the log takes it. */
export interface ReceivedDelivery {
  readonly workspaceId: number
  readonly requestId: string
  /** Its body, if it is to be stored. */
  readonly stored?: StoredBody | undefined
  /** Set for a replay: the delivery whose entry changes, instead of a new entry. */
  readonly replayOf?: number | undefined
}

export interface DeliveryOutcome {
  readonly integration: string
  /** Of leads. */
  readonly source?: string | undefined
  readonly status: number
  readonly summary: string
  /** Whether it opened a ticket, captured a lead, or recorded a punch. */
  readonly opened?: boolean
  /** The keys of the errors that it was counted on. */
  readonly counted?: readonly string[]
}

/** Logs an authenticated delivery. Inside a transaction, the entry commits with the delivery's changes. */
export function recordDelivery(app: App, received: ReceivedDelivery, noted: DeliveryOutcome): Promise<void> {
  const { workspaceId, requestId, replayOf } = received
  const outcome = toOutcome(noted)
  const { content_type, body } = received.stored ?? noBody
  return inTransaction(app, async (app) => {
    if (replayOf !== undefined)
      return void (await queries.updateDelivery(app.db, { workspaceId, id: replayOf }, outcome))
    const { integration, source = null } = noted
    const id = await queries.insertDelivery(app.db, {
      workspace_id: workspaceId,
      integration,
      source,
      request_id: requestId,
      received_at: app.clock.now(),
      ...outcome,
      // Only a replay reads the keys, and only a delivery with a body can be replayed.
      counted: body === null ? null : outcome.counted,
      content_type,
      body,
    })
    if (id % pruneEvery !== 0) return
    await queries.pruneDeliveries(app.db, { workspaceId, integration, keep: maxDeliveries })
    await queries.dropBodies(app.db, { workspaceId, integration, keep: maxBodies })
  })
}

const toOutcome = ({ status, summary, opened = false, counted = [] }: DeliveryOutcome) => ({
  status,
  summary: summary.slice(0, maxSummaryLength),
  opened: toInteger(opened),
  counted: counted.length === 0 ? null : JSON.stringify(counted),
})

/** Integrations whose bodies an owner can explain and replay. */
const replayableIntegrations = ['errors', 'leads', 'attendance']

/** The body that the log keeps of a delivery. Masking takes a while, so call it before a transaction begins. */
export function bodyToStore(app: App, integration: string, raw: RawBody): StoredBody {
  if (app.config.inboundBodyHours === 0 || !replayableIntegrations.includes(integration)) return noBody
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

/** A delivery as it is stored. An expired body is null. */
export async function requireDelivery(app: App, at: DeliveryRef) {
  const row = await queries.findDelivery(app.db, at)
  if (row === undefined) throw notFound('inbound delivery', at.id)
  return isExpired(app, row.received_at) ? { ...row, body: null } : row
}

/** The body that a call of `explain` names, as the receiver of the integration would get it. */
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
export async function getDelivery(app: App, at: DeliveryRef) {
  const { workspace_id: _, opened: __, counted: ___, received_at, ...row } = await requireDelivery(app, at)
  return { ...row, received_at: formatInstant(received_at), has_body: row.body !== null }
}

/** Upkeep drops expired bodies within an hour; until then they are hidden. */
const isExpired = (app: App, receivedAt: number) =>
  receivedAt + app.config.inboundBodyHours * microsPerHour <= app.clock.now()

/** Locks a delivery for a replay. False if it does not exist or has already opened something. */
export const claimReplay = (app: TxApp, at: DeliveryRef): Promise<boolean> => queries.claimReplay(app.db, at)
