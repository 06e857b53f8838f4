import { isMet, type MappedField, type Mapping, mapFields } from '../mapping.ts'
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

export type LeadDelivery = {
  readonly source: string
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** How the owner corrects what is read. */
  readonly mapping?: Mapping | null | undefined
}

/** One entry of a delivery: a lead, or the reason why it is not one. */
export type ReadEntry = { readonly reader: string; readonly mapped: readonly MappedField[] } & (
  | { readonly lead: CapturedLead }
  | { readonly ignored: IgnoredLead }
)

export type LeadReading = {
  readonly entries: readonly ReadEntry[]
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
export const readLeads = ({ source, headers, body, mapping }: LeadDelivery): LeadReading => {
  const decoded = decodeLeadBody(headers, body)
  startLabels()
  startReading()
  const bodies = bodiesOf(decoded)
  shareFields(bodies.length)
  const readings = bodies.map((one) => platformFor({ source, body: one }).read(one))
  const entries = bodies
    .flatMap((one, index) => applyMapping(readings[index], { source, content: one, mapping, reader: 'form' }))
    .slice(0, mostLeads)
  return {
    entries,
    leads: entries.flatMap((entry) => ('lead' in entry ? entry.lead : [])),
    ignored: entries.flatMap((entry) => ('ignored' in entry ? entry.ignored : [])),
    bodyKey: bodies.map((one) => lineAt(one, 'google_key')).find((key) => key !== null) ?? null,
  }
}

const applyMapping = (
  reading: { leads: readonly Omit<CapturedLead, 'source'>[]; ignored: readonly IgnoredLead[] } | undefined,
  {
    source,
    content,
    mapping,
    reader,
  }: { source: string; content: JsonRecord; mapping: Mapping | null | undefined; reader: string },
): ReadEntry[] => {
  if (mapping?.ignore_when && isMet(mapping.ignore_when, content))
    return [{ reader, mapped: [], ignored: { reason: 'ignored_by_mapping', externalId: null } }]
  const fields = mapFields(mapping, content)
  return [
    ...(reading?.leads ?? []).map((lead) => ({ reader, mapped: [], lead: { ...lead, ...(fields as object), source } })),
    ...(reading?.ignored ?? []).map((ignored) => ({ reader, mapped: [], ignored })),
  ]
}
