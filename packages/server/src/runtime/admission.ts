import { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import type { App } from '../context.ts'
import { after, setImmediate } from '../core/clock.ts'
import { rateLimitedWarnings } from '../core/log.ts'

/** More concurrent handlers do not increase throughput, and slow down health checks through longer event-loop turns. */
const slots = 64
const maxQueueLength = 1024
const maxWaitMs = 10_000
/** Bodies up to this size are always accepted: a connection uses about as much memory. */
const smallBodyBytes = 64 * 1024
const maxBudgetBytes = 64 * 1024 * 1024
const busyMessage = 'The server is busy. Retry the request after the time in the Retry-After header.'

export interface PortRequest {
  readonly request: Request
  readonly incoming: IncomingMessage
  /** Reads the body without holding a slot, so that slow senders delay only themselves. */
  whileReading<Result>(read: () => Promise<Result>): Promise<Result>
  /** Counts received body bytes until the response is ready. Returns false if the server holds too many. */
  hold(bytes: number): boolean
  /** Calls `act` if the body still arrives after ten seconds and others need its room. */
  onEvict(act: () => void): void
}

/** Answers a request. `env` is set for requests over a port. */
export type RequestHandler = (request: Request, env?: object) => Response | Promise<Response>

export type Admit = (handle: RequestHandler) => RequestHandler

/**
 * Limits what requests over ports may use. At most 64 handlers run at once, each from its start until its response is
 * made. Up to 1,024 requests wait in order, each for at most 10 s; any more are answered 503 with `Retry-After`.
 * Without `limitsWork` every request starts at once.
 */
export function createAdmission(app: App, { limitsWork }: { readonly limitsWork: boolean }): Admit {
  const work = createSlots(app, limitsWork ? slots : Number.POSITIVE_INFINITY)
  const openBody = createBodyBudget(app)
  const warn = rateLimitedWarnings(app.log)
  const refuse = ({ method = '' }: IncomingMessage): Response => {
    app.metrics.request({ method, route: 'refused', status: 503, durationMs: 0 })
    warn(busyMessage)
    const headers = { 'retry-after': '1', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    return Response.json({ message: busyMessage }, { status: 503, headers })
  }
  return (handle) => async (request, env) => {
    const incoming = (env as Partial<PortRequest> | undefined)?.incoming // set by the adapter
    if (!(incoming instanceof IncomingMessage) || isHealthCheck(incoming)) return handle(request, env)
    if (!(await work.enter())) return refuse(incoming)
    const body = openBody()
    const whileReading: PortRequest['whileReading'] = async (read) => {
      if (incoming.complete) return read().finally(body.keep)
      work.leave()
      return read().finally(body.keep).finally(work.enterAgain)
    }
    const port: PortRequest = { request, incoming, whileReading, hold: body.hold, onEvict: body.onEvict }
    try {
      return await handle(request, { ...env, port })
    } finally {
      body.release()
      work.leave()
    }
  }
}

/** Health checks bypass slots and queue, so that a busy server is not considered dead. */
const isHealthCheck = ({ method, url }: IncomingMessage) =>
  url === '/livez' || url === '/readyz' || (method === 'OPTIONS' && url === '/')

/** The port request behind `request`; undefined for in-process requests, including those of pages. */
export function findPortRequest(request: Request, env: unknown): PortRequest | undefined {
  const port = (env as { readonly port?: PortRequest } | undefined)?.port // set above
  return port?.request === request ? port : undefined
}

function createSlots({ clock, metrics }: App, count: number) {
  let free = count
  const waiting = new Set<() => void>()
  /** Requests that have finished reading their body resume first. */
  const resuming: (() => void)[] = []
  metrics.watch('service_http_requests_waiting', () => waiting.size + resuming.length)
  const takeFree = () => {
    if (free === 0) return false
    free -= 1
    return true
  }
  const startNext = () => {
    const next = resuming.shift() ?? waiting.values().next().value
    if (next === undefined) free += 1
    else next()
  }
  return {
    /** Resolves to false if the queue is full or the wait takes too long. */
    async enter(): Promise<boolean> {
      if (takeFree()) return true
      if (waiting.size >= maxQueueLength) return false
      return new Promise((resolve) => {
        const end = (hasSlot: boolean) => {
          waiting.delete(start)
          stopTimer()
          resolve(hasSlot)
        }
        const start = () => end(true)
        const tooLate = () => end(false)
        const stopTimer = clock.after?.(maxWaitMs, tooLate) ?? after(maxWaitMs, tooLate)
        waiting.add(start)
      })
    },
    async enterAgain(): Promise<void> {
      if (!takeFree()) await new Promise<void>((resolve) => void resuming.push(resolve))
    },
    /** The next request starts in the next event-loop turn, so that new connections and health checks come first. */
    leave: () => void setImmediate(startNext),
  }
}

/** A body that arrives for longer than this gives its room to others: a few stalled senders could take all of it. */
const maxArrivalMs = 10_000

interface HeldBody {
  readonly beganAtMs: number
  bytes: number
  /** Undefined once the body is complete. */
  evict: (() => void) | undefined
}

/**
 * All request bodies together take at most 64 MiB, or a quarter of the memory if that is less. If they would take more,
 * those that arrive for too long are refused first, the oldest one before the others.
 */
function createBodyBudget({ config, clock, metrics }: App) {
  const limit = config.maxBodyBytesInFlight ?? Math.min(maxBudgetBytes, Math.floor(memoryBytes() / 4))
  const bodies = new Set<HeldBody>()
  let held = 0
  metrics.watch('service_body_bytes_in_flight', () => held)
  metrics.watch('service_body_bytes_limit', () => limit)
  function release(body: HeldBody): void {
    held -= body.bytes
    bodies.delete(body)
  }
  function makeRoom(): void {
    for (const body of bodies) {
      if (held <= limit || clock.elapsedMs() - body.beganAtMs < maxArrivalMs) return
      const { evict, bytes } = body
      if (evict === undefined || bytes <= smallBodyBytes) continue
      release(body)
      evict()
    }
  }
  return () => {
    const own: HeldBody = { beganAtMs: clock.elapsedMs(), bytes: 0, evict: undefined }
    bodies.add(own)
    return {
      hold(bytes: number): boolean {
        if (!bodies.has(own)) return false
        own.bytes += bytes
        held += bytes
        if (own.bytes > smallBodyBytes && held > limit) makeRoom()
        return own.bytes <= smallBodyBytes || (held <= limit && bodies.has(own))
      },
      onEvict(act: () => void) {
        own.evict = act
      },
      keep() {
        own.evict = undefined
      },
      release: () => bodies.has(own) && release(own),
    }
  }
}

/** The container's memory limit, if set. Without a limit, Node reports zero or more than the machine has. */
const memoryBytes = () => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
