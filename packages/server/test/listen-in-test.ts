import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenOnFreePort } from './free-port.ts'

/** Lets a server listen on a free loopback port until the test ends, and returns the port. */
export function listenInTest(server: Server | HttpServer): Promise<number> {
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return listenOnFreePort(server)
}
