import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a port, and the last answer that each still waits for. */
export interface Connections {
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
