import type { Findings } from '../findings.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'

/** One comparison, or several that belong together. `steps` is how often it reports progress. */
export interface Scenario {
  steps(options: Options): number
  run(options: Options, progress: Progress): Promise<Findings | readonly Findings[]>
}
