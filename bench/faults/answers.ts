import type { OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { sampleAnswers } from '../client/sample-answers.ts'
import type { Answer } from './fault-server.ts'

const json = { 'content-type': 'application/json' }
const begun = '{"data": [{"ticket_number": "TKT-00001", '

/** What a caller waits for: the list, or the ticket that was created. */
export const right: Answer = (response) => {
  const creates = response.req.method === 'POST'
  response.writeHead(creates ? 201 : 200, json).end(creates ? sampleAnswers.create : sampleAnswers.list)
}

// Some look for a message, some for an error.
const complaint = JSON.stringify({
  message: 'Something is wrong.',
  error: { type: 'api_error', message: 'Something is wrong.' },
})

export const status =
  (code: number, headers: OutgoingHttpHeaders = {}, body = complaint): Answer =>
  (response) =>
    response.writeHead(code, { ...json, ...headers }).end(body)

export const page = (code: number): Answer =>
  status(code, { 'content-type': 'text/html' }, '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>')

export const text =
  (body: string | Uint8Array, headers: OutgoingHttpHeaders = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...json, ...headers }).end(body)

export const redirect =
  (code: number, where: 'here' | 'elsewhere'): Answer =>
  (response, { otherOrigin }) =>
    response.writeHead(code, { location: where === 'here' ? '/again' : `${otherOrigin}/elsewhere` }).end()

export const stall = {
  beforeHeaders: () => undefined,
  inHeaders: (response) => response.socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-slow: '),
  afterHeaders: (response) => response.writeHead(200, json).flushHeaders(),
} satisfies Record<string, Answer>

export const stallInBody =
  (code: number): Answer =>
  (response) => {
    response.writeHead(code, json).write(begun)
  }

/** A piece now and then, for ever. */
const paced =
  (piece: string, everyMs: number): Answer =>
  (response) => {
    response.writeHead(200, json).write(begun)
    const timer = setInterval(() => response.write(piece), everyMs)
    response.once('close', () => clearInterval(timer))
  }
export const slow = paced(' ', 200)
export const endless = paced(' '.repeat(65_536), 20)

export const cut = {
  reset: (response) => response.socket?.resetAndDestroy(),
  hangUp: (response) => response.socket?.end(),
  notHttp: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
  inHeaders: (response) => response.socket?.end('HTTP/1.1 200 OK\r\ncontent-ty'),
  resetInBody: (response) => {
    response.writeHead(200, json).write(begun, () => response.socket?.resetAndDestroy())
  },
  short: (response) => {
    response.writeHead(200, { ...json, 'content-length': 5000 }).write(begun, () => response.socket?.destroy())
  },
  inChunks: (response) => {
    response.writeHead(200, json).write(begun, () => response.socket?.destroy())
  },
} satisfies Record<string, Answer>

const zipped = gzipSync(sampleAnswers.list)
export const brokenGzip: Answer = text(zipped.subarray(0, zipped.length - 20), { 'content-encoding': 'gzip' })
export const marked: Answer = text(`\uFEFF${sampleAnswers.list}`)
export const hugeHeader: Answer = status(200, { 'x-huge': 'x'.repeat(100_000) }, sampleAnswers.list)

export const earlyHints: Answer = (response, place) => {
  response.writeEarlyHints({ link: '</style.css>; rel=preload' })
  right(response, place)
}
