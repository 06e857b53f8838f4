import type { Server } from 'node:http'
import { deadline } from '../../core/clock.ts'
import { setImmediate } from '../../core/real-timers.ts'
import type { Connections } from './connections.ts'
import type { ListeningSockets } from './listening-sockets.ts'

// Stopping so that no client sees a reset. The order was found by trying: closing the listener resets whatever waits in
// the queue of accepted connections, so that queue is emptied first; and a client that keeps its connection must see
// `Connection: close` in an answer, or see its own time limit pass, before the connection goes.

/** After this long the rest is cut off: who stops us waits ten seconds and then kills. */
const longestDrainMs = 9_500
const acceptQueueMs = 20
const mostLooks = 50

export interface DrainOptions {
  /** How long idle connections stay open for their clients to notice; 0 closes them at once. */
  readonly idleMs: number
}

/** What is listened with, and who has come. */
export interface Port {
  readonly server: Server
  readonly sockets: ListeningSockets
  readonly connections: Connections
}

/** Takes no new connections, lets requests in flight finish, and resolves when every connection is closed. */
export async function drain({ server, sockets, connections }: Port, { idleMs }: DrainOptions): Promise<void> {
  if (idleMs > 0 && sockets.isListening) await emptyAcceptQueue(sockets, connections)
  const timers = [
    deadline(idleMs, () => connections.closeIdle()),
    deadline(longestDrainMs, () => server.closeAllConnections()),
  ]
  const closed = sockets.close()
  connections.sayGoodbye()
  if (idleMs === 0) connections.closeIdle()
  await closed
  for (const callOff of timers) callOff()
  server.close() // ends the checks, now that nothing is left to check
}

/** Asks the kernel to queue no more connections and takes those that it has. */
async function emptyAcceptQueue(sockets: ListeningSockets, connections: Connections): Promise<void> {
  if (!sockets.stopQueueing()) return
  await new Promise<void>((resolve) => void deadline(acceptQueueMs, resolve))
  let quietTurns = 0
  for (let look = 0; look < mostLooks && quietTurns < 2; look += 1) {
    const before = connections.count()
    await new Promise<void>((resolve) => void setImmediate(resolve))
    quietTurns = connections.count() === before ? quietTurns + 1 : 0
  }
}
