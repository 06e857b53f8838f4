import { requireRecord } from '../sanitise/decode.ts'
import type { DeliveryHeaders } from '../sanitise/headers.ts'
import { isRecord, type JsonRecord, lineAt } from '../sanitise/json-path.ts'
import { mostLeads, shareFields, startReading } from './bounds.ts'
import type { CapturedLead, IgnoredLead } from './captured-lead.ts'
import { isListOfFields, recordOfPairs } from './labelled-field.ts'
import { startLabels } from './labels/role-of.ts'
import { decodeLeadBody } from './lead-body.ts'
import { ruleOfSender } from './not-leads.ts'
import { readerFor } from './platforms/index.ts'
import { type EntryReading, ignoring, type LeadReader, type UnsourcedLead } from './platforms/reader.ts'

export type LeadDelivery = { readonly source: string; readonly headers: DeliveryHeaders; readonly body: Uint8Array }

export type LeadReading = {
  readonly leads: readonly CapturedLead[]
  /** The entries that are not leads, with the reason and, if there is one, the platform's id. */
  readonly ignored: readonly IgnoredLead[]
  /** The reader of each entry, or the sender whose event was skipped. */
  readonly readers: readonly string[]
  /** Google Ads cannot send a header and puts the shared secret here instead; to be compared like the header. */
  readonly bodyKey: string | null
}

/** A part of a delivery that is one inquiry or none, and the reader that recognizes it. */
type LeadEntry = { readonly reader: LeadReader; readonly content: JsonRecord }

/** A list may be a list of leads, or of the fields of one lead. */
const bodiesOf = (decoded: unknown, source: string): readonly JsonRecord[] => {
  if (!Array.isArray(decoded)) return [requireRecord(decoded)]
  const pairs = recordOfPairs(decoded)
  if (pairs !== null) return [pairs]
  const [first]: readonly unknown[] = decoded
  const isKnown = isRecord(first) && readerFor(first, source).isGuess !== true
  return !isKnown && isListOfFields(decoded) ? [{ fields: decoded }] : decoded.slice(0, mostLeads).map(requireRecord)
}

const splitBody = (body: JsonRecord, source: string): readonly LeadEntry[] => {
  const reader = readerFor(body, source)
  return (reader.split?.(body) ?? [body]).map((content) => ({ reader, content }))
}

/** Meta's test tool fills every field with "<test lead: dummy data for full_name>". */
const isDummy = ({ name, message, answers }: UnsourcedLead) =>
  [name, message, ...answers.map(({ answer }) => answer)].some((text) => text?.startsWith('<test lead:'))

const readEntry = ({ reader, content }: LeadEntry): { readonly by: string; readonly reading: EntryReading } => {
  const rule = ruleOfSender(content)
  if (rule !== null) return { by: rule.sender, reading: ignoring(rule.reason) }
  const reading = reader.read(content)
  const isTest = 'answers' in reading && isDummy(reading)
  return { by: reader.name, reading: isTest ? ignoring('test_lead', reading.externalId) : reading }
}

/** Reads the people in the delivery of a lead platform or a form. Throws `UnreadableBody` and nothing else. */
export const readLeads = ({ source, headers, body }: LeadDelivery): LeadReading => {
  const decoded = decodeLeadBody(headers, body)
  startLabels()
  startReading()
  const bodies = bodiesOf(decoded, source)
  const entries = bodies.flatMap((one) => splitBody(one, source)).slice(0, mostLeads)
  shareFields(entries.length)
  const results = entries.map(readEntry)
  const readings = results.map(({ reading }) => reading)
  return {
    leads: readings.flatMap((reading) => ('reason' in reading ? [] : { ...reading, source })),
    ignored: readings.filter((reading) => 'reason' in reading),
    readers: results.map(({ by }) => by),
    bodyKey: bodies.map((one) => lineAt(one, 'google_key')).find((key) => key !== null) ?? null,
  }
}
