/** The middle and the slow end of many durations. */
export function latenciesOf(durations: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = [...durations].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
