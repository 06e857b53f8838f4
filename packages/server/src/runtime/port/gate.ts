import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../../core/context.ts'
import { burstLog } from '../../core/log.ts'
import { clientAddress } from '../../http/client-address.ts'
import { createBodyBudget, holdReservation, type Reservation, uncountedBytes } from './body-budget.ts'
import { lingerWhileSending, refuse, type Unavailable } from './lingering-close.ts'
import { createLoadLimit, type LoadLimit } from './load-limit.ts'
import { createSlowUploads } from './slow-uploads.ts'

/** What stands before all ports of a server: decides who is let in before a byte of a body is read. */
export interface Gate {
  /** Whether the request may go on; otherwise it has been answered. */
  admit(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

export interface GateOptions {
  /** Whether requests are refused that would wait too long. */
  readonly shedsLoad: boolean
}

const noRoom = {
  message: 'The server holds too many request bodies at the moment. Try again soon.',
  retryAfterSeconds: 1,
}
const tooBusy = { message: 'The server has too much to do at the moment. Try again soon.', retryAfterSeconds: 1 }

/** Asks whether we live or are ready must be answered when nothing else is. */
const isHealth = ({ url }: IncomingMessage) => url === '/livez' || url === '/readyz'
const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/** What a chunked body is given to begin with; it asks for more as it grows. */
const firstChunks = 64 * 1024

export function createGate(app: App, { shedsLoad }: GateOptions): Gate {
  const budget = createBodyBudget(app.config)
  app.metrics.watch('service_body_bytes_in_flight', 'Bytes of request bodies that are held.', () => budget.use().bytes)
  app.metrics.watch(
    'service_body_bytes_limit',
    'The most bytes of request bodies that may be held.',
    () => budget.use().total,
  )
  const addressOf = clientAddress(app.config.trustedProxies)
  const slowUploads = createSlowUploads(app.clock)
  const load = shedsLoad ? loadLimitOf(app) : undefined
  const warn = burstLog(app.log)
  const reserve = (incoming: IncomingMessage, bytes: number): Reservation | undefined =>
    budget.reserve(addressOf(incoming.socket.remoteAddress, headerText(incoming.headers['x-forwarded-for'])), bytes)
  return {
    admit(incoming, outgoing) {
      if (isHealth(incoming)) return true
      const turnAway = (why: Unavailable) => {
        app.metrics.request({ method: incoming.method ?? '', route: 'refused', status: 503, durationMs: 0 })
        warn(why.message)
        refuse(incoming, outgoing, why)
        return false
      }
      if (load?.isOver(isRead(incoming) ? 'read' : 'write') === true) return turnAway(tooBusy)
      const bytes = bodyBytes(incoming)
      if (bytes === 0) {
        countWork(outgoing, load)
        return true
      }
      const reservation = bytes > uncountedBytes ? reserve(incoming, bytes) : undefined
      if (reservation !== undefined) holdReservation(incoming, reservation)
      else if (bytes > uncountedBytes) return turnAway(noRoom)
      lingerWhileSending(incoming)
      slowUploads.watch(incoming, outgoing)
      watchBody(incoming, {
        received: (length) => slowUploads.received(incoming, length),
        complete() {
          slowUploads.forget(incoming)
          countWork(outgoing, load)
        },
      })
      outgoing.once('close', () => {
        slowUploads.forget(incoming)
        reservation?.release()
      })
      return true
    },
  }
}

const loadLimitOf = (app: App): LoadLimit =>
  createLoadLimit({
    mostInFlight: app.config.maxRequestsInFlight,
    elapsedMs: () => app.clock.elapsedMs(),
    writersWaitMs: () => app.store.writersWaitMs?.() ?? 0,
  })

function countWork(outgoing: ServerResponse, load: LoadLimit | undefined): void {
  if (load === undefined || outgoing.closed) return
  load.begin()
  outgoing.once('close', () => load.end())
}

function bodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return firstChunks
  return Number(headers['content-length'] ?? 0)
}

const headerText = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : (value ?? null))

interface BodyWatch {
  received(bytes: number): void
  complete(): void
}

/** Sees the body pass from the parser to its reader, whoever reads it and whenever. */
function watchBody(incoming: IncomingMessage, { received, complete }: BodyWatch): void {
  const push = incoming.push.bind(incoming)
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) complete()
    else received(chunk.length)
    return push(chunk, encoding)
  }
}
