import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type DrainOptions, drain, watchConnections } from './port/drain.ts'
import type { Gate } from './port/gate.ts'
import { listeningSockets } from './port/listening-sockets.ts'

/** Where to listen. */
export interface ListenOptions {
  /** 0 or nothing takes a free port. */
  readonly port?: number
  /** `127.0.0.1` unless told otherwise. */
  readonly host?: string
}

/** Where a server listens. */
export interface ListeningAddress {
  /** Without a trailing slash, e.g. `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
}

/** A server on a port. */
export interface Listening extends ListeningAddress {
  /** Refuses connections from now on, or takes them again on the same port. Requests in flight go on. */
  refuse(isRefusing: boolean): void
  /** Takes no new connections, lets requests in flight finish, and resolves when all is closed. */
  stop(): Promise<void>
}

type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** How long a sender may take: slower is a fault of the network, or an attack that holds connections. */
const timeLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  // Clients are told five seconds. Who is late by less than this still finds an idle connection open, not a reset.
  keepAliveTimeoutBuffer: 5_000,
}

/** How many connections may wait to be accepted; Node's 511 lets a thousand clients that come at once wait for seconds. */
const backlog = 4096

/** How many connections a process of our own accepts per turn of the event loop. */
const sharedSockets = 8

/** What a server decides for all of its ports. */
export interface PortOptions extends DrainOptions {
  /** Lets the adapter replace the global Request and Response, which only a process of our own may do. */
  readonly fast: boolean
  readonly gate: Gate
  /** Whether an open port keeps the process alive, as Node's own servers do. */
  readonly keepsAlive: boolean
}

export const defaultHost = '127.0.0.1'

export async function listen(
  fetch: Fetch,
  { port = 0, host = defaultHost }: ListenOptions,
  { fast, gate, idleMs, keepsAlive }: PortOptions,
): Promise<Listening> {
  const answer = getRequestListener(fetch, { overrideGlobalObjects: fast })
  const server = createServer(timeLimits)
  if (!keepsAlive) server.unref().on('connection', (socket) => socket.unref())
  const connections = watchConnections(server)
  const sockets = listeningSockets(server, fast ? sharedSockets : 1)
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    connections.answering(socket, outgoing)
    outgoing.once('close', () => connections.answered(socket, outgoing))
    return gate.admit(incoming, outgoing)
  }
  server.on('request', (incoming, outgoing) => {
    if (take(incoming, outgoing)) void answer(incoming, outgoing)
  })
  // `Expect: 100-continue` is answered only when the body budget has room.
  server.on('checkContinue', (incoming, outgoing) => {
    if (!take(incoming, outgoing)) return
    outgoing.writeContinue()
    void answer(incoming, outgoing)
  })
  const taken = await sockets.listen({ port, host, backlog }).catch((fault: Error) => {
    throw withRemedy(fault, { port, host })
  })
  const urlHost = host.includes(':') ? `[${host}]` : host
  let isStopped = false
  return {
    url: `http://${urlHost}:${taken}`,
    port: taken,
    refuse(isRefusing) {
      if (isStopped) return
      if (!isRefusing && !sockets.isListening) void sockets.listen({ port: taken, host, backlog })
      else if (isRefusing && sockets.isListening) {
        void sockets.close()
        server.closeIdleConnections()
      }
    },
    stop() {
      isStopped = true
      return drain({ server, sockets, connections }, { idleMs })
    },
  }
}

/** A port that is taken is everybody's first mistake. */
function withRemedy(fault: Error, { port, host }: Required<ListenOptions>): Error {
  if (!('code' in fault) || fault.code !== 'EADDRINUSE') return fault
  const message = `Port ${port} on ${host} is taken. Take another one, or 0 for any that is free.`
  return Object.assign(new Error(message, { cause: fault }), { code: fault.code })
}
