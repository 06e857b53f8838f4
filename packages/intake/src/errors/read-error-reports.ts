import type { ErrorLevel } from '@service/contract/values'
import { batchOf } from './batch.ts'
import { decodeReport, defaultLimits, type ReportLimits } from './decode.ts'
import { tooLarge } from './decoding/decode-error.ts'
import { unwrapLogLine } from './decoding/log-line.ts'
import { generic } from './formats/generic.ts'
import { formatOf, type ReadRecord, readReport } from './formats/index.ts'
import { startWalking } from './heuristics/walk.ts'
import type { JsonObject } from './json.ts'
import { isKept } from './level.ts'
import type { ErrorRecord } from './record.ts'

export type IncomingReport = {
  readonly body: Uint8Array
  readonly headers: Pick<Headers, 'get'>
  readonly limits?: Partial<ReportLimits>
  /** From which level on tickets are opened: what is far below it is dropped while it is read. */
  readonly minLevel?: ErrorLevel
}

/** A batch of no format that is known is read entry by entry. */
const readDocument = (report: JsonObject, limits: ReportLimits): readonly ReadRecord[] => {
  const entries = batchOf(report)
  if (entries === null || formatOf(report) !== generic) return readReport(report)
  if (entries.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  return entries.flatMap((entry) => readReport(unwrapLogLine(entry, limits) ?? entry))
}

/**
 * Every error that a body reports, in the order of the body. None when it holds only what is no error, as an envelope of
 * sessions. Throws `DecodeError` and nothing else.
 */
export const readErrorReports = (incoming: IncomingReport): ErrorRecord[] =>
  readFormattedReports(incoming).map(({ record }) => record)

/** The same, each with the name of the format that it was read as. */
export const readFormattedReports = (incoming: IncomingReport): ReadRecord[] => {
  const { body, headers, minLevel } = incoming
  const limits = { ...defaultLimits, ...incoming.limits }
  const records: ReadRecord[] = []
  startWalking()
  for (const report of decodeReport({ body, headers, limits })) {
    for (const read of readDocument(report, limits))
      if (minLevel === undefined || isKept(read.record, minLevel)) records.push(read)
    if (records.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  }
  return records
}
