import type { LeadReceipt } from '@service/contract'
import { type CapturedLead, leadNotes } from '@service/intake/leads/captured-lead'
import { emailKey, phoneKey } from '@service/intake/leads/contact-key'
import { type LeadReading, readLeads } from '@service/intake/leads/read-lead'
import { UnreadableBody } from '@service/intake/sanitise/decode'
import type { App, TxApp } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { inTransaction } from '../../store/transaction.ts'
import { noteDelivery, type RawBody, type Received } from '../inbound-deliveries/service.ts'
import type { ReceivingLeadSource } from './lead-source-service.ts'
import * as queries from './queries.ts'

interface Captured extends Received {
  readonly source: { readonly source: string; readonly active: boolean }
  readonly reading: LeadReading
}

/** The result for one entry. */
export interface Outcome {
  readonly lead_created: boolean
  readonly duplicate: boolean
  readonly skipped: boolean
  readonly reason: string | null
  readonly lead_id: number | null
}

/** Reads a delivery of a source and captures its leads. */
export const receiveLeads = (app: App, delivery: Received & RawBody, source: ReceivingLeadSource) =>
  captureLeads(app, { ...delivery, source, reading: readDelivery(delivery, source) })

/** Reads the entries of a body with the mapping of its source. Throws `validation` for a body that cannot be read. */
export function readDelivery(
  { headers, body }: RawBody,
  { source, mapping }: Pick<ReceivingLeadSource, 'source' | 'mapping'>,
): LeadReading {
  try {
    return readLeads({ source, headers, body, mapping })
  } catch (fault) {
    throw fault instanceof UnreadableBody ? validation({ body: [fault.message] }) : fault
  }
}

/** Stores every lead of a delivery. The response describes the first created lead, or else the first lead. */
function captureLeads(app: App, captured: Captured): Promise<LeadReceipt> {
  const { source, active } = captured.source
  return inTransaction(app, async (app) => {
    const outcomes: Outcome[] = []
    if (active) for (const lead of captured.reading.leads) outcomes.push(await captureLead(app, captured, lead))
    const answered = outcomes.find(({ lead_created }) => lead_created) ?? outcomes[0] ?? skipped(reasonOf(captured))
    await noteDelivery(app, captured, {
      integration: 'leads',
      source,
      status: 200,
      summary: summaryOf(source, answered),
      opened: outcomes.some(({ lead_id }) => lead_id !== null),
    })
    return { received: true, ...answered, source }
  })
}

function reasonOf({ source, reading }: Captured): string {
  return source.active ? (reading.ignored[0]?.reason ?? 'not_a_lead') : 'source_inactive'
}

const skipped = (reason: string): Outcome => ({
  lead_created: false,
  duplicate: false,
  skipped: true,
  reason,
  lead_id: null,
})

const duplicateOf = (lead_id: number): Outcome => ({
  lead_created: false,
  duplicate: true,
  skipped: false,
  reason: 'duplicate',
  lead_id,
})

function summaryOf(source: string, { lead_created, duplicate, reason }: Outcome): string {
  if (lead_created) return `${source}: lead created`
  return duplicate ? `${source}: duplicate` : `${source}: skipped, ${reason}`
}

export async function captureLead(
  app: TxApp,
  { workspaceId, source }: Pick<Captured, 'workspaceId' | 'source'>,
  lead: CapturedLead,
): Promise<Outcome> {
  if (lead.email === null && lead.phone === null && lead.handle === null) return skipped('no_contact')
  const again =
    lead.externalId === null
      ? undefined
      : await queries.findEnquiry(app.db, { workspaceId, source: source.source, externalId: lead.externalId })
  if (again !== undefined) return duplicateOf(again.lead_id)
  const inserted = await queries.insertCapturedLead(app.db, toRow(app, workspaceId, lead))
  const lead_id = inserted?.id ?? (await openLeadOf(app, workspaceId, lead))
  await queries.insertEnquiry(app.db, toEnquiry(app, { workspaceId, lead_id, lead }))
  if (inserted === undefined) return duplicateOf(lead_id)
  return { lead_created: true, duplicate: false, skipped: false, reason: null, lead_id }
}

/** The open lead whose e-mail or WhatsApp account conflicts with the insert. */
async function openLeadOf(app: TxApp, workspaceId: number, lead: CapturedLead): Promise<number> {
  const keys = keysOf(lead)
  const open = await queries.findOpenLeadOf(app.db, workspaceId, keys)
  if (open === undefined) throw new Error('The insert of a lead conflicted with an open lead that does not exist.')
  return open.id
}

/** The deduplication keys: the e-mail address and, only for WhatsApp, the phone number, which is the account there. */
function keysOf({ source, email, phone, handle }: CapturedLead) {
  const phone_key = source === 'whatsapp' ? (phoneKeyOf(phone) ?? handle) : null
  return { email_key: email === null ? null : emailKey(email), phone_key }
}

const phoneKeyOf = (phone: string | null) => (phone === null ? null : phoneKey(phone))

function toRow(app: TxApp, workspace_id: number, lead: CapturedLead): queries.NewLeadRow {
  const now = app.clock.now()
  return {
    workspace_id,
    name: cut(lead.name ?? lead.email ?? lead.phone ?? lead.handle ?? 'Unknown'),
    email: cutOrNull(lead.email),
    ...keysOf(lead),
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

function toEnquiry(
  app: TxApp,
  { workspaceId, lead_id, lead }: { workspaceId: number; lead_id: number; lead: CapturedLead },
) {
  return {
    workspace_id: workspaceId,
    lead_id,
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

const longestField = 255
const cut = (text: string) => Array.from(text).slice(0, longestField).join('')
const cutOrNull = (text: string | null) => (text === null ? null : cut(text))
