import type { Probe } from './probe.ts'

/** One sentence about the platform that can be true or not of a deployment. */
export interface Check {
  /** The section of the platform's document. */
  readonly section: string
  readonly title: string
  /** Whether the document says so, or is silent and this is what ours does. */
  readonly basis: 'documented' | 'decided'
  /** The operation of the contract that it looks at. */
  readonly operation?: string
  /** It leaves something behind, so it runs only when that was asked for. */
  readonly writes?: true
  /** Throws a `Mismatch`, or `Skipped`. */
  run(probe: Probe): Promise<void>
}
