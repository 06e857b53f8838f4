import { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import { after } from '../core/clock.ts'
import type { App } from '../core/context.ts'
import { burstLog } from '../core/log.ts'
import { setImmediate } from '../core/real-timers.ts'
import type { RequestHandler } from './entrypoints.ts'

/** More handlers at once gain no throughput and make a turn of the event loop longer, so health checks wait longer. */
const slots = 64
const longestQueue = 1024
const longestWaitMs = 10_000
/** Bodies up to this size are always accepted: a connection costs about as much memory. */
const smallBodyBytes = 64 * 1024
const mebibyte = 1024 * 1024

/** A request that came over a port, while it is handled. */
export interface PortRequest {
  readonly request: Request
  readonly incoming: IncomingMessage
  /** Reads the body without keeping a slot, so that slow senders hold up only themselves. */
  whileReading<Result>(read: () => Promise<Result>): Promise<Result>
  /** Counts bytes of the body that have arrived, until the response is made. False if the server holds too many. */
  hold(bytes: number): boolean
}

export interface AdmissionOptions {
  /** False lets every request start at once: a test double may hold requests for as long as a fault says. */
  readonly limitsWork: boolean
}

/** Wraps the handler of a port. */
export type Admit = (handle: RequestHandler) => RequestHandler

/**
 * Limits what requests over ports may use. At most 64 handlers run at once, each from its start until its response is
 * made. Up to 1,024 requests wait in order, each for at most 10 s; any more are answered 503 with `Retry-After`.
 */
export function createAdmission(app: App, { limitsWork }: AdmissionOptions): Admit {
  const work = createSlots(app, limitsWork ? slots : Number.POSITIVE_INFINITY)
  const bodies = createBodyBudget(app)
  const warn = burstLog(app.log)
  const refuse = (incoming: IncomingMessage): Response => {
    app.metrics.request({ method: incoming.method ?? '', route: 'refused', status: 503, durationMs: 0 })
    warn(tooBusy)
    return Response.json(
      { message: tooBusy },
      {
        status: 503,
        headers: { 'retry-after': '1', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
      },
    )
  }
  return (handle) => async (request, env) => {
    const incoming = incomingOf(env)
    if (incoming === undefined || isHealthCheck(incoming)) return handle(request, env)
    if (!(await work.enter())) return refuse(incoming)
    // A client that gave up while it waited would not read the answer.
    if (incoming.socket.destroyed) {
      work.leave()
      return new Response(null, { status: 503 })
    }
    const body = bodies.open()
    const port: PortRequest = {
      request,
      incoming,
      hold: body.hold,
      async whileReading(read) {
        if (incoming.complete) return read()
        work.leave()
        try {
          return await read()
        } finally {
          await work.enterFirst()
        }
      },
    }
    try {
      return await handle(request, { ...env, port })
    } finally {
      body.release()
      work.leave()
    }
  }
}

const tooBusy = 'The server is busy. Retry the request after the time in the Retry-After header.'

/** Health checks bypass slots and queue, so that a busy server is not taken for a dead one. */
const isHealthCheck = ({ url }: IncomingMessage) => url === '/livez' || url === '/readyz'

const incomingOf = (env: object | undefined): IncomingMessage | undefined =>
  env !== undefined && 'incoming' in env && env.incoming instanceof IncomingMessage ? env.incoming : undefined

/** The port request that `request` came with; undefined for requests made in the process, those of pages included. */
export function portOf(request: Request, env: unknown): PortRequest | undefined {
  const port = (env as { readonly port?: PortRequest } | undefined)?.port // set above
  return port?.request === request ? port : undefined
}

function createSlots({ clock }: App, count: number) {
  let free = count
  const waiting: { readonly start: () => void }[] = []
  const wait = (place: 'first' | 'last', start: () => void) => {
    const entry = { start }
    if (place === 'first') waiting.unshift(entry)
    else waiting.push(entry)
    return () => waiting.splice(waiting.indexOf(entry), 1)
  }
  const startNext = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next.start()
  }
  return {
    /** Resolves to false if the queue is full or the wait takes too long. */
    enter(): Promise<boolean> | true {
      if (free > 0) {
        free -= 1
        return true
      }
      if (waiting.length >= longestQueue) return Promise.resolve(false)
      return new Promise((resolve) => {
        const giveUp = wait('last', () => {
          stopTimer()
          resolve(true)
        })
        const tooLate = () => {
          giveUp()
          resolve(false)
        }
        const stopTimer = clock.after?.(longestWaitMs, tooLate) ?? after(longestWaitMs, tooLate)
      })
    },
    /** Goes to the head of the queue: for requests that have begun. */
    enterFirst(): Promise<void> | undefined {
      if (free > 0) {
        free -= 1
        return undefined
      }
      return new Promise((resolve) => void wait('first', resolve))
    },
    /** The next request starts in the next turn of the event loop, so that new connections and health checks come first. */
    leave: () => void setImmediate(startNext),
  }
}

/** All request bodies together take at most a quarter of the memory, and at most 64 MiB. */
function createBodyBudget({ config, metrics }: App) {
  const limit = config.maxBodyBytesInFlight ?? Math.min(64 * mebibyte, Math.floor(memoryBytes() / 4))
  let held = 0
  metrics.watch('service_body_bytes_in_flight', 'Bytes of request bodies that are held.', () => held)
  metrics.watch('service_body_bytes_limit', 'The most bytes of request bodies that may be held.', () => limit)
  return {
    open() {
      let own = 0
      return {
        hold(bytes: number): boolean {
          own += bytes
          held += bytes
          return own <= smallBodyBytes || held <= limit
        },
        release() {
          held -= own
          own = 0
        },
      }
    },
  }
}

/** The limit of the container, if there is one. Without a limit Node reports zero or a number beyond the machine's memory. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
