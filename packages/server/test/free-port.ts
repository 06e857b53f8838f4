import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Lets a server listen on a free loopback port, and returns the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port // it listens on a port
}

/** A port that no process listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnFreePort(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
