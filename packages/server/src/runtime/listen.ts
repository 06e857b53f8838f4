import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { clearInterval, deadline, setInterval, stopwatchMs } from '../core/clock.ts'
import { defaultHost } from '../core/host-name.ts'
import { nextTurn } from '../core/next-turn.ts'
import type { RequestHandler } from './admission.ts'
import { limitConnections } from './connection-limit.ts'

/** The port and host to listen on. */
export interface ListenOptions {
  /** Defaults to 0, which picks a free port. */
  readonly port?: number
  /** Defaults to `127.0.0.1`. */
  readonly host?: string
}

/** The address of a listening server. */
export interface ListeningAddress {
  /** Without a trailing slash, e.g. `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
}

export interface Listening extends ListeningAddress {
  /** Rejects new connections, or accepts them again on the same port. Requests in flight continue. */
  refuse(isRefusing: boolean): void
  /** Stops accepting connections, lets requests in flight finish, and resolves once all connections are closed. */
  stop(): Promise<void>
}

export interface PortOptions {
  /** Lets the adapter replace the global Request and Response, which only a separate process may do. */
  readonly replacesGlobals: boolean
  /** How long idle connections stay open during shutdown, so that their clients can finish; 0 closes them at once. */
  readonly idleMs: number
  /** Closes a connection after this long without a byte, unless its request is being handled; 0 disables it. */
  readonly silenceMs: number
  /** False lets the process exit while the port is open. */
  readonly keepsAlive: boolean
  /** Called for each connection that is refused because the port has this many. */
  readonly onFull: (connections: number) => void
}

const nodeSettings = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  // The Keep-Alive header announces five seconds. The buffer lets slightly late requests find the connection open.
  keepAliveTimeoutBuffer: 5_000,
}
/** Connections that may wait to be accepted. With Node's default of 511, a thousand clients at once wait for seconds. */
const backlog = 4096
/** Orchestrators kill a process after ten seconds, of which the default delay takes one. */
const maxStopMs = 8_500
/** The port closes once no connection has arrived for this long, and at the latest after a second. */
const quietMs = 200
const maxAcceptMs = 1_000
const sweepIntervalMs = 100
/** How long a sender may continue before the last response of its connection. */
const maxBodyDrainMs = 10_000

