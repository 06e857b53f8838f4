import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came over the wire. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly path: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** How many connections were made to it. */
  connections(): number
}

export type Reply = (response: ServerResponse, received: Received, number: number) => void

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end()

/** A real HTTP server on loopback that keeps what it gets; 204 unless told otherwise. */
export async function startReceiver(reply: Reply = status(204)): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, rawHeaders, url = '' } = request
      const one = { headers, rawHeaders, body: Buffer.concat(chunks), path: url }
      received.push(one)
      reply(response, one, received.length)
    })
  }
  const server = createServer(onRequest)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}`, received, connections: () => connections }
}
