import type { JsonRecord } from '../../../../untrusted/json-path.ts'
import type { CapturedLead, IgnoredReason, PlatformReading } from '../captured-lead.ts'
import type { Person } from '../person.ts'

export type LeadBody = { readonly source: string; readonly body: JsonRecord }

/** One way of writing leads. Readers go by the shape of a body: relays send one platform's body to another's address. */
export type LeadPlatform = {
  readonly name: string
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

export const combined = (readings: readonly PlatformReading[]): PlatformReading => ({
  leads: readings.flatMap(({ leads }) => leads),
  ignored: readings.flatMap(({ ignored }) => ignored),
})
