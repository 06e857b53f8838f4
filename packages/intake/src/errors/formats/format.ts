import type { JsonRecord } from '../../sanitize/json-path.ts'
import type { RecordDraft } from '../record.ts'

/** The error format of one sender. Recognized only by its shape, because bodies are forwarded with any headers. */
export type Format = {
  readonly name: string
  readonly recognizes: (report: JsonRecord) => boolean
  /** The entries that are separate reports. If absent, the body is one entry. */
  readonly split?: (report: JsonRecord) => readonly JsonRecord[]
  /** The draft of each report in an entry. Empty if the entry is something else (a session, a transaction). */
  readonly read: (entry: JsonRecord, report: JsonRecord) => readonly RecordDraft[]
}
