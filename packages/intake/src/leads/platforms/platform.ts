import type { JsonRecord } from '../../sanitise/json-path.ts'
import { mostLeads } from '../bounded-lists.ts'
import type { CapturedLead, IgnoredLead, IgnoredReason, PlatformReading } from '../captured-lead.ts'
import { collectFields } from '../form-fields.ts'
import type { FormField } from '../labelled-field.ts'
import { type Person, personFrom } from '../person.ts'

export type LeadBody = { readonly source: string; readonly body: JsonRecord }

/** What the documentation says of a platform; the table in docs/git-and-leads.md is made of it. */
export type PlatformNotes = {
  readonly title: string
  readonly recognisedBy: string
  readonly read: string
  readonly ignored?: string
}

/** One way of writing leads. Readers go by the shape of a body: relays send one platform's body to another's address. */
export type LeadPlatform = {
  readonly name: string
  readonly notes: PlatformNotes
  readonly recognises: (delivered: LeadBody) => boolean
  readonly read: (body: JsonRecord) => PlatformReading
}

export type UnsourcedLead = Omit<CapturedLead, 'source'>

export const oneLead = (person: Person, externalId: string | null): PlatformReading => ({
  leads: [{ ...person, handle: null, externalId }],
  ignored: [],
})

export const ignoring = (reason: IgnoredReason, externalId: string | null = null): PlatformReading => ({
  leads: [],
  ignored: [{ reason, externalId }],
})

/** Reads entry after entry until there are as many people as a delivery may tell of. */
export const readEach = <Entry>(
  entries: readonly Entry[],
  read: (entry: Entry) => PlatformReading,
): PlatformReading => {
  const leads: UnsourcedLead[] = []
  const ignored: IgnoredLead[] = []
  for (const entry of entries) {
    if (leads.length + ignored.length >= mostLeads) break
    const reading = read(entry)
    leads.push(...reading.leads)
    ignored.push(...reading.ignored)
  }
  return { leads, ignored }
}

/** An answer that nobody gave and that says what the enquiry is about: the form's name, the meeting's. */
export const remark = (question: string, value: string | null): readonly FormField[] =>
  value === null ? [] : [{ labels: [], question, value }]

/** The person in one part of a body, with remarks on where it came from. */
export const leadFrom = (
  part: unknown,
  { id, remarks = [] }: { readonly id: string | null; readonly remarks?: readonly FormField[] },
): PlatformReading => oneLead(personFrom([...collectFields(part), ...remarks]), id)
