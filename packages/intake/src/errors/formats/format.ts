import type { JsonObject } from '../json.ts'
import type { RecordDraft } from '../record.ts'

/** How one sender writes errors. Recognized by shape alone: bodies are forwarded under any name and header. */
export type Format = {
  readonly name: string
  readonly recognizes: (report: JsonObject) => boolean
  /** The entries that are reports of their own. None: the body is one entry. */
  readonly split?: (report: JsonObject) => readonly JsonObject[]
  /** What is read off an entry, before it is cut to a record. None when it holds something else (a session, a transaction). */
  readonly read: (entry: JsonObject, report: JsonObject) => readonly RecordDraft[]
}
