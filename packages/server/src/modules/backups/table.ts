/** When something was last done for the whole instance. */
export interface OperationMarksTable {
  /** `backup-begun` or `backup-finished`. */
  name: string
  at: number
}
