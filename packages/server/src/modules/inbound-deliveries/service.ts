import type { BodyToExplain } from '@service/contract/admin/mapping'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { type Micros, microsPerHour } from '../../core/clock.ts'
import { ApiError, notFound, validation } from '../../core/errors.ts'
import { toInteger } from '../../store/columns.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { type CapturedEntry, type CountedReport, parseEntries, type RecordedEntry } from './delivery-entries.ts'
import * as queries from './queries.ts'
import { emptyBody, type RawBody, requireStoredBody, type StoredBody, toRawBody, toStoredBody } from './stored-body.ts'

export type { CapturedEntry, Changed, CountedReport, RecordedEntry } from './delivery-entries.ts'
export { parseEntries } from './delivery-entries.ts'
export type { InboundFilter } from './queries.ts'
export type { RawBody } from './stored-body.ts'
export { requireStoredBody } from './stored-body.ts'

/** The most deliveries and bodies of an integration. */
const maxDeliveries = 500
const maxBodies = 100
const maxSummaryLength = 255

/** An authenticated delivery. */
export interface ReceivedDelivery {
  readonly workspaceId: number
  readonly requestId: string
  /** The body to store, if any. */
  readonly stored?: StoredBody | undefined
  /** The attendance device that authenticated itself. */
  readonly deviceId?: number | undefined
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
  /** What its entries were counted as or created. */
  readonly entries?: readonly (CountedReport | CapturedEntry | RecordedEntry)[]
}

/** Logs an authenticated delivery. Inside a transaction, the entry commits with the delivery's changes. */
export function recordDelivery(app: App, received: ReceivedDelivery, outcome: DeliveryOutcome): Promise<void> {
  const { workspaceId, requestId, deviceId, replayOf } = received
  const columns = toColumns(outcome)
  const { content_type, body } = received.stored ?? emptyBody
  return inTransaction(app, async (app) => {
    if (replayOf !== undefined)
      return void (await queries.updateDelivery(app.db, { workspaceId, id: replayOf }, columns))
    const { integration, source = null } = outcome
    // The second of two deliveries at once must see the first, or both would keep one too many.
    await lockText(app, `inbound_deliveries ${workspaceId} ${integration}`)
    await queries.insertDelivery(app.db, {
      workspace_id: workspaceId,
      integration,
      source,
      request_id: requestId,
      received_at: app.clock.now(),
      device_id: deviceId ?? null,
      ...columns,
      // Only a replay reads the entries, and only a delivery with a body can be replayed.
      counted: body === null ? null : columns.counted,
      content_type,
      body,
    })
    await queries.pruneDeliveries(app.db, { workspaceId, integration, keep: maxDeliveries })
    if (body !== null) await queries.dropBodies(app.db, { workspaceId, integration, keep: maxBodies })
  })
}

interface Refusal extends Pick<DeliveryOutcome, 'integration' | 'source'> {
  readonly refusal: unknown
}

/** Logs an authenticated delivery whose body was refused, after the transaction of its changes was rolled back. */
export async function recordRefusal(app: App, received: ReceivedDelivery, { refusal, ...at }: Refusal): Promise<void> {
  if (!(refusal instanceof ApiError && refusal.code === 'validation')) return
  await recordDelivery(app, received, { ...at, status: 422, summary: refusal.message })
}

const toColumns = ({ status, summary, opened = false, entries = [] }: DeliveryOutcome) => ({
  status,
  summary: summary.slice(0, maxSummaryLength),
  opened: toInteger(opened),
  counted: entries.length === 0 ? null : JSON.stringify(entries),
})

/** Integrations whose bodies can be explained and replayed. */
const replayableIntegrations = ['errors', 'leads', 'attendance']

/** The body to store with a delivery. Masking takes time, so call this before a transaction starts. */
export function bodyToStore(app: App, integration: string, raw: RawBody): StoredBody {
  if (app.config.inboundBodyHours === 0 || !replayableIntegrations.includes(integration)) return emptyBody
  return toStoredBody(raw, integration)
}

/** A stored delivery. An expired body is null. */
export async function loadDelivery(app: App, ref: RowRef) {
  const row = await queries.findDelivery(app.db, ref)
  if (row === undefined) throw notFound('inbound delivery', ref.id)
  return isExpired(app, row.received_at) ? { ...row, body: null } : row
}

interface BodyOfDelivery extends RawBody {
  /** How it was received, if it is that of a delivery, and what its entries have created. */
  readonly received?: {
    readonly at: Micros
    readonly deviceId: number | null
    readonly source: string | null
    readonly entries: string | null
  }
}

/** The body of an `explain` request, in the form that the receiver of the integration reads. */
export async function bodyToExplain(
  app: App,
  { workspaceId, integration }: { readonly workspaceId: number; readonly integration: string },
  { delivery_id: id, ...posted }: z.output<typeof BodyToExplain>,
): Promise<BodyOfDelivery> {
  if ((posted.body === undefined) === (id === undefined))
    throw validation({ body: ['Send either the body field or the delivery_id field.'] })
  if (id === undefined) return await toRawBody({ ...posted, body: posted.body })
  const delivery = await loadDelivery(app, { workspaceId, id })
  if (delivery.integration !== integration) throw notFound('inbound delivery', id)
  const { received_at: at, device_id: deviceId, source, counted: entries } = delivery
  const received = { at, deviceId, source, entries }
  return { ...requireStoredBody(delivery), received }
}

/** Maintenance deletes expired bodies within an hour. Until then they are hidden. */
export const isExpired = (app: App, receivedAt: number) =>
  receivedAt + app.config.inboundBodyHours * microsPerHour <= app.clock.now()

interface JoinedErrors {
  readonly workspaceId: number
  readonly from: number
  readonly to: number
}

/** After two errors were joined, deliveries that were counted as the first refer to the second. */
export async function repointEntries(app: TxApp, { workspaceId, from, to }: JoinedErrors): Promise<void> {
  const rows = await queries.listCounted(app.db, { workspaceId, integration: 'errors' })
  for (const { id, counted } of rows) {
    const entries = parseEntries<CountedReport>(counted) ?? []
    if (!entries.some(({ group }) => group === from)) continue
    const repointed = entries.map((entry) => (entry.group === from ? { ...entry, group: to } : entry))
    await queries.setCounted(app.db, { workspaceId, id, counted: JSON.stringify(repointed) })
  }
}

/** The last deliveries of a workspace or of one of its integrations, newest first. */
export const listStoredDeliveries = ({ db }: App, workspaceId: number, filter: queries.InboundFilter) =>
  queries.listDeliveries(db, workspaceId, filter)
