import { fingerprint } from '@service/intake/errors/fingerprint'
import { maskMapped, maskSecrets } from '@service/intake/errors/mask'
import { type IncomingReport, readFormattedReports } from '@service/intake/errors/read-error-reports'
import type { ErrorRecord } from '@service/intake/errors/record'
import type { MappedField } from '@service/intake/evaluate-mapping'

/** A masked report as stored JSON, with its format, the fields that the mapping set, and the key of its error. */
export interface PackedReport {
  readonly key: string
  /** The position in the body. */
  readonly place: string
  /** The name of the detected format. */
  readonly format: string
  readonly json: string
  /** Whether it has the flat shape that the platform documents. */
  readonly isDocumented: boolean
  /** The result of the mapping's `opens_when`; null if it has none. */
  readonly opens: boolean | null
  /** The fields that the mapping set. */
  readonly mapped: readonly MappedField[]
}

export interface KeyedReport extends PackedReport {
  /** Parses the report if needed, so call it only when required. */
  readonly read: () => ErrorRecord
}

/** The reports of a body, and how many entries the mapping ignored. */
export interface KeyedReports<Report = KeyedReport> {
  readonly reports: readonly Report[]
  readonly ignored: number
}

/** Parses like `readFormattedReports`. Masks first, so that reports differing only in a secret get one key. */
export function readKeyedReports(incoming: IncomingReport): KeyedReports {
  const { reports, ignored } = readFormattedReports(incoming)
  const keyed = reports.map(({ record, ...report }) => {
    const masked = maskSecrets(record)
    const mapped = maskMapped(report.mapped)
    return {
      ...report,
      mapped,
      key: fingerprint(masked),
      json: JSON.stringify({ ...masked, format: report.format, mapped }),
      read: () => masked,
    }
  })
  return { reports: keyed, ignored }
}
