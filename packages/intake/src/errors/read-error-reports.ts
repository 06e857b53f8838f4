import type { ErrorLevel } from '@service/contract/values'
import { type MappedField, type Mapper, type Mapping, startMapping } from '../evaluate-mapping.ts'
import type { JsonRecord } from '../sanitize/json-path.ts'
import { unwrapBatch } from './batch.ts'
import { decodeReport, defaultLimits, type ReportLimits } from './decode.ts'
import { tooLarge } from './decoding/decode-error.ts'
import { unwrapLogLine } from './decoding/log-line.ts'
import { besideDocumented, flat, isDocumentedBody } from './formats/flat.ts'
import type { Format } from './formats/format.ts'
import { generic } from './formats/generic.ts'
import { formatOf } from './formats/index.ts'
import { isOfLogger } from './guess/loggers.ts'
import { isTestNotice } from './guess/quiet.ts'
import { startWalking } from './guess/walk.ts'
import { toText } from './json.ts'
import { type GradedReport, isBelowTicketLevel, isCounted } from './level.ts'
import { readAccessLine } from './printed/access-line.ts'
import { type ErrorRecord, type RecordDraft, toRecord } from './record.ts'
import { readUnread } from './unread.ts'

export type IncomingReport = {
  readonly body: Uint8Array
  readonly headers: Pick<Headers, 'get'>
  readonly limits?: Partial<ReportLimits>
  /** The lowest level that opens a ticket, or null. Reports that are never counted are dropped during reading. */
  readonly minLevel?: ErrorLevel | null
  /** The owner's mapping, which corrects the result. */
  readonly mapping?: Mapping | null
}

/** A record, its format, and whether it has the documented shape. */
export type FormattedReport = GradedReport & {
  /** The position in the body, which no mapping changes. */
  readonly place: string
  readonly format: string
  /** The result of the mapping's `opens_when`; null if it does not decide. */
  readonly opens: boolean | null
  readonly mapped: readonly MappedField[]
}

export type FormattedReports = {
  readonly reports: readonly FormattedReport[]
  /** How many entries the mapping ignores. */
  readonly ignored: number
}

/** One report of a body, and the reader that recognized it. */
export type Entry = {
  readonly content: JsonRecord
  /** The document that contains the entry, or the entry itself if it is not in a list. */
  readonly document: JsonRecord
  readonly reader: Format
}

const entriesIn = (document: JsonRecord): readonly Entry[] => {
  const reader = formatOf(document)
  return (reader.split?.(document) ?? [document]).map((content) => ({ content, document, reader }))
}

