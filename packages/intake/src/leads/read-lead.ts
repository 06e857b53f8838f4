import { requireRecord } from '../sanitise/decode.ts'
import type { DeliveryHeaders } from '../sanitise/headers.ts'
import { type JsonRecord, lineAt } from '../sanitise/json-path.ts'
import { mostLeads } from './bounded-lists.ts'
import type { CapturedLead, IgnoredLead } from './captured-lead.ts'
import { isListOfFields, recordOfPairs } from './labelled-field.ts'
import { startLabels } from './labels/role-of.ts'
import { decodeLeadBody } from './lead-body.ts'
import { platformFor } from './platforms/index.ts'
import { shareFields, startReading } from './reading-budget.ts'

export type LeadDelivery = { readonly source: string; readonly headers: DeliveryHeaders; readonly body: Uint8Array }

export type LeadReading = {
  readonly leads: readonly CapturedLead[]
  /** What was understood and is no lead, with the reason and, where there is one, the id to fetch it by. */
  readonly ignored: readonly IgnoredLead[]
  /** Google Ads cannot send a header and puts the shared secret here instead; to be compared like the header. */
  readonly bodyKey: string | null
}

/** A list may be of leads, or of the fields of one. */
const bodiesOf = (decoded: unknown): readonly JsonRecord[] => {
  if (!Array.isArray(decoded)) return [requireRecord(decoded)]
  const pairs = recordOfPairs(decoded)
  if (pairs !== null) return [pairs]
  return isListOfFields(decoded) ? [{ fields: decoded }] : decoded.slice(0, mostLeads).map(requireRecord)
}

/** Reads whoever a lead platform or a form tells of. Throws `UnreadableBody` and nothing else. */
export const readLeads = ({ source, headers, body }: LeadDelivery): LeadReading => {
  const decoded = decodeLeadBody(headers, body)
  startLabels()
  startReading()
  const bodies = bodiesOf(decoded)
  shareFields(bodies.length)
  const readings = bodies.map((one) => platformFor({ source, body: one }).read(one))
  return {
    leads: readings.flatMap(({ leads }) => leads.map((lead) => ({ ...lead, source }))).slice(0, mostLeads),
    ignored: readings.flatMap(({ ignored }) => ignored).slice(0, mostLeads),
    bodyKey: bodies.map((one) => lineAt(one, 'google_key')).find((key) => key !== null) ?? null,
  }
}