export async function listen(
  handle: RequestHandler,
  { port = 0, host: given = defaultHost }: ListenOptions,
  { replacesGlobals, idleMs, silenceMs, keepsAlive, onFull }: PortOptions,
): Promise<Listening> {
  const host = given.replace(/^\[(.*)\]$/, '$1') // `[::1]`, as in a URL
  let isStopping = false
  const working = new Set<IncomingMessage>()
  const handleCounted = async (request: Request, env: HttpBindings): Promise<Response> => {
    working.add(env.incoming)
    try {
      return await handle(request, env)
    } finally {
      working.delete(env.incoming)
    }
  }
  let pause: Promise<void> | undefined
  const answer = async (request: Request, env: HttpBindings): Promise<Response> => {
    if (pause !== undefined) await pause
    const response = await handleCounted(request, env)
    if (pause !== undefined) await pause
    if (isStopping) env.outgoing.setHeader('connection', 'close')
    if (isStopping || closesConnection(env.incoming)) await readRestOfBody(env.incoming)
    return response
  }
  const listener = getRequestListener((request, env) => answer(request, env as HttpBindings), {
    overrideGlobalObjects: replacesGlobals,
    // HTTP/1.0 has no Host header: HAProxy's health checks, for example, send none by default.
    hostname: 'localhost',
    // Node discards the rest of an unread body on a kept connection. The adapter would cut the sender off after 500 ms.
    autoCleanupIncoming: false,
  })
  // A backup may take minutes without a byte, so silence counts only while no handler works on a complete request.
  const server = createServer(nodeSettings, listener).setTimeout(silenceMs, (socket) => {
    const isWaited = [...working].some((incoming) => incoming.socket === socket && incoming.complete)
    if (!isWaited) socket.destroy()
  })
  limitConnections(server, onFull)
  const acceptWaiting = connectionsAccepted(server)
  const connections = openConnections(server)
  if (!keepsAlive) server.unref().on('connection', (socket) => socket.unref())
  const open = async (requestedPort: number) => {
    await once(server.listen({ port: requestedPort, host, backlog }), 'listening')
    return (server.address() as AddressInfo).port // it listens on a port, not a pipe
  }
  const boundPort = await open(port).catch((fault: Error) => {
    throw withRemedy(fault, { port, host })
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    refuse(isRefusing) {
      if (isStopping || isRefusing !== server.listening) return
      if (!isRefusing) return void open(boundPort)
      server.close()
    },
    async stop() {
      isStopping = true
      const cancel = deadline(maxStopMs, () => server.closeAllConnections())
      // An embedder closes at once, like its idle connections.
      if (idleMs > 0) await connectionsClosed([...connections], idleMs)
      const { promise, resolve: resume } = Promise.withResolvers<void>()
      pause = promise
      if (idleMs > 0) await acceptWaiting()
      const closed = close(server, connections)
      resume()
      await closed
      cancel()
    },
  }
}

const closesConnection = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === '1.0' || headers.connection?.toLowerCase().includes('close') === true

/**
 * Before the last response of a connection, the body is read to its end. Otherwise the kernel answers late data with a
 * reset, and the client may never see the response.
 */
async function readRestOfBody(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  await new Promise<void>((resolve) => {
    const cancel = deadline(maxBodyDrainMs, resolve)
    incoming.once('close', cancel).once('close', resolve).resume()
  })
}

/**
 * The kernel resets connections that wait to be accepted when the port closes. Node accepts one per event-loop turn, so
 * turns without one mean that none waits. Requests and responses are held meanwhile, or clients that open a connection
 * for each request would keep coming.
 */
function connectionsAccepted(server: Server): () => Promise<void> {
  let accepted = 0
  server.on('connection', () => {
    accepted += 1
  })
  return async () => {
    const until = stopwatchMs() + maxAcceptMs
    let before = accepted
    let quietSince = stopwatchMs()
    for (let turns = 0; turns < 3 || stopwatchMs() < quietSince + quietMs; turns += 1) {
      if (stopwatchMs() > until) return
      await nextTurn()
      if (accepted === before) continue
      before = accepted
      quietSince = stopwatchMs()
      turns = 0
    }
  }
}

function openConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

/**
 * A request may be arriving on an idle connection, so these stay open for `idleMs`. Newer ones never become idle, because
 * every response now has `Connection: close`.
 */
async function connectionsClosed(sockets: readonly Socket[], idleMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = deadline(idleMs, resolve)
    const closed = sockets.map((socket) => new Promise((close) => void socket.once('close', close)))
    void Promise.all(closed).then(cancel).then(resolve)
  })
}

/** Closes the port and idle connections, and resolves once the others are closed. */
async function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const sweep = setInterval(() => {
    // A response that began before the stop keeps its connection.
    server.closeIdleConnections()
    // Clients also open connections in advance, which Node does not count as idle.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }, sweepIntervalMs)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(sweep)
}

/** Adds a remedy for the most common mistakes: a port in use, and a host of another machine. */
function withRemedy(fault: Error, { port, host }: Required<ListenOptions>): Error {
  const code = 'code' in fault ? String(fault.code) : ''
  const isOtherHost = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)
  if (code !== 'EADDRINUSE' && !isOtherHost) return fault
  const message = isOtherHost
    ? `The host ${host} is no address of this machine. Listen on 127.0.0.1, or on 0.0.0.0 for all addresses.`
    : `Port ${port} on ${host} is in use. Choose another one, or 0 for a free one.`
  return Object.assign(new Error(message, { cause: fault }), { code })
}
