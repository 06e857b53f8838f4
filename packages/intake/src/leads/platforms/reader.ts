import type { JsonRecord } from '../../sanitize/json-path.ts'
import type { CapturedLead, IgnoredLead, IgnoredReason } from '../captured-lead.ts'
import type { Person } from '../person.ts'

export type UnsourcedLead = Omit<CapturedLead, 'scope' | 'source'>

/** One entry is one inquiry or none. */
export type EntryReading = UnsourcedLead | IgnoredLead

/** Reads one platform's leads. Recognized by the shape of the body, because relays forward bodies elsewhere. */
export type LeadReader = {
  readonly name: string
  /** For the documentation: the conditions, any of which must hold, and what is read. */
  readonly recognizedBy: readonly string[]
  readonly about: string
  /** Recognizes anything and reads it by the labels of its fields. */
  readonly isGuess?: boolean
  readonly recognizes: (body: JsonRecord, source: string) => boolean
  /** The parts of a body that are one inquiry each; the body itself if the platform sends one at a time. */
  readonly split?: (body: JsonRecord) => readonly JsonRecord[]
  readonly read: (entry: JsonRecord) => EntryReading
}

export const toLead = (person: Person, externalId: string | null): UnsourcedLead => ({
  ...person,
  handle: null,
  externalId,
})

export const ignoring = (reason: IgnoredReason, externalId: string | null = null): IgnoredLead => ({
  reason,
  externalId,
})
