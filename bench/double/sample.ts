/** What one fresh process has measured. Times are CPU time, which a busy machine stretches less. */
export interface DoubleSample {
  readonly resetMs: number
  readonly forkMs: number
  readonly hundredForksMs: number
  readonly hundredForksMb: number
  /** A list of 50 in process, through the bare handler and with the journal, and with the contract too. */
  readonly bareMicros: number
  readonly journalMicros: number
  readonly contractMicros: number
  /** A creation, with the journal, and with the contract too. */
  readonly creationMicros: number
  readonly creationContractMicros: number
  /** The list after it. */
  readonly changedMicros: number
  readonly changedContractMicros: number
  readonly heapGrowthMb: number
  /** 100 deliveries that are refused ten times each. */
  readonly retriesMs: number
  readonly thousandTestsMs: number
}
