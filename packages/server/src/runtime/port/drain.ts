import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { deadline } from '../../core/clock.ts'
import { setImmediate } from '../../core/real-timers.ts'
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

/** The connections of a port, and the last answer that each still waits for. */
interface Connections {
  /** A request has come. While the port drains, its answer tells the client to use the connection no more. */
  answering(socket: Socket, outgoing: ServerResponse): void
  answered(socket: Socket, outgoing: ServerResponse): void
  /** From now on every answer says `Connection: close`, those that are under way included. */
  sayGoodbye(): void
  /** Closes the connections on which nobody waits for an answer, and the others when they are answered. */
  closeIdle(): void
  /** How many connections have come so far. */
  count(): number
}

export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, ServerResponse | undefined>()
  let isClosing = false
  let closesIdle = false
  let opened = 0
  server.on('connection', (socket: Socket) => {
    opened += 1
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  return {
    answering(socket, outgoing) {
      const before = open.get(socket)
      open.set(socket, outgoing)
      if (!isClosing) return
      // Requests may stand in line on one connection, and the connection ends after the first answer that says so:
      // only the last one may.
      if (before !== undefined && !before.headersSent) before.removeHeader('connection')
      outgoing.setHeader('connection', 'close')
    },
    answered(socket, outgoing) {
      if (open.get(socket) !== outgoing) return
      open.set(socket, undefined)
      if (closesIdle) socket.destroySoon()
    },
    sayGoodbye() {
      isClosing = true
      for (const outgoing of open.values()) {
        if (outgoing !== undefined && !outgoing.headersSent) outgoing.setHeader('connection', 'close')
      }
    },
    closeIdle() {
      closesIdle = true
      for (const [socket, outgoing] of open) if (outgoing === undefined) socket.destroySoon()
    },
    count: () => opened,
  }
}
