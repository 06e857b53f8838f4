import { fingerprint } from '@service/intake/errors/fingerprint'
import { maskSecrets } from '@service/intake/errors/mask'
import { type IncomingReport, readFormattedReports } from '@service/intake/errors/read-error-reports'
import type { ErrorRecord } from '@service/intake/errors/record'

/** A report without its secrets as JSON, which is how it is kept, and the key of the error that it belongs to. */
export interface PackedReport {
  readonly key: string
  /** The name of the format that it was read as. */
  readonly format: string
  readonly json: string
  /** Whether it came in the flat shape that the platform documents. */
  readonly isDocumented: boolean
}

export interface KeyedReport extends PackedReport {
  /** May have to parse it first, so it is read when it is needed. */
  readonly read: () => ErrorRecord
}

/** Reads a body as `readFormattedReports` does. Masked before they get their key: two reports that differ only in a secret are one error. */
export const readKeyedReports = (incoming: IncomingReport): KeyedReport[] =>
  readFormattedReports(incoming).map(({ record, format, isDocumented }) => {
    const masked = maskSecrets(record)
    return { key: fingerprint(masked), format, json: JSON.stringify(masked), isDocumented, read: () => masked }
  })
