import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { setImmediate, stopwatchMs } from './real-timers.ts'

// A turn of the event loop ends when all that was ready is answered, and then setImmediate calls back. While more than a
// thousand sockets are ready, libuv polls again and again before it ends the turn, which may take seconds. A message to
// ourselves is one more thing that is ready and comes in its order. It costs more, so it is sent only in a long turn.

let port: MessagePort | undefined
let waiting: (() => void)[] = []
let turn = 0
let messageSentIn: number | undefined

function openPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.on('message', runWaiting)
  // Whoever waits has setImmediate, which keeps the process alive.
  port2.unref()
  return port1
}

/** Whichever comes first runs what waits; the other one finds that its turn is over. */
function runWaiting(asked: number): void {
  if (asked !== turn) return
  turn += 1
  const due = waiting
  waiting = []
  for (const act of due) act()
}

/** Calls `act` once what is ready now has been answered. */
export function onNextTurn(act: () => void): void {
  waiting.push(act)
  if (waiting.length === 1) setImmediate(runWaiting, turn)
}

/** All who ask within one turn get the first one's answer. */
export function oncePerTurn<Answer>(look: () => Answer): () => Answer {
  let known: { readonly answer: Answer } | undefined
  const forget = () => {
    known = undefined
  }
  return () => {
    if (known === undefined) {
      known = { answer: look() }
      onNextTurn(forget)
    }
    return known.answer
  }
}

export const nextTurn = () => new Promise<void>(onNextTurn)

/** Whoever notices that a turn takes long says so, as often as it likes: what waits for the next one is not to wait for all. */
export function endLongTurn(): void {
  if (waiting.length === 0 || messageSentIn === turn) return
  messageSentIn = turn
  port ??= openPort()
  port.postMessage(turn)
}

// Everything runs in one thread, so who works long keeps everybody waiting: a body of a thousand reports would stop lists
// and health checks for a quarter of a second. Such work is cut into slices. Between two slices the event loop has a
// whole turn; and only one slice runs per turn, so that a hundred such bodies delay others no more than one.

const longestSliceMs = 5

interface Waiting {
  readonly resume: () => void
}

const waitingSlices: Waiting[] = []
let sliceEndsAt = 0

function runNext(): void {
  const next = waitingSlices.shift()
  if (next === undefined) return
  sliceEndsAt = stopwatchMs() + longestSliceMs
  if (waitingSlices.length > 0) onNextTurn(runNext)
  next.resume()
}

/**
 * To be awaited between two steps of long work: resolves at once while the slice lasts, else after others had their turn.
 * Who holds a transaction goes `'first'`, because every writer waits for it.
 */
export async function nextSlice(place: 'first' | 'last' = 'last'): Promise<void> {
  if (waitingSlices.length === 0 && stopwatchMs() < sliceEndsAt) return
  await new Promise<void>((resume) => {
    if (waitingSlices.length === 0) onNextTurn(runNext)
    if (place === 'first') waitingSlices.unshift({ resume })
    else waitingSlices.push({ resume })
  })
}
