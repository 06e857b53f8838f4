/** A function that reads a text of strangers; what it gives or throws is of no interest here. */
export type Read = (text: string) => unknown

/** A text that grows: the same piece again and again, and an end that spoils what an expression hoped for. */
export interface Growing {
  readonly piece: string
  readonly end: string
}

const runs = 5
const mostAttempts = 6
/** Below it the timer and the collector of garbage are louder than the reader. */
const measurableMs = 4
/** What is linear doubles; what is quadratic quadruples. */
export const mostGrowth = 2.5

const textOf = ({ piece, end }: Growing, length: number): string =>
  piece.repeat(Math.max(1, Math.floor((length - end.length) / piece.length))) + end

/** CPU time of this thread: on a busy machine most of the time on the clock is somebody else's. */
function once(read: Read, text: string): number {
  const before = process.threadCpuUsage()
  try {
    read(text)
  } catch {
    // A refusal is an answer too.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * By how much the work grows when the text doubles, up to a length. Undefined when even half of it takes too little time
 * to be measured.
 */
export function growthOf(read: Read, growing: Growing, longest: number): number | undefined {
  for (let length = longest / 8; length <= longest / 2; length *= 2) {
    if (once(read, textOf(growing, length)) < measurableMs) continue
    const ratio = steadyRatio(read, growing, length)
    if (ratio !== undefined) return ratio
  }
  return undefined
}

/**
 * The short text is read twice for each reading of the long one, so that what is linear is under way for equally long and
 * is interrupted equally often by other processes. A ratio that is too high is measured again: noise goes away, a square
 * does not.
 */
function steadyRatio(read: Read, growing: Growing, length: number): number | undefined {
  const [half, whole] = [textOf(growing, length), textOf(growing, 2 * length)]
  const readHalves = () => [once(read, half), once(read, half)].reduce((sum, ms) => sum + ms)
  let [halvesMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    for (let run = 0; run < runs; run += 1) {
      halvesMs = Math.min(halvesMs, readHalves())
      wholeMs = Math.min(wholeMs, once(read, whole))
    }
    if (halvesMs < 2 * measurableMs) return undefined
    if ((2 * wholeMs) / halvesMs <= mostGrowth) break
  }
  return (2 * wholeMs) / halvesMs
}
