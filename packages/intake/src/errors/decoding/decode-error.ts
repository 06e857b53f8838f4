/**
 * The one error that reading reports may throw. Its message is a sentence that may be shown to the sender; which HTTP
 * status it gets is looked up where answers are made.
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
  /** How large the body may become when it is unpacked. */
  readonly inflatedBytes: number
  /** How deep objects and lists may nest. */
  readonly depth: number
  /** How many values a body may hold altogether: what JSON costs in memory grows with these, not with its bytes. */
  readonly values: number
  /** How many fields one object may have: every reader asks for their names. */
  readonly fields: number
  /** How many reports one body may carry. */
  readonly reports: number
}

export const defaultLimits: ReportLimits = {
  inflatedBytes: 4_194_304,
  depth: 200,
  values: 60_000,
  fields: 5_000,
  reports: 1_000,
}
