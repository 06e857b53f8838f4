import { onNextTurn } from './next-turn.ts'
import { stopwatchMs } from './real-timers.ts'

// Everything runs in one thread, so who works long keeps everybody waiting: a body of a thousand reports would stop lists
// and health checks for a quarter of a second. Such work is cut into slices. Between two slices the event loop has a
// whole turn; and only one slice runs per turn, so that a hundred such bodies delay others no more than one.

const longestSliceMs = 5

interface Waiting {
  readonly resume: () => void
}

const waiting: Waiting[] = []
let sliceEndsAt = 0

function runNext(): void {
  const next = waiting.shift()
  if (next === undefined) return
  sliceEndsAt = stopwatchMs() + longestSliceMs
  if (waiting.length > 0) onNextTurn(runNext)
  next.resume()
}

/**
 * To be awaited between two steps of long work: resolves at once while the slice lasts, else after others had their turn.
 * Who holds a transaction goes `'first'`, because every writer waits for it.
 */
export async function nextSlice(place: 'first' | 'last' = 'last'): Promise<void> {
  if (waiting.length === 0 && stopwatchMs() < sliceEndsAt) return
  await new Promise<void>((resume) => {
    if (waiting.length === 0) onNextTurn(runNext)
    if (place === 'first') waiting.unshift({ resume })
    else waiting.push({ resume })
  })
}
