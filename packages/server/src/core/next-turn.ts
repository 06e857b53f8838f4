import { setImmediate, stopwatchMs } from './clock.ts'

/** Resolves after everything that is ready in this event-loop turn has been handled. */
export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Caches the result of a computation for the current event-loop turn. */
export function oncePerTurn<Answer>(compute: () => Answer): () => Answer {
  let known: { readonly answer: Answer } | undefined
  const forget = () => {
    known = undefined
  }
  return () => {
    if (known === undefined) {
      known = { answer: compute() }
      setImmediate(forget)
    }
    return known.answer
  }
}

// Everything runs in one thread, and a body of a thousand reports would block lists and health checks for a quarter of
// a second. Such work is split into slices, and one slice runs per event-loop turn, however many bodies there are.

const maxSliceMs = 5

const waitingSlices: (() => void)[] = []
let sliceEndsAt = 0

function runNext(): void {
  const next = waitingSlices.shift()
  if (next === undefined) return
  sliceEndsAt = stopwatchMs() + maxSliceMs
  if (waitingSlices.length > 0) setImmediate(runNext)
  next()
}

/**
 * Await this between two steps of long work. Resolves at once while the current slice lasts, otherwise in a later turn.
 * Pass `'first'` while holding a transaction, because every writer waits for it.
 */
export async function nextSlice(position: 'first' | 'last' = 'last'): Promise<void> {
  if (waitingSlices.length === 0 && stopwatchMs() < sliceEndsAt) return
  await new Promise<void>((resume) => {
    if (waitingSlices.length === 0) setImmediate(runNext)
    if (position === 'first') waitingSlices.unshift(resume)
    else waitingSlices.push(resume)
  })
}
