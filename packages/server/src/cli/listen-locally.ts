import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Forwarded, ForwardResult } from './forward.ts'

/** A receiver on loopback that the platform can send to. */
export interface LocalPort {
  readonly url: string
  /** Resolves when the first test delivery has come; it is not passed on. */
  readonly reached: Promise<void>
  close(): void
}

/**
 * Opens a port; what the local application answers is what the platform gets, so that it tries again when it should. Only
 * the platform knows the path: a page in a browser can send to any port of this machine, and must not reach the
 * application through this one.
 */
export async function listenLocally(pass: (delivery: Forwarded) => Promise<ForwardResult>): Promise<LocalPort> {
  let reach: () => void = () => undefined
  let isReached = false
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const path = `/${randomBytes(24).toString('base64url')}`
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      if (!isReached && request.headers['x-service-test'] === 'true') {
        isReached = true
        reach()
        return void response.writeHead(204).end()
      }
      answer(response, await pass({ headers: request.rawHeaders, body: Buffer.concat(chunks) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}${path}`,
    reached,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** An answer that cannot be passed on, with a status or a header that HTTP does not know, is none. */
function answer(response: ServerResponse, { status = 502, headers, body }: ForwardResult): void {
  try {
    response.writeHead(status, [...headers]).end(body)
  } catch {
    if (!response.headersSent) response.writeHead(502)
    response.end()
  }
}
