/** What repeated measurements of one thing gave. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly values: readonly number[]
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('A spread needs at least one value.')
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = Math.floor(sorted.length / 2)
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1), values }
}

/**
 * Ratios of what was measured in the same round. On a shared machine a whole round may be slow; the ratio inside it
 * hardly moves, so these spread less than the quotient of two medians.
 */
export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((value, round) => value / (denominators[round] ?? Number.NaN))
}

export function differences(values: readonly number[], bases: readonly number[]): number[] {
  return values.map((value, round) => value - (bases[round] ?? Number.NaN))
}
