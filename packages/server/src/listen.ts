import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { clearInterval, clearTimeout, setInterval, setTimeout } from './real-timers.ts'

export interface ListenOptions {
  /** 0 or nothing takes a free port. */
  readonly port?: number
  /** `127.0.0.1` unless told otherwise. */
  readonly host?: string
}

/** A server on a port. */
export interface Listening {
  /** Without a trailing slash, e.g. `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Refuses connections from now on, or takes them again on the same port. Requests in flight go on. */
  refuse(isRefusing: boolean): void
  /** Takes no new connections, lets requests in flight finish, and resolves when all is closed. */
  stop(): Promise<void>
}

type Fetch = (request: Request, env: object) => Response | Promise<Response>

const longestGoodbyeMs = 10_000

/** `fast` lets the adapter replace the global Request and Response, which only a process of our own may do. */
export async function listen(
  fetch: Fetch,
  { port = 0, host = '127.0.0.1' }: ListenOptions,
  fast: boolean,
): Promise<Listening> {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: fast })
  if (!(server instanceof Server)) throw new TypeError('The adapter made something else than an HTTP/1.1 server.')
  await new Promise<void>((resolve, reject) => {
    server.once('error', (fault) => reject(withRemedy(fault, { port, host })))
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo // a TCP server that listens has one
  const urlHost = host.includes(':') ? `[${host}]` : host
  let isStopped = false
  return {
    url: `http://${urlHost}:${address.port}`,
    port: address.port,
    refuse(isRefusing) {
      if (isStopped) return
      if (!isRefusing && !server.listening) server.listen(address.port, host)
      else if (isRefusing && server.listening) server.close()
    },
    stop() {
      isStopped = true
      return stop(server)
    },
  }
}

/** A port that is taken is everybody's first mistake. */
function withRemedy(fault: Error, { port, host }: Required<ListenOptions>): Error {
  if (!('code' in fault) || fault.code !== 'EADDRINUSE') return fault
  const message = `Port ${port} on ${host} is taken. Take another one, or 0 for any that is free.`
  return Object.assign(new Error(message, { cause: fault }), { code: fault.code })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A keep-alive connection becomes idle only after its last answer, so idle ones are closed again and again.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    const force = setTimeout(() => server.closeAllConnections(), longestGoodbyeMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}
