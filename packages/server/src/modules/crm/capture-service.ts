import type { LeadReceipt } from '@service/contract'
import type { CapturedLead } from '@service/intake/leads/captured-lead'
import type { LeadReading } from '@service/intake/leads/read-leads'
import type { App, TxApp } from '../../context.ts'
import { lazily } from '../../core/lazily.ts'
import { refuseUnreadable } from '../../core/refuse-unreadable.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { CapturedEntry, Changed } from '../inbound-deliveries/service.ts'
import { type RawBody, type ReceivedDelivery, recordDelivery } from '../inbound-deliveries/service.ts'
import { copyKeyOf, findLeadOfEnquiry, insertOrFindLead } from './duplicate-lead.ts'
import { toLeadRow, toPersonRow } from './enquiry-rows.ts'
import type { ReceivingLeadSource } from './lead-source-service.ts'
import * as queries from './queries.ts'
import { rereadEnquiry } from './reread-enquiry.ts'

interface LeadDelivery extends ReceivedDelivery {
  /** For a replay: what the delivery has captured before, and where to list what changes. */
  readonly before?: Before | undefined
  readonly source: { readonly source: string; readonly active: boolean }
  readonly reading: LeadReading
}

interface Before {
  readonly captured: readonly CapturedEntry[]
  readonly changed: Changed[]
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
export const receiveLeads = async (
  app: App,
  delivery: ReceivedDelivery & RawBody & Pick<LeadDelivery, 'before'>,
  source: ReceivingLeadSource,
) => captureLeads(app, { ...delivery, source, reading: await readDelivery(delivery, source) })

/** The readers and their word lists make up a tenth of the program, so they are loaded with the first lead. */
const loadReader = lazily(() => import('@service/intake/leads/read-leads'))

/** Reads the entries of a body with the mapping of its source. Throws `validation` for a body that cannot be read. */
export async function readDelivery(
  { headers, body }: RawBody,
  { source, mapping }: Pick<ReceivingLeadSource, 'source' | 'mapping'>,
): Promise<LeadReading> {
  const { readLeads } = await loadReader()
  try {
    return readLeads({ source, headers, body, mapping })
  } catch (fault) {
    return refuseUnreadable(fault)
  }
}

/** Stores every lead of a delivery. The response describes the first created lead, or else the first lead. */
function captureLeads(app: App, delivery: LeadDelivery): Promise<LeadReceipt> {
  const { source, active } = delivery.source
  return inTransaction(app, async (app) => {
    const outcomes: CaptureOutcome[] = []
    const captured = new Map(delivery.before?.captured.map((entry) => [entry.place, entry]))
    for (const [index, entry] of delivery.reading.entries.entries()) {
      if (!active || !('lead' in entry)) continue
      const place = String(index)
      const { enquiry, ...outcome } = await captureOrReread(app, delivery, {
        lead: entry.lead,
        earlier: captured.get(place),
      })
      if (enquiry !== null) captured.set(place, { place, enquiry, created: outcome.lead_created })
      outcomes.push(outcome)
    }
    const reported = outcomes.find(({ lead_created }) => lead_created) ?? outcomes[0] ?? skipped(skipReason(delivery))
    await recordDelivery(app, delivery, {
      integration: 'leads',
      source,
      status: 200,
      summary: summarize(source, reported),
      opened: captured.size > 0,
      entries: [...captured.values()],
    })
    return { received: true, ...reported, source }
  })
}

function skipReason({ source, reading }: LeadDelivery): string {
  return source.active ? (reading.ignored[0]?.reason ?? 'not_a_lead') : 'source_inactive'
}

/** The result, and the inquiry that was stored or had been stored before. */
type Captured = CaptureOutcome & { readonly enquiry: number | null }

const skipped = (reason: string): CaptureOutcome => ({
  lead_created: false,
  duplicate: false,
  skipped: true,
  reason,
  lead_id: null,
})

interface StoredEnquiry {
  readonly enquiry: number
  readonly lead_id: number
  /** Whether it created the lead. */
  readonly isNew?: boolean
}

const toCaptured = ({ enquiry, lead_id, isNew = false }: StoredEnquiry): Captured => ({
  lead_created: isNew,
  duplicate: !isNew,
  skipped: false,
  reason: isNew ? null : 'duplicate',
  lead_id,
  enquiry,
})

function summarize(source: string, { lead_created, duplicate, reason }: CaptureOutcome): string {
  if (lead_created) return `${source}: lead created`
  return duplicate ? `${source}: duplicate` : `${source}: skipped, ${reason}`
}

interface Entry {
  readonly lead: CapturedLead
  /** What an earlier reading of the entry was captured as. */
  readonly earlier: CapturedEntry | undefined
}

type Capturing = Pick<LeadDelivery, 'workspaceId' | 'before'>

/** Captures an entry, or corrects what it was captured as. It still counts as what created its lead. */
export async function captureOrReread(
  app: TxApp,
  { workspaceId, before }: Capturing,
  { lead, earlier }: Entry,
): Promise<Captured> {
  const id = earlier?.enquiry
  const enquiry = id === undefined ? undefined : await queries.findEnquiry(app.db, { workspaceId, id })
  if (before === undefined || enquiry === undefined) return captureLead(app, workspaceId, lead)
  const { lead_id, isNew } = await rereadEnquiry(app, { enquiry, lead, changed: before.changed })
  const isCreator = isNew || (earlier?.created === true && lead_id === enquiry.lead_id)
  return toCaptured({ enquiry: enquiry.id, lead_id, isNew: isCreator })
}

/** Creates a lead, or adds an inquiry to the lead of the same person. A copy of an inquiry adds nothing. */
async function captureLead(app: TxApp, workspaceId: number, lead: CapturedLead): Promise<Captured> {
  if (lead.email === null && lead.phone === null && lead.handle === null)
    return { ...skipped('no_contact'), enquiry: null }
  const copyKey = copyKeyOf(lead)
  const copied = copyKey === null ? undefined : await queries.findEnquiryCopy(app.db, workspaceId, copyKey)
  if (copied !== undefined) return toCaptured({ enquiry: copied.id, lead_id: copied.lead_id })
  const known = await findLeadOfEnquiry(app, workspaceId, lead)
  const { lead_id, isNew } =
    known === undefined
      ? await insertOrFindLead(app, toLeadRow(app, workspaceId, lead))
      : { lead_id: known, isNew: false }
  const stored = await queries.insertEnquiry(app.db, {
    ...toPersonRow(lead),
    ...{ workspace_id: workspaceId, lead_id, copy_key: copyKey },
    ...{ source: lead.source, external_id: lead.externalId, scope: lead.scope },
    received_at: app.clock.now(),
  })
  if (stored === undefined) return dropCopy(app, { workspaceId, id: lead_id, isNew, copyKey })
  return toCaptured({ enquiry: stored.id, lead_id, isNew })
}

/** A concurrent request has stored the same inquiry, so its lead is the one to keep. */
async function dropCopy(
  app: TxApp,
  { workspaceId, id, isNew, copyKey }: { workspaceId: number; id: number; isNew: boolean; copyKey: string | null },
): Promise<Captured> {
  if (isNew) await queries.deleteLead(app.db, { workspaceId, id })
  const copied = copyKey === null ? undefined : await queries.findEnquiryCopy(app.db, workspaceId, copyKey)
  if (copied === undefined) throw new Error('The insert of an inquiry conflicted with a copy that does not exist.')
  return toCaptured({ enquiry: copied.id, lead_id: copied.lead_id })
}
