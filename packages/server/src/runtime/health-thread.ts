import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { after, stopwatchMs } from '../core/clock.ts'
import type { FromHealthThread, HealthAnswer, HealthPortOptions, ToHealthThread } from './health-port.ts'

// Answers health checks in a separate thread, see `health-port.ts`.

/** The main loop reports twice a second. After this long without a report it counts as hanging. */
const stalledMs = 10_000
/** How long a scrape waits for the main loop, and how many may wait. */
const maxAnswerMs = 10_000
const maxWaiting = 16

const { port, host } = workerData as HealthPortOptions // from `health-port.ts`
const send = (message: FromHealthThread) => parentPort?.postMessage(message)
const json = (status: number, body: object): HealthAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(body),
})
const unavailable = (reason: string) => json(503, { status: 'unavailable', reason })

let reportedAt = stopwatchMs()
let readiness = unavailable('starting')
let nextId = 0
const waiting = new Map<number, (answer: HealthAnswer) => void>()

const isStalled = () => stopwatchMs() - reportedAt > stalledMs

function askMainLoop({ url = '', headers: { authorization } }: IncomingMessage): Promise<HealthAnswer> | HealthAnswer {
  if (waiting.size >= maxWaiting) return unavailable('busy')
  nextId += 1
  const id = nextId
  return new Promise((resolve) => {
    const settle = (answer: HealthAnswer) => {
      cancel()
      waiting.delete(id)
      resolve(answer)
    }
    const cancel = after(maxAnswerMs, () => settle(unavailable('busy')))
    waiting.set(id, settle)
    send({ ask: { id, path: url, authorization } })
  })
}

function answer(request: IncomingMessage): Promise<HealthAnswer> | HealthAnswer {
  const { method, url } = request
  if (method === 'OPTIONS' && url === '/') return isStalled() ? unavailable('stalled') : readiness
  if (method !== 'GET' && method !== 'HEAD') return json(405, { message: 'Only GET is supported here.' })
  if (url === '/livez') return isStalled() ? unavailable('stalled') : json(200, { status: 'ok' })
  if (url === '/readyz') return isStalled() ? unavailable('stalled') : readiness
  if (url === '/metrics') return askMainLoop(request)
  return json(404, { message: 'This port answers /livez, /readyz, and /metrics.' })
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await answer(request)
  response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
}

const settings = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 5_000 }
const server = createServer(settings, (request, response) => void respond(request, response)).setTimeout(15_000)

parentPort?.on('message', (message: ToHealthThread) => {
  reportedAt = stopwatchMs()
  if ('readiness' in message) readiness = message.readiness
  if ('answer' in message) waiting.get(message.id)?.(message.answer)
  if (!('close' in message)) return
  server.close()
  server.closeAllConnections()
  parentPort?.close()
})

try {
  await once(server.listen({ port, host, backlog: 4096 }), 'listening')
  send({ listening: (server.address() as AddressInfo).port }) // it listens on a port, not a pipe
} catch (fault) {
  const { message, code = '' } = fault as NodeJS.ErrnoException // from `listen`
  send({ failed: { message, code } })
  parentPort?.close()
}
