import type { JsonObject } from '../json.ts'
import type { RecordDraft } from '../record.ts'

/** The error format of one sender. Recognized only by its shape, because bodies are forwarded with any headers. */
export type Format = {
  readonly name: string
  readonly recognizes: (report: JsonObject) => boolean
  /** The entries that are separate reports. If absent, the body is one entry. */
  readonly split?: (report: JsonObject) => readonly JsonObject[]
  /** The draft of each report in an entry. Empty if the entry is something else (a session, a transaction). */
  readonly read: (entry: JsonObject, report: JsonObject) => readonly RecordDraft[]
}
