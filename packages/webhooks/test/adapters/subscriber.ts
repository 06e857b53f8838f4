import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { onTestFinished } from 'vitest'

/** Serves a listener on a free loopback port until the test ends. */
export async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  return listenWith(server)
}

export async function listenWith(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return portOf(server)
}

/** Returns the port of a listening server. */
export const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

/** Serves a fetch handler. A rejection becomes a 500, as in every runtime. */
export const listenFetch = (handle: (request: Request) => Response | Promise<Response>): Promise<number> =>
  listen(
    getRequestListener(handle, {
      overrideGlobalObjects: false, // h3 2 answers errors with 200 if another Response is the global one
      errorHandler: () => new Response('Internal Server Error', { status: 500 }),
    }),
  )
