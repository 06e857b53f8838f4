import type { LeadReceipt } from '@service/contract'
import { type CapturedLead, leadNotes } from '@service/intake/leads/captured-lead'
import { type LeadReading, readLeads } from '@service/intake/leads/read-leads'
import { UnreadableBody } from '@service/intake/sanitize/decode'
import type { App, TxApp } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type RawBody, type ReceivedDelivery, recordDelivery } from '../inbound-deliveries/service.ts'
import { contactKeys, findLeadOfEnquiry, getConflictingLead } from './duplicate-lead.ts'
import type { ReceivingLeadSource } from './lead-source-service.ts'
import * as queries from './queries.ts'

interface LeadDelivery extends ReceivedDelivery {
  readonly source: { readonly source: string; readonly active: boolean }
  readonly reading: LeadReading
}

/** The result for one entry. */
export interface CaptureOutcome {
  readonly lead_created: boolean
  readonly duplicate: boolean
  readonly skipped: boolean
  readonly reason: string | null
  readonly lead_id: number | null
}

/** Reads a delivery of a source and captures its leads. */
export const receiveLeads = (app: App, delivery: ReceivedDelivery & RawBody, source: ReceivingLeadSource) =>
  captureLeads(app, { ...delivery, source, reading: readDelivery(delivery, source) })

/** Reads the entries of a body with the mapping of its source. Throws `validation` for a body that cannot be read. */
export function readDelivery(
  { headers, body }: RawBody,
  { source, mapping }: Pick<ReceivingLeadSource, 'source' | 'mapping'>,
): LeadReading {
  try {
    return readLeads({ source, headers, body, mapping })
  } catch (error) {
    throw error instanceof UnreadableBody ? validation({ body: [error.message] }) : error
  }
}

/** Stores every lead of a delivery. The response describes the first created lead, or else the first lead. */
function captureLeads(app: App, delivery: LeadDelivery): Promise<LeadReceipt> {
  const { source, active } = delivery.source
  return inTransaction(app, async (app) => {
    const outcomes: CaptureOutcome[] = []
    if (active) for (const lead of delivery.reading.leads) outcomes.push(await captureLead(app, delivery, lead))
    const reported = outcomes.find(({ lead_created }) => lead_created) ?? outcomes[0] ?? skipped(skipReason(delivery))
    await recordDelivery(app, delivery, {
      integration: 'leads',
      source,
      status: 200,
      summary: summaryOf(source, reported),
      opened: outcomes.some(({ lead_id }) => lead_id !== null),
    })
    return { received: true, ...reported, source }
  })
}

function skipReason({ source, reading }: LeadDelivery): string {
  return source.active ? (reading.ignored[0]?.reason ?? 'not_a_lead') : 'source_inactive'
}

const skipped = (reason: string): CaptureOutcome => ({
  lead_created: false,
  duplicate: false,
  skipped: true,
  reason,
  lead_id: null,
})

const duplicateOf = (lead_id: number): CaptureOutcome => ({
  lead_created: false,
  duplicate: true,
  skipped: false,
  reason: 'duplicate',
  lead_id,
})

function summaryOf(source: string, { lead_created, duplicate, reason }: CaptureOutcome): string {
  if (lead_created) return `${source}: lead created`
  return duplicate ? `${source}: duplicate` : `${source}: skipped, ${reason}`
}

/** Creates a lead, or adds an enquiry to the open lead of the same person. */
export async function captureLead(
  app: TxApp,
  { workspaceId }: Pick<LeadDelivery, 'workspaceId'>,
  lead: CapturedLead,
): Promise<CaptureOutcome> {
  if (lead.email === null && lead.phone === null && lead.handle === null) return skipped('no_contact')
  const resent = await findLeadOfEnquiry(app, workspaceId, lead)
  if (resent !== undefined) return duplicateOf(resent)
  const row = toLeadRow(app, workspaceId, lead)
  const created = await queries.insertCapturedLead(app.db, row)
  const lead_id = created?.id ?? (await getConflictingLead(app, workspaceId, row))
  await queries.insertEnquiry(app.db, toEnquiryRow(app, lead, { workspace_id: workspaceId, lead_id }))
  if (created === undefined) return duplicateOf(lead_id)
  return { lead_created: true, duplicate: false, skipped: false, reason: null, lead_id }
}

function toLeadRow(app: TxApp, workspace_id: number, lead: CapturedLead): queries.NewLeadRow {
  const now = app.clock.now()
  return {
    workspace_id,
    name: cut(lead.name ?? lead.email ?? lead.phone ?? lead.handle ?? 'Unknown'),
    email: cutOrNull(lead.email),
    ...contactKeys(lead),
    phone: cutOrNull(lead.phone ?? lead.handle),
    company: cutOrNull(lead.company),
    source: lead.source,
    notes: leadNotes(lead),
    estimated_value: null,
    status: 'new',
    created_at: now,
    updated_at: now,
  }
}

function toEnquiryRow(app: TxApp, lead: CapturedLead, ids: { workspace_id: number; lead_id: number }) {
  return {
    ...ids,
    source: lead.source,
    external_id: lead.externalId,
    name: cutOrNull(lead.name),
    email: cutOrNull(lead.email),
    phone: cutOrNull(lead.phone ?? lead.handle),
    company: cutOrNull(lead.company),
    notes: leadNotes(lead),
    received_at: app.clock.now(),
  }
}

const maxFieldLength = 255

const cut = (text: string) => Array.from(text).slice(0, maxFieldLength).join('')

const cutOrNull = (text: string | null) => (text === null ? null : cut(text))
