/** When an instance-wide operation last ran. */
export interface OperationMarksTable {
  /** `backup-begun` or `backup-finished`. */
  name: string
  at: number
}
