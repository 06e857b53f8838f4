/** A value as both databases keep it. */
export type Value = string | number | null
export type Row = readonly Value[]

/** A table as a copy needs it. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of the primary key. */
  readonly key: readonly string[]
}

/** How far a table is copied: its last key; `done` when it is complete. */
export interface TableProgress {
  readonly last: Row | undefined
  readonly done: boolean
}

/** One side of a copy. */
export interface CopiedDatabase {
  tables(): Promise<TableShape[]>
  /** The rows behind a key, in its order. */
  read(table: TableShape, page: { readonly after: Row | undefined; readonly limit: number }): Promise<Row[]>
  count(table: string): Promise<number>
  /** Opens it for writing; what was begun before goes on. */
  begin(): Promise<ReadonlyMap<string, TableProgress>>
  /** Writes rows and remembers how far that is, both or neither. */
  write(table: TableShape, rows: readonly Row[], progress: TableProgress): Promise<void>
  /** Brings back what makes writing slow, and forgets the progress. */
  finish(tables: readonly TableShape[]): Promise<void>
  close(): Promise<void>
}
