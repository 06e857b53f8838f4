import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SinkAnswer, SinkQuestion } from './receiver.ts'

// A receiver in a process of its own, on the core of the load. What it does depends on the path of the URL:
// /        answers 204 at once
// /noted   the same, and remembers when which title came
// /slow    answers after a while, as a receiver far away does
// /hang    never answers

const slowMs = 250

let received = 0
let arrivals: [title: string, atMicros: number][] = []

/** Monotonic and the same for all processes of the machine. */
const nowMicros = () => Number(process.hrtime.bigint() / 1000n)

function accept(request: IncomingMessage, response: ServerResponse): void {
  received += 1
  const { url = '' } = request
  if (url.startsWith('/noted')) note(request)
  else request.resume()
  if (url.startsWith('/hang')) return
  if (url.startsWith('/slow')) setTimeout(() => response.writeHead(204).end(), slowMs)
  else response.writeHead(204).end()
}

function note(request: IncomingMessage): void {
  const at = nowMicros()
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  request.on('end', () => arrivals.push([/"title":"([^"]*)"/.exec(text)?.[1] ?? '', at]))
}

const server = createServer(accept)
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port })) // it listens on a port

process.on('message', (question: SinkQuestion) => {
  if (question === 'count') return tell({ received, atMicros: nowMicros() })
  tell({ arrivals })
  arrivals = []
})

function tell(answer: SinkAnswer): void {
  process.send?.(answer)
}
