import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { setImmediate } from './real-timers.ts'

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

export const nextTurn = () => new Promise<void>(onNextTurn)

/** Whoever notices that a turn takes long says so, as often as it likes: what waits for the next one is not to wait for all. */
export function endLongTurn(): void {
  if (waiting.length === 0 || messageSentIn === turn) return
  messageSentIn = turn
  port ??= openPort()
  port.postMessage(turn)
}
