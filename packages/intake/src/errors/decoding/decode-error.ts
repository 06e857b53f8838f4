import { UnreadableBody } from '../../sanitize/decode.ts'

export const unreadable = (message: string): UnreadableBody => new UnreadableBody(message)
export const tooLarge = (message: string): UnreadableBody => new UnreadableBody(message, 'too_large')

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
