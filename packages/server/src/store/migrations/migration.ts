import type { Columns } from '../columns.ts'

/** One step of the schema. Its checksum is that of its statements, so an edited one is noticed. */
export interface Migration {
  /** `NNNN-what-it-adds`; the order is that of the list. */
  readonly name: string
  readonly statements: (columns: Columns) => readonly string[]
}
