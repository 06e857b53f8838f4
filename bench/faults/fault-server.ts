import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Does what a broken platform does to one request. */
export type Answer = (response: ServerResponse, place: { readonly otherOrigin: string }) => void

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly at: number
}

export interface FaultServer extends AsyncDisposable {
  readonly origin: string
  readonly received: readonly ReceivedRequest[]
  /** Connections on which an answer was begun, or owed, and never ended. */
  unfinished(): number
}

interface Options {
  /** For the first request, the second …; the last one for all that follow. */
  readonly answers: readonly Answer[]
  readonly otherOrigin?: string
  readonly onAnswered?: (count: number) => void
}

export async function startFaultServer({ answers, otherOrigin = '', onAnswered }: Options): Promise<FaultServer> {
  const received: ReceivedRequest[] = []
  const open = new Set<ServerResponse>()
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    open.add(response)
    response.once('finish', () => open.delete(response))
    response.once('close', () => open.delete(response))
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const answer = answers[Math.min(received.length, answers.length - 1)]
      received.push({ method, url, headers, body, at: performance.now() })
      answer?.(response, { otherOrigin })
      onAnswered?.(received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server on a port has no other kind of address
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    unfinished: () => open.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
