import type { ErrorLevel } from '@service/contract/values'
import { isMet, type MappedField, type Mapping, mapFields } from '../mapping.ts'
import { batchOf } from './batch.ts'
import { decodeReport, defaultLimits, type ReportLimits } from './decode.ts'
import { tooLarge } from './decoding/decode-error.ts'
import { unwrapLogLine } from './decoding/log-line.ts'
import { besideDocumented, flat, isDocumentedBody } from './formats/flat.ts'
import { generic } from './formats/generic.ts'
import { formatOf, type ReadRecord, readReport } from './formats/index.ts'
import { startWalking } from './heuristics/walk.ts'
import type { JsonObject } from './json.ts'
import { type GradedReport, isKept, isQuiet } from './level.ts'
import type { ErrorRecord } from './record.ts'

export type IncomingReport = {
  readonly body: Uint8Array
  readonly headers: Pick<Headers, 'get'>
  readonly limits?: Partial<ReportLimits>
  /** From which level on tickets are opened, or null: what is never counted is dropped while it is read. */
  readonly minLevel?: ErrorLevel | null
  /** How the owner corrects what is read. */
  readonly mapping?: Mapping | null
}

/** A record, the name of the format that it was read as, and whether it came in the documented shape. */
export type FormattedReport = ReadRecord &
  GradedReport & {
    /** What the mapping's `opens_when` says; null where there is none. */
    readonly opens: boolean | null
    readonly mapped: readonly MappedField[]
  }

/** A batch of no format that is known is read entry by entry. */
const readDocument = (report: JsonObject, limits: ReportLimits): readonly ReadRecord[] => {
  const entries = batchOf(report)
  if (entries === null || formatOf(report) !== generic) return readReport(report)
  if (entries.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  return entries.flatMap((entry) => readReport(unwrapLogLine(entry, limits) ?? entry))
}

const formatsOfDocumented = new Set([flat.name, generic.name])

/** Unknown fields change nothing, unless they say that nothing is wrong: then another sender wrote the body. */
const isDocumented = (whole: JsonObject, { record, format }: ReadRecord): boolean => {
  if (isDocumentedBody(whole)) return true
  if (!formatsOfDocumented.has(format) || !isQuiet(record)) return false
  const beside = besideDocumented(whole)
  return beside !== null && !generic.read(beside).some(isQuiet)
}

/** In a documented report words about a state are part of the error. */
const graded = (read: ReadRecord, whole: JsonObject | null): ReadRecord & GradedReport =>
  whole !== null && isDocumented(whole, read)
    ? { ...read, record: { ...read.record, recovered: false }, isDocumented: true }
    : { ...read, isDocumented: false }

/**
 * Every error that a body reports, in the order of the body. None when it holds only what is no error, as an envelope of
 * sessions. Throws `DecodeError` and nothing else.
 */
export const readErrorReports = (incoming: IncomingReport): ErrorRecord[] =>
  readFormattedReports(incoming).reports.map(({ record }) => record)

/** The same, each with how it was read. */
export const readFormattedReports = (
  incoming: IncomingReport,
): { readonly reports: FormattedReport[]; readonly ignored: number } => {
  const { body, headers, minLevel, mapping } = incoming
  let ignored = 0
  const limits = { ...defaultLimits, ...incoming.limits }
  const records: FormattedReport[] = []
  startWalking()
  const { documents, whole } = decodeReport({ body, headers, limits })
  for (const document of documents) {
    if (mapping?.ignore_when && isMet(mapping.ignore_when, document)) {
      ignored += 1
      continue
    }
    const fields = mapFields(mapping, document)
    const opens = mapping?.opens_when ? isMet(mapping.opens_when, document) : null
    for (const read of readDocument(document, limits)) {
      const mapped = Object.entries(fields).map(([field, to]) => ({
        field,
        from: Object(read.record)[field] ?? null,
        to,
        expression: mapping?.fields?.[field] ?? '',
      }))
      const report = { ...graded({ ...read, record: { ...read.record, ...fields } }, whole), opens, mapped }
      if (minLevel === undefined || opens === true || isKept(report, minLevel)) records.push(report)
    }
    if (records.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  }
  return { reports: records, ignored }
}
