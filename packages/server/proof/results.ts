import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'

export const resultsFile = fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url))

/** A table whose rows are what was done, what came of it, and what was wanted. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** When and on what: the cores, and how much else ran on them, are what these figures depend on. */
export const measuredOn = () =>
  `${new Date().toISOString().slice(0, 10)} · ${availableParallelism()} cores · Node ${process.version} · load ${loadavg()[0]?.toFixed(0)} at the end, this proof's own included`

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
