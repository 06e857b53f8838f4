import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { interleave, type Variant } from '../rounds.ts'
import type { LoadSample } from './load.ts'

const warmUpSeconds = 2

/** How many times `contest` reports progress. */
export const contestSteps = (variants: readonly Variant[], { rounds }: Options) => variants.length * (rounds + 1)

/** Warms every variant up, so that each has compiled its hot code, then measures them in interleaved rounds. */
export async function contest<V extends Variant>(
  variants: readonly V[],
  { rounds, seconds, progress }: Pick<Options, 'rounds' | 'seconds'> & { readonly progress: Progress },
  measure: (variant: V, seconds: number) => Promise<LoadSample>,
): Promise<Map<V, LoadSample[]>> {
  for (const variant of variants) {
    await measure(variant, warmUpSeconds)
    progress(`warmed up ${variant.name}`)
  }
  return interleave(variants, rounds, async (variant, round) => {
    const sample = await measure(variant, seconds)
    const [cpu, rate] = [sample.cpuMicrosPerRequest, sample.requestsPerSecond].map(Math.round)
    progress(`round ${round + 1}: ${variant.name}: ${cpu} µs of CPU, ${rate}/s`)
    return sample
  })
}