/** A batch of an unknown format is read entry by entry. */
const readEntries = (document: JsonRecord, limits: ReportLimits): readonly Entry[] => {
  const batch = unwrapBatch(document)
  if (batch === null || formatOf(document) !== generic) return entriesIn(document)
  if (batch.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  return batch.flatMap((entry) => entriesIn(unwrapLogLine(entry, limits) ?? entry))
}

const formatsOfDocumented = new Set([flat.name, generic.name])

/** Whether fields name what a message is about: a title, an application, a request, an alert, or a place. */
const isAbout = ({ message, app, status, method, fingerprint }: ErrorRecord): boolean =>
  [message, app, status, method, fingerprint].some((part) => part !== null)

/** Whether another sender wrote the fields, also because they say that nothing is wrong. */
const isOfOther = (fields: JsonRecord): boolean =>
  isOfLogger(fields) ||
  generic
    .read(fields, fields)
    .map(toRecord)
    .some((record) => isBelowTicketLevel(record) || isAbout(record))

/** Other unknown fields are ignored. */
const isDocumented = (whole: JsonRecord, format: string, record: ErrorRecord): boolean => {
  // A web server printed this line.
  if (isDocumentedBody(whole)) return readAccessLine(toText(whole['message']) ?? '') === null
  if (!formatsOfDocumented.has(format) || !isBelowTicketLevel(record)) return false
  const beside = besideDocumented(whole)
  return beside !== null && !isOfOther(beside)
}

/** In a documented report, words about a state are part of the error. */
const toReport = (
  draft: RecordDraft,
  { content, reader }: Entry,
  whole: JsonRecord | null,
): GradedReport & { readonly format: string } => {
  const read = toRecord(draft)
  const isWordless = read.message === null && read.exception === null
  const record = isWordless ? { ...read, unread: readUnread(content) } : read
  if (whole !== null && isDocumented(whole, reader.name, record))
    return { record: { ...record, recovered: false }, format: reader.name, isDocumented: true }
  const isTest = record.frames.length === 0 && isTestNotice(record)
  return { record: isTest ? { ...record, severity: 'info' } : record, format: reader.name, isDocumented: false }
}

/**
 * Every error in a body, in order. Empty if the body contains no errors, such as an envelope of sessions. Throws only
 * `UnreadableBody`.
 */
export const readErrorReports = (incoming: IncomingReport): ErrorRecord[] =>
  readFormattedReports(incoming).reports.map(({ record }) => record)

/** The fields that a mapping sets, in draft form, and the reader's original values. */
const mapDraft = (draft: RecordDraft, entry: JsonRecord, mapper: Mapper) => {
  const fields = Object.entries(mapper.fieldsOf(entry))
  if (fields.length === 0) return { draft, mapped: [] }
  const read: Readonly<Record<string, unknown>> = toRecord(draft)
  const mapped = fields.map(([field, to]) => ({
    field,
    from: shown(read[field]),
    to: typeof to === 'string' ? shorten(to) : to,
    expression: mapper.expressionOf(field),
  }))
  return { draft: { ...draft, ...Object.fromEntries(fields) }, mapped }
}

/** The list of changes is stored with the report, which has the whole values. */
const maxShownLength = 1_000

const shorten = (text: string) => (text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`)

const shown = (value: unknown) => {
  if (typeof value === 'string') return shorten(value)
  return typeof value === 'number' ? value : null
}

/** The reports of one entry, with the mapping applied. Empty if the mapping ignores it. */
const readReports = (
  entry: Entry,
  whole: JsonRecord | null,
  mapper: Mapper,
): Omit<FormattedReport, 'place'>[] | 'ignored' => {
  if (mapper.ignores(entry.content)) return 'ignored'
  const opens = mapper.opens(entry.content)
  return entry.reader.read(entry.content, entry.document).map((read) => {
    const { draft, mapped } = mapDraft(read, entry.content, mapper)
    const report = toReport(draft, entry, whole)
    // A report with only documented fields opens a ticket. Others may be silenced by their additional fields.
    const alwaysOpens = report.isDocumented && whole !== null && isDocumentedBody(whole)
    return { ...report, opens: alwaysOpens && opens === false ? null : opens, mapped }
  })
}

/**
 * `readErrorReports` with the steps of each report: decode, split, ignore, recognize, read, map, cut, grade.
 */
export const readFormattedReports = (incoming: IncomingReport): FormattedReports => {
  const { body, headers, minLevel, mapping = null } = incoming
  const limits = { ...defaultLimits, ...incoming.limits }
  const mapper = startMapping(mapping)
  const reports: FormattedReport[] = []
  let ignored = 0
  startWalking()
  const { documents, whole } = decodeReport({ body, headers, limits })
  const entries = documents.flatMap((document) => readEntries(document, limits))
  for (const [entryIndex, entry] of entries.entries()) {
    const read = readReports(entry, whole, mapper)
    if (read === 'ignored') ignored += 1
    else {
      const placed = read.map((report, index) => ({ ...report, place: `${entryIndex}.${index}` }))
      reports.push(...placed.filter((report) => report.opens === true || isWanted(report, minLevel)))
    }
    if (reports.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  }
  return { reports, ignored }
}

const isWanted = (report: FormattedReport, minLevel: ErrorLevel | null | undefined) =>
  minLevel === undefined || isCounted(report, minLevel)
