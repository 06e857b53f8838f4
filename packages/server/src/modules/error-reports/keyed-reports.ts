import { fingerprint } from '@service/intake/errors/fingerprint'
import { maskSecrets } from '@service/intake/errors/mask'
import { type IncomingReport, readFormattedReports } from '@service/intake/errors/read-error-reports'
import type { ErrorRecord } from '@service/intake/errors/record'
import type { MappedField } from '@service/intake/mapping'

/** A report without its secrets as JSON, which is how it is kept, and the key of the error that it belongs to. */
export interface PackedReport {
  readonly key: string
  /** The name of the format that it was read as. */
  readonly format: string
  readonly json: string
  /** Whether it came in the flat shape that the platform documents. */
  readonly isDocumented: boolean
  /** What the mapping's `opens_when` says; null where there is none. */
  readonly opens: boolean | null
  /** The fields that the mapping set. */
  readonly mapped: readonly MappedField[]
}

export interface KeyedReport extends PackedReport {
  /** May have to parse it first, so it is read when it is needed. */
  readonly read: () => ErrorRecord
}

/** The reports of a body, and how many entries its mapping ignores. */
export interface KeyedReports<Report = KeyedReport> {
  readonly reports: readonly Report[]
  readonly ignored: number
}

/** Reads a body as `readFormattedReports` does. Masked before they get their key: two reports that differ only in a secret are one error. */
export function readKeyedReports(incoming: IncomingReport): KeyedReports {
  const { reports, ignored } = readFormattedReports(incoming)
  const keyed = reports.map(({ record, ...report }) => {
    const masked = maskSecrets(record)
    return {
      ...report,
      mapped: maskSecrets(report.mapped),
      key: fingerprint(masked),
      json: JSON.stringify(masked),
      read: () => masked,
    }
  })
  return { reports: keyed, ignored }
}
