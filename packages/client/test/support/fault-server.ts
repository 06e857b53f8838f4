import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createRawServer, type Socket } from 'node:net'
import { listenInTest } from '../../../server/test/listen-in-test.ts'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A real server on a free port with scripted responses. It records requests and closes when the test ends. */
export async function faultServer(answer: Answer) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      answer(response, request)
    })
  })
  const port = await listenInTest(server)
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, seen, port }
}

/** A TCP server without HTTP. It closes when the test ends. */
export async function rawServer(connected: (socket: Socket) => void) {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined)
    connected(socket)
  })
  return { port: await listenInTest(server) }
}

export const answers = {
  json:
    (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
  text:
    (text: string, type: string, status = 200): Answer =>
    (response) =>
      response.writeHead(status, { 'content-type': type }).end(text),
  stallBeforeHeaders: () => {},
  stallInBody:
    (status = 200): Answer =>
    (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.write('{"data": [')
    },
  truncate: (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
    response.write('{"data": [', () => response.socket?.destroy())
  },
  truncateChunks: (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"data": [', () => response.socket?.destroy())
  },
  reset: (response: ServerResponse) => {
    response.socket?.resetAndDestroy()
  },
  hangUp: (response: ServerResponse) => {
    response.socket?.end()
  },
  redirect:
    (location: string, status = 302): Answer =>
    (response) =>
      response.writeHead(status, { location }).end(),
} as const
