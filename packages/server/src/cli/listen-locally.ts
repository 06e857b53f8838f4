import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Forwarded, Reply } from './forward.ts'

/** A receiver on loopback that the platform can send to. */
export interface LocalPort {
  readonly url: string
  /** Resolves when the first test delivery has come; it is not passed on. */
  readonly reached: Promise<void>
  close(): void
}

/** Opens a port; what the local application answers is what the platform gets, so that it tries again when it should. */
export async function listenLocally(pass: (delivery: Forwarded) => Promise<Reply>): Promise<LocalPort> {
  let reach: () => void = () => undefined
  let isReached = false
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      if (!isReached && request.headers['x-service-test'] === 'true') {
        isReached = true
        reach()
        return void response.writeHead(204).end()
      }
      const { status = 502, headers, body } = await pass({ headers: request.rawHeaders, body: Buffer.concat(chunks) })
      response.writeHead(status, [...headers]).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    reached,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
