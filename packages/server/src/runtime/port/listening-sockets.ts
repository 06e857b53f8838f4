import type { Server } from 'node:http'
import { createServer, Server as NetServer, type ListenOptions as SocketOptions } from 'node:net'

// libuv accepts one connection per turn of the event loop from each listening socket. With one socket, a thousand callers
// that come at once while a turn takes 10 ms wait ten seconds for the last to be accepted, and nothing can refuse them
// earlier. Linux spreads the connections of one port over several sockets (SO_REUSEPORT), each of which gives one per turn.

export interface ListeningSockets {
  readonly isListening: boolean
  /** Rejects when the port is taken, as listening with one socket does. Resolves to the port. */
  listen(address: Required<Pick<SocketOptions, 'port' | 'host' | 'backlog'>>): Promise<number>
  /** Asks the kernel to queue no more connections; false where that cannot be asked. */
  stopQueueing(): boolean
  /** Takes no new connections, and resolves when all that were taken are closed. */
  close(): Promise<void>
}

export function listeningSockets(server: Server, count: number): ListeningSockets {
  const forward = () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket))
  const isShared = count > 1 && process.platform === 'linux'
  const all: readonly NetServer[] = [server, ...Array.from({ length: isShared ? count - 1 : 0 }, forward)]
  return {
    get isListening() {
      return server.listening
    },
    async listen(address) {
      // Sockets that share a port do not notice each other's process, one that does not share it does.
      if (isShared && address.port !== 0) await isFree(address)
      if (!isShared) return open(server, address)
      const port = await open(server, { ...address, reusePort: true })
      for (const other of all.slice(1)) await open(other, { ...address, port, reusePort: true })
      return port
    },
    stopQueueing: () => all.map(stopQueueing).every(Boolean),
    async close() {
      // `http.Server.close` destroys idle connections and ends the checks of time limits, so the one of net is called.
      // On Bun an HTTP server is none of net's, and has only its own.
      const closeOf = (each: NetServer) => (each instanceof NetServer ? NetServer.prototype : (each as Server)).close
      await Promise.all(all.map((each) => new Promise((resolve) => closeOf(each).call(each, resolve))))
    },
  }
}

async function isFree(address: SocketOptions): Promise<void> {
  const probe = createServer()
  await open(probe, address)
  await new Promise((resolve) => probe.close(resolve))
}

function open(server: NetServer, options: SocketOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

/** `listen` once more with a queue of zero is only on Node's own handle; without it a stop may reset a few. */
function stopQueueing(server: NetServer): boolean {
  const handle: unknown = Reflect.get(server, '_handle')
  if (typeof handle !== 'object' || handle === null || !('listen' in handle)) return false
  if (typeof handle.listen !== 'function') return false
  handle.listen(0)
  return true
}
