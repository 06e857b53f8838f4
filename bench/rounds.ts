/** Anything that is measured again and again beside others. */
export interface Variant {
  readonly name: string
}

/**
 * Measures every variant once per round. Each second round runs backwards, so that a machine that slowly warms up or
 * gets busy favours nobody.
 */
export async function interleave<V extends Variant, Sample>(
  variants: readonly V[],
  rounds: number,
  measure: (variant: V, round: number) => Promise<Sample>,
): Promise<Map<V, Sample[]>> {
  const samples = new Map<V, Sample[]>(variants.map((variant) => [variant, []]))
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? variants : variants.toReversed()
    for (const variant of order) samples.get(variant)?.push(await measure(variant, round))
  }
  return samples
}

/** One figure of a variant, round by round. */
export function figures<V, Sample>(samples: Map<V, Sample[]>, variant: V, pick: (sample: Sample) => number): number[] {
  return (samples.get(variant) ?? []).map(pick)
}
