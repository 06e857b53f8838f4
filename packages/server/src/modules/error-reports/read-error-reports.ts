import { decode, defaultLimits, type ReportLimits } from './decode.ts'
import { tooLarge } from './decoding/refusal.ts'
import { readReport } from './formats/index.ts'
import type { ErrorRecord } from './record.ts'

export type IncomingReport = {
  readonly body: Uint8Array
  readonly headers: Headers
  readonly limits?: Partial<ReportLimits>
}

/**
 * Every error that a body reports, in the order of the body. None when it holds only what is no error, as an envelope of
 * sessions. Throws `ReportRefused` and nothing else.
 */
export const readErrorReports = ({ body, headers, limits: given }: IncomingReport): ErrorRecord[] => {
  const limits = { ...defaultLimits, ...given }
  const records: ErrorRecord[] = []
  for (const report of decode({ body, headers, limits })) {
    for (const record of readReport(report)) records.push(record)
    if (records.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  }
  return records
}
