/**
 * The only error that reading reports throws. Its message is safe to show to the sender. The server maps it to an
 * HTTP status.
 */
export class DecodeError extends Error {
  override readonly name = 'ReportRefused'
  readonly kind: 'too_large' | 'unreadable'

  constructor(kind: 'too_large' | 'unreadable', message: string) {
    super(message)
    this.kind = kind
  }
}

export const unreadable = (message: string): DecodeError => new DecodeError('unreadable', message)
export const tooLarge = (message: string): DecodeError => new DecodeError('too_large', message)

export type ReportLimits = {
  /** Maximum decompressed size of the body, in bytes. */
  readonly inflatedBytes: number
  /** Maximum nesting depth of objects and lists. */
  readonly depth: number
  /** Maximum number of values in a body. The memory for JSON grows with its values, not its bytes. */
  readonly values: number
  /** Maximum number of fields in one object. Every reader lists their names. */
  readonly fields: number
  /** Maximum number of reports in one body. */
  readonly reports: number
}

export const defaultLimits: ReportLimits = {
  inflatedBytes: 4_194_304,
  depth: 200,
  values: 60_000,
  fields: 5_000,
  reports: 1_000,
}
