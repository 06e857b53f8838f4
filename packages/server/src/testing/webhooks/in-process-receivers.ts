import { deadline, type ServerClock } from '../../core/clock.ts'
import type { OutgoingRequest } from '../../delivery/queues/request.ts'
import { type Outcome, outcomeOfError, outcomeOfStatus, readDirective } from '../../delivery/worker/outcome.ts'
import { requireResponse } from '../require-response.ts'
import { createWorkScope } from '../work-scope.ts'

// A receiver can be a function in this process. Requests to it are signed, retried, and logged as usual, but without
// DNS, a connection, or the check of private addresses.

/** Handles a delivery. To simulate a network failure, it throws an error with a `code` such as ECONNRESET. */
export type ReceiveRequest = (request: Request) => Response | Promise<Response>

/** In-process receivers by URL or origin. */
export interface InProcessReceivers {
  /** Adds a receiver for a URL, or for an origin if there is no path. Returns a function that removes it. */
  add(url: string, receive: ReceiveRequest): () => void
  /** Sends a delivery; undefined if no receiver has this URL. */
  deliver(request: OutgoingRequest, timing: Timing): Promise<Outcome> | undefined
  /** Aborts in-flight requests and responds to further ones with 410 until `clear`. */
  stop(): void
  /** Removes all receivers. */
  clear(): void
  /** Throws a TypeError if the caller is a receiver that has not responded yet. */
  requireOutside(): void
}

interface Timing {
  /** Real time, as for a socket, because a receiver may do real work. */
  readonly timeoutMs: number
  /** Measures the duration. With a frozen clock, runs are deterministic. */
  readonly clock: ServerClock
}

/** Host names that exist only in process. A closed receiver is gone; there is no DNS lookup. */
export const inboxDomain = '.inbox.test'

export function createInProcessReceivers(): InProcessReceivers {
  const byUrl = new Map<string, ReceiveRequest>()
  const inFlight = new Set<(fault: Error) => void>()
  let isStopped = false
  const current = createWorkScope()

  function receiverAt({ origin, path }: OutgoingRequest): ReceiveRequest | undefined {
    if (byUrl.size === 0 && !origin.endsWith(inboxDomain)) return undefined
    const receive = byUrl.get(keyOf(new URL(path, origin))) ?? byUrl.get(origin)
    if (receive === undefined) return origin.endsWith(inboxDomain) ? gone : undefined
    return isStopped ? gone : receive
  }

  async function send(
    receive: ReceiveRequest,
    request: OutgoingRequest,
    { timeoutMs, clock }: Timing,
  ): Promise<Outcome> {
    const startedAt = clock.elapsedMs()
    const controller = new AbortController()
    const broken = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    })
    const abort = (fault: Error) => controller.abort(fault)
    inFlight.add(abort)
    const cancelDeadline = deadline(timeoutMs, () =>
      abort(createFault('ETIMEDOUT', `No response within ${timeoutMs} ms`)),
    )
    const called = current.run(() => callReceiver(receive, request, controller.signal))
    const outcome = await Promise.race([called, broken]).catch(outcomeOfThrown)
    cancelDeadline()
    inFlight.delete(abort)
    return { ...emptyOutcome, ...outcome, durationMs: clock.elapsedMs() - startedAt }
  }

  return {
    add(url, receive) {
      const key = keyOf(new URL(url))
      byUrl.set(key, receive)
      return () => {
        if (byUrl.get(key) === receive) byUrl.delete(key)
      }
    },
    deliver(request, timing) {
      const receive = receiverAt(request)
      return receive && send(receive, request, timing)
    },
    stop() {
      isStopped = true
      for (const abort of inFlight) abort(createFault('ECONNRESET', 'The receiver is gone'))
    },
    clear() {
      isStopped = false
      byUrl.clear()
    },
    requireOutside() {
      if (current.isInside()) throw waitsForItself()
    },
  }
}

const waitsForItself = () =>
  new TypeError(
    'A webhook receiver cannot move the clock, reset or copy the server, or call `settled()`: these calls wait until the receiver has responded. Make the call in the test, after the receiver has responded.',
  )

/** An error that ends a delivery like a network failure with this code. */
export const createFault = (code: string, message: string): Error => Object.assign(new Error(message), { code })

const keyOf = ({ origin, pathname }: URL) => (pathname === '/' ? origin : origin + pathname)

const gone: ReceiveRequest = () => new Response(null, { status: 410 })

const emptyOutcome: Outcome = {
  kind: 'ok',
  status: null,
  error: null,
  response: null,
  ip: null,
  durationMs: 0,
  retryAfter: undefined,
  directive: undefined,
}

const maxResponseCharacters = 16 * 1024

async function callReceiver(
  receive: ReceiveRequest,
  sent: OutgoingRequest,
  signal: AbortSignal,
): Promise<Partial<Outcome>> {
  const headers = new Headers(headerPairs(sent.headers))
  const request = new Request(new URL(sent.path, sent.origin), {
    method: 'POST',
    headers,
    body: Uint8Array.from(sent.body),
    signal,
  })
  const response = requireResponse(await receive(request), 'The receiver')
  if (response.type === 'error') throw createFault('ECONNRESET', 'The receiver returned Response.error()')
  const text = (await response.text()).slice(0, maxResponseCharacters).replaceAll('\0', '')
  return {
    ...outcomeOfStatus(response.status),
    status: response.status,
    response: text === '' ? null : text,
    retryAfter: response.headers.get('retry-after') ?? undefined,
    directive: readDirective(response.headers.get('webhook-delivery') ?? undefined),
  }
}

/** An error without a code is a bug in the receiver, and servers respond to those with 500. */
function outcomeOfThrown(fault: unknown): Partial<Outcome> {
  if (fault instanceof Error && 'code' in fault) return outcomeOfError(fault, false)
  return { ...outcomeOfStatus(500), status: 500, response: String(fault) }
}

/** Alternating names and values. */
const headerPairs = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : []))
