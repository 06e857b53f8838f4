import { type MappedField, type Mapper, type Mapping, startMapping } from '../evaluate-mapping.ts'
import { requireRecord, UnreadableBody } from '../sanitize/decode.ts'
import type { DeliveryHeaders } from '../sanitize/headers.ts'
import { isRecord, type JsonRecord, lineAt } from '../sanitize/json-path.ts'
import { maxEntries, maxLeads, shareFields, startReading } from './bounds.ts'
import type { CapturedLead, IgnoredLead, IgnoredReason } from './captured-lead.ts'
import { documentedContact } from './documented-lead.ts'
import { toScope } from './id-scope.ts'
import { isListOfFields, recordOfPairs } from './labeled-field.ts'
import { startLabels } from './labels/role-of.ts'
import { decodeLeadBody } from './lead-body.ts'
import { findSenderRule } from './not-leads.ts'
import { form } from './platforms/form.ts'
import { readerFor } from './platforms/index.ts'
import { type EntryReading, ignoring, type LeadReader, type UnsourcedLead } from './platforms/reader.ts'
import { accept } from './role-matches.ts'

export type LeadDelivery = {
  readonly source: string
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** The owner's mapping, which corrects the result. */
  readonly mapping?: Mapping | null
}

/** The result for one entry: a lead, or the reason why it is not one. */
export type ReadEntry = {
  /** The reader of the entry, or the sender whose event was skipped. */
  readonly reader: string
  readonly mapped: readonly MappedField[]
} & ({ readonly lead: CapturedLead } | { readonly ignored: IgnoredLead })

export type LeadReading = {
  readonly entries: readonly ReadEntry[]
  readonly leads: readonly CapturedLead[]
  /** The entries that are not leads, with the reason and, if there is one, the platform's id. */
  readonly ignored: readonly IgnoredLead[]
  /** Google Ads cannot send a header and puts the shared secret here instead. Compare it like the header. */
  readonly bodyKey: string | null
}

/** A part of a delivery that is one inquiry or none, and the reader that recognizes it. */
type LeadEntry = { readonly reader: LeadReader; readonly content: JsonRecord }

type SplitBody = { readonly body: JsonRecord; readonly parts: readonly LeadEntry[] }

/** A list may be a list of leads, or of the fields of one lead. */
const toBodies = (decoded: unknown, source: string): readonly JsonRecord[] => {
  if (!Array.isArray(decoded)) return [requireRecord(decoded)]
  const pairs = recordOfPairs(decoded)
  if (pairs !== null) return [pairs]
  const [first]: readonly unknown[] = decoded
  const isKnown = isRecord(first) && readerFor(first, source).isGuess !== true
  return !isKnown && isListOfFields(decoded) ? [{ fields: decoded }] : decoded.slice(0, maxEntries).map(requireRecord)
}

const splitBody = (body: JsonRecord, source: string): readonly LeadEntry[] => {
  const reader = readerFor(body, source)
  return (reader.split?.(body) ?? [body]).map((content) => ({ reader, content }))
}

/** Meta's test tool fills every field with "<test lead: dummy data for full_name>". */
const isDummy = ({ name, message, answers }: UnsourcedLead) =>
  [name, message, ...answers.map(({ answer }) => answer)].some((text) => text?.startsWith('<test lead:'))

const readEntry = ({ reader, content }: LeadEntry): { readonly by: string; readonly reading: EntryReading } => {
  const rule = findSenderRule(content)
  if (rule !== null) return { by: rule.sender, reading: ignoring(rule.reason) }
  const reading = reader.read(content)
  const isTest = 'answers' in reading && isDummy(reading)
  return { by: reader.name, reading: isTest ? ignoring('test_lead', reading.externalId) : reading }
}

/** No person was found, so the owner's mapping may still supply one. */
const reasonsToMap = new Set<IgnoredReason>(['not_a_lead', 'details_not_included'])
const emptyLead: UnsourcedLead = {
  ...{ name: null, email: null, phone: null, company: null, message: null },
  ...{ answers: [], handle: null, externalId: null },
}

/** A mapped address or number replaces nothing unless it is valid, like any other. */
const readMapped = (field: string, value: string | number): string | null =>
  field === 'email' || field === 'phone' ? accept[field](String(value)) : String(value).trim()

/** Ignores what the mapping ignores, and sets the fields that it maps. */
const mapEntry = (entry: LeadEntry, source: string, mapper: Mapper): ReadEntry => {
  if (mapper.ignores(entry.content))
    return { reader: entry.reader.name, mapped: [], ignored: ignoring('ignored_by_mapping') }
  const { by: reader, reading } = readEntry(entry)
  const fields = Object.entries(mapper.fieldsOf(entry.content)).flatMap(([field, value]) => {
    const to = readMapped(field, value)
    return to === null ? [] : [{ field, to }]
  })
  const isMapped = fields.some(({ field }) => field === 'email' || field === 'phone')
  if ('reason' in reading && !(isMapped && reasonsToMap.has(reading.reason)))
    return { reader, mapped: [], ignored: reading }
  const lead = 'reason' in reading ? { ...emptyLead, externalId: reading.externalId } : reading
  const mapped = fields.map(({ field, to }) => ({
    field,
    from: lead[field as 'name'], // the fields of a lead that may be mapped are texts
    to,
    expression: mapper.expressionOf(field),
  }))
  return {
    reader,
    mapped,
    lead: {
      ...lead,
      ...Object.fromEntries(mapped.map(({ field, to }) => [field, to])),
      scope: lead.externalId === null ? null : toScope(reader, entry.content),
      source,
    },
  }
}

const isMissed = (body: JsonRecord, entries: readonly ReadEntry[]): boolean => {
  const { email, phone } = documentedContact(body)
  if (email === null && phone === null) return false
  return entries.every((entry) => {
    if ('ignored' in entry) return reasonsToMap.has(entry.ignored.reason)
    const { lead } = entry
    return lead.email === null && (email !== null || (lead.phone === null && lead.handle === null))
  })
}

/** A platform that misses the documented fields at the top level did not send the body: it is a form. */
const readBody = ({ body, parts }: SplitBody, source: string, mapper: Mapper): readonly ReadEntry[] => {
  const entries = parts.map((part) => mapEntry(part, source, mapper))
  const isOfPlatform = parts.some(({ reader }) => reader.isGuess !== true)
  return isOfPlatform && isMissed(body, entries) ? [mapEntry({ reader: form, content: body }, source, mapper)] : entries
}

/** Reads the people in the delivery of a lead platform or a form. Throws only `UnreadableBody`. */
export const readLeads = ({ source, headers, body, mapping = null }: LeadDelivery): LeadReading => {
  const decoded = decodeLeadBody(headers, body)
  startLabels()
  startReading()
  const bodies = toBodies(decoded, source)
  const split = bodies.map((body): SplitBody => ({ body, parts: splitBody(body, source) }))
  const people = split.reduce((sum, { parts }) => sum + parts.length, 0)
  if (people > maxLeads) throw new UnreadableBody(`The body holds more than ${maxLeads} leads. Send fewer per request.`)
  shareFields(people)
  const mapper = startMapping(mapping)
  const entries = split.flatMap((each) => readBody(each, source, mapper))
  return {
    entries,
    leads: entries.flatMap((entry) => ('lead' in entry ? entry.lead : [])),
    ignored: entries.flatMap((entry) => ('ignored' in entry ? entry.ignored : [])),
    bodyKey: bodies.map((body) => lineAt(body, 'google_key')).find((key) => key !== null) ?? null,
  }
}
