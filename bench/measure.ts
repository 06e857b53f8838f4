export interface Options {
  readonly rounds: number
  readonly seconds: number
  progress(text: string): void
}

/** What one contestant needed in one round, by column. */
export type Sample = Readonly<Record<string, number>>

/** Samples by the name of the contestant, in the order of the rows. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

export interface Scenario {
  readonly title: string
  readonly method: string
  measure(options: Options): Promise<Samples>
}

/** Runs every contestant once per round, so that a slow minute slows all of them. */
export async function interleave(
  contestants: Readonly<Record<string, () => Promise<Sample>>>,
  { rounds, progress }: Options,
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(contestants)) {
      const sample = await measure()
      samples.get(name)?.push(sample)
      progress(`round ${round}/${rounds}: ${name}: ${cells(sample).join(', ')}`)
    }
  }
  return samples
}

const cells = (sample: Sample) => Object.entries(sample).map(([column, value]) => `${rounded(value)} ${column}`)

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

function spread(values: readonly number[]): string {
  return `${rounded(median(values))} (${rounded(Math.min(...values))}–${rounded(Math.max(...values))})`
}

/** A section of RESULTS.md. The last column divides the first figure by that of the first row, within each round. */
export function section({ title, method }: Scenario, samples: Samples): string {
  const [first = []] = samples.values()
  const columns = Object.keys(first[0] ?? {})
  const [main = ''] = columns
  const rows = [...samples].map(([name, taken]) => {
    const ratios = taken.map((sample, round) => (sample[main] ?? Number.NaN) / (first[round]?.[main] ?? Number.NaN))
    const figures = columns.map((column) => spread(taken.map((sample) => sample[column] ?? Number.NaN)))
    return [name, ...figures, taken === first ? '1' : median(ratios).toFixed(2)]
  })
  const table = [['', ...columns, 'ratio'], ['---', ...columns.map(() => '--:'), '--:'], ...rows]
  return `## ${title}\n\n${method}\n\n${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}
