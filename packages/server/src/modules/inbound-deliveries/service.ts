import type { BodyToExplain } from '@service/contract/admin/mapping'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { formatInstant, microsPerHour } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import { toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type KeptBody, notKept, type RawBody, requireKept, toKeptBody, toRawBody } from './kept-body.ts'
import * as queries from './queries.ts'

export type { RawBody } from './kept-body.ts'

const kept = 500
const keptBodies = 100
const pruneEvery = 50
const longestSummary = 255

/** A delivery as the log takes it. */
export interface Received {
  readonly workspaceId: number
  readonly requestId: string
  /** Its body, if it is to be stored. */
  readonly kept?: KeptBody | undefined
  /** Set for a replay: the delivery whose entry changes, instead of a new entry. */
  readonly replayOf?: number | undefined
}

export interface Noted {
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
export function noteDelivery(app: App, received: Received, noted: Noted): Promise<void> {
  const { workspaceId, requestId, replayOf } = received
  const outcome = toOutcome(noted)
  const { content_type, body } = received.kept ?? notKept
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
    await queries.pruneDeliveries(app.db, { workspaceId, integration, keep: kept })
    await queries.dropBodies(app.db, { workspaceId, integration, keep: keptBodies })
  })
}

const toOutcome = ({ status, summary, opened = false, counted = [] }: Noted) => ({
  status,
  summary: summary.slice(0, longestSummary),
  opened: toInteger(opened),
  counted: counted.length === 0 ? null : JSON.stringify(counted),
})

/** Integrations whose bodies an owner can explain and replay. */
const keptIntegrations = ['errors', 'leads', 'attendance']

/** The body that the log keeps of a delivery. Masking takes a while, so call it before a transaction begins. */
export function bodyToKeep(app: App, integration: string, raw: RawBody): KeptBody {
  if (app.config.inboundBodyHours === 0 || !keptIntegrations.includes(integration)) return notKept
  return toKeptBody(raw)
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

interface DeliveryAt {
  readonly workspaceId: number
  readonly id: number
}

/** A delivery as it is stored. An expired body is null. */
export async function requireDelivery(app: App, at: DeliveryAt) {
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
  return requireKept(delivery)
}

/** A delivery with its body. */
export async function getDelivery(app: App, at: DeliveryAt) {
  const { workspace_id: _, opened: __, counted: ___, received_at, ...row } = await requireDelivery(app, at)
  return { ...row, received_at: formatInstant(received_at), has_body: row.body !== null }
}

/** Upkeep drops expired bodies within an hour; until then they are hidden. */
const isExpired = (app: App, receivedAt: number) =>
  receivedAt + app.config.inboundBodyHours * microsPerHour <= app.clock.now()

/** Locks a delivery for a replay. False if it does not exist or has already opened something. */
export const claimReplay = (app: TxApp, at: DeliveryAt): Promise<boolean> => queries.claimReplay(app.db, at)
