import { type ClientRequest, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
}

export interface Sending {
  readonly port: number
  readonly headers: OutgoingHttpHeaders
  readonly method?: string
  /** Writes the body, piece by piece. */
  readonly write: (request: ClientRequest) => unknown
}

/** Sends a request over a socket. Unlike `fetch`, it can stop in the middle of a body. */
export function send({ port, headers, method = 'POST', write }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/webhooks', method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        request.destroy()
      })
    })
    // After an early response the connection may close while the body is being sent. The promise is settled by then.
    request.on('error', reject)
    write(request)
  })
}
