export interface Options {
  readonly rounds: number
  readonly seconds: number
  progress(text: string): void
}

/** The measurements of one contestant in one round, by column. */
export type Sample = Readonly<Record<string, number>>

/** Samples by contestant, in the order of the rows. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

export interface Scenario {
  readonly title: string
  readonly method: string
  measure(options: Options): Promise<Samples>
}

/** Runs every contestant once per round, so that a slow period affects all of them. */
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

/** CPU time of this process per call, including garbage collection. */
export async function cpuPerCall(call: () => Promise<unknown>, seconds: number): Promise<Sample> {
  const callFor = async (ms: number) => {
    const until = performance.now() + ms
    let calls = 0
    for (; performance.now() < until; calls += 50) {
      for (let index = 0; index < 50; index += 1) await call()
      // Timers fire and finished signals are collected only between turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return calls
  }
  await callFor(500)
  const before = process.cpuUsage()
  const calls = await callFor(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return { 'CPU µs': (user + system) / calls }
}

const cells = (sample: Sample) => Object.entries(sample).map(([column, value]) => `${rounded(value)} ${column}`)

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

function spread(values: readonly number[]): string {
  return `${rounded(median(values))} (${rounded(Math.min(...values))}–${rounded(Math.max(...values))})`
}

/** A section of RESULTS.md. The last column is the ratio of the first figure to that of the floor above, per round. */
export function section({ title, method }: Pick<Scenario, 'title' | 'method'>, samples: Samples): string {
  const columns = Object.keys([...samples.values()][0]?.[0] ?? {})
  const [main = ''] = columns
  let floor: readonly Sample[] = []
  const rows = [...samples].map(([name, taken]) => {
    if (name.startsWith('floor')) floor = taken
    const ratios = taken.map((sample, round) => (sample[main] ?? Number.NaN) / (floor[round]?.[main] ?? Number.NaN))
    const figures = columns.map((column) => spread(taken.map((sample) => sample[column] ?? Number.NaN)))
    return [name, ...figures, median(ratios).toFixed(2)]
  })
  const table = [['', ...columns, '/ floor'], ['---', ...columns.map(() => '--:'), '--:'], ...rows]
  return `## ${title}\n\n${method}\n\n${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}
