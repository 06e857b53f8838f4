/** A function that reads untrusted text. Its result and errors are ignored. */
export type Read = (text: string) => unknown

/** A growing text: a repeated piece, and an end that prevents a match. */
export interface Growing {
  readonly piece: string
  readonly end: string
}

const runs = 5
const maxAttempts = 6
/** Shorter times are dominated by the timer and garbage collection. */
const measurableMs = 4
/** Twice the text doubles a linear time and quadruples a quadratic one. */
export const mostGrowth = 2.5

const textOf = ({ piece, end }: Growing, length: number): string =>
  piece.repeat(Math.max(1, Math.floor((length - end.length) / piece.length))) + end

/** Measures the CPU time of this process, because wall time includes other processes. The time of a thread counts in steps of 4 ms. */
function once(read: Read, text: string): number {
  const before = process.cpuUsage()
  try {
    read(text)
  } catch {
    // The text may be refused.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Returns the growth of the time when the text doubles, up to a length. Returns undefined if half of that length is too fast to
 * measure.
 */
export function growthOf(read: Read, growing: Growing, maxLength: number): number | undefined {
  for (let length = maxLength / 8; length <= maxLength / 2; length *= 2) {
    if (once(read, textOf(growing, length)) < measurableMs) continue
    const ratio = steadyRatio(read, growing, length)
    if (ratio !== undefined) return ratio
  }
  return undefined
}

/**
 * Reads the short text twice for each reading of the long one, so that both measurements take equally long in linear time and
 * are interrupted equally often. Measures again if the ratio is too high, because noise disappears, but quadratic time does not.
 */
function steadyRatio(read: Read, growing: Growing, length: number): number | undefined {
  const [half, whole] = [textOf(growing, length), textOf(growing, 2 * length)]
  const readHalves = () => [once(read, half), once(read, half)].reduce((sum, ms) => sum + ms)
  let [halvesMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    for (let run = 0; run < runs; run += 1) {
      halvesMs = Math.min(halvesMs, readHalves())
      wholeMs = Math.min(wholeMs, once(read, whole))
    }
    if (halvesMs < 2 * measurableMs) return undefined
    if ((2 * wholeMs) / halvesMs <= mostGrowth) break
  }
  return (2 * wholeMs) / halvesMs
}
