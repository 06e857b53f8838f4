/** When an instance-wide operation last ran. */
export interface OperationMarksTable {
  /** One of `Mark` in `queries.ts`. */
  name: string
  at: number
}
