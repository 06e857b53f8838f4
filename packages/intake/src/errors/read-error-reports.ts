import type { ErrorLevel } from '@service/contract/values'
import { batchOf } from './batch.ts'
import { decodeReport, defaultLimits, type ReportLimits } from './decode.ts'
import { tooLarge } from './decoding/decode-error.ts'
import { unwrapLogLine } from './decoding/log-line.ts'
import { besideDocumented, flat, isDocumentedBody } from './formats/flat.ts'
import type { Format } from './formats/format.ts'
import { generic } from './formats/generic.ts'
import { formatOf } from './formats/index.ts'
import { startWalking } from './guess/walk.ts'
import { type JsonObject, textOf } from './json.ts'
import { type GradedReport, isKept, isQuiet } from './level.ts'
import { readAccessLine } from './printed/access-line.ts'
import { type ErrorRecord, type RecordDraft, toRecord } from './record.ts'
import { readUnread } from './unread.ts'

export type IncomingReport = {
  readonly body: Uint8Array
  readonly headers: Pick<Headers, 'get'>
  readonly limits?: Partial<ReportLimits>
  /** From which level on tickets are opened, or null: what is never counted is dropped while it is read. */
  readonly minLevel?: ErrorLevel | null
}

/** A record, the name of the format that it was read as, and whether it came in the documented shape. */
export type FormattedReport = GradedReport & {
  readonly format: string
}

/** One report of a body, and the reader that recognized it. */
export type Entry = {
  readonly entry: JsonObject
  /** The document that holds the entry; the entry itself when it is not one of a list. */
  readonly document: JsonObject
  readonly reader: Format
}

const entriesIn = (document: JsonObject): readonly Entry[] => {
  const reader = formatOf(document)
  return (reader.split?.(document) ?? [document]).map((entry) => ({ entry, document, reader }))
}

/** A batch of no format that is known is read entry by entry. */
const entriesOf = (document: JsonObject, limits: ReportLimits): readonly Entry[] => {
  const batch = batchOf(document)
  if (batch === null || formatOf(document) !== generic) return entriesIn(document)
  if (batch.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  return batch.flatMap((entry) => entriesIn(unwrapLogLine(entry, limits) ?? entry))
}

const formatsOfDocumented = new Set([flat.name, generic.name])

/** Unknown fields change nothing, unless they say that nothing is wrong: then another sender wrote the body. */
const isDocumented = (whole: JsonObject, format: string, record: ErrorRecord): boolean => {
  // A web server printed this line.
  if (isDocumentedBody(whole)) return readAccessLine(textOf(whole['message']) ?? '') === null
  if (!formatsOfDocumented.has(format) || !isQuiet(record)) return false
  const beside = besideDocumented(whole)
  return beside !== null && !generic.read(beside, beside).map(toRecord).some(isQuiet)
}

/** In a documented report words about a state are part of the error. */
const toReport = (draft: RecordDraft, { entry, reader }: Entry, whole: JsonObject | null): FormattedReport => {
  const read = toRecord(draft)
  const isWordless = read.message === null && read.exception === null
  const record = isWordless ? { ...read, unread: readUnread(entry) } : read
  return whole !== null && isDocumented(whole, reader.name, record)
    ? { record: { ...record, recovered: false }, format: reader.name, isDocumented: true }
    : { record, format: reader.name, isDocumented: false }
}

/**
 * Every error that a body reports, in the order of the body. None when it holds only what is no error, as an envelope of
 * sessions. Throws `DecodeError` and nothing else.
 */
export const readErrorReports = (incoming: IncomingReport): ErrorRecord[] =>
  readFormattedReports(incoming).map(({ record }) => record)

/** The same, each with how it was read: decode, split into entries, recognize, read, cut to a record, grade. */
export const readFormattedReports = (incoming: IncomingReport): FormattedReport[] => {
  const { body, headers, minLevel } = incoming
  const limits = { ...defaultLimits, ...incoming.limits }
  const reports: FormattedReport[] = []
  startWalking()
  const { documents, whole } = decodeReport({ body, headers, limits })
  for (const document of documents) {
    for (const one of entriesOf(document, limits)) {
      for (const draft of one.reader.read(one.entry, one.document)) {
        const report = toReport(draft, one, whole)
        if (minLevel === undefined || isKept(report, minLevel)) reports.push(report)
      }
      if (reports.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
    }
  }
  return reports
}
