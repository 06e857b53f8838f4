import { deadline, type ServerClock } from '../../core/clock.ts'
import { type Outcome, outcomeOfError, outcomeOfStatus, readDirective } from '../../delivery/dispatch/outcome.ts'
import type { OutgoingRequest } from '../../delivery/dispatch/request.ts'

// A receiver may be a function in this process. What is sent to it goes the same way as all else (signed, tried again,
// written down), only that no name is resolved and no connection made, so whether the address may be dialled is not asked.

/** Takes a delivery as a server would. Without an answer it throws an error whose `code` says why, such as ECONNRESET. */
export type ReceiveRequest = (request: Request) => Response | Promise<Response>

/** Receivers in this process, by where they stand. */
export interface InProcessReceivers {
  /** With a path it takes what goes to that URL, without one all of the origin. Gives back what takes it away again. */
  add(url: string, receive: ReceiveRequest): () => void
  /** Sends one delivery; undefined when nobody in this process stands at its URL. */
  deliver(request: OutgoingRequest, timing: Timing): Promise<Outcome> | undefined
  /** Breaks off what is under way, and answers what still comes with 410 until `clear`. */
  shut(): void
  /** Takes all receivers away. */
  clear(): void
}

interface Timing {
  /** Real time, as for a receiver behind a socket: it may be busy with real work. */
  readonly timeoutMs: number
  /** Says how long it took, so that two runs by a clock that stands still are the same. */
  readonly clock: ServerClock
}

/** Hosts under it only ever stand in a process; one that has closed is gone, and nobody looks for it elsewhere. */
export const inboxDomain = '.inbox.test'

export function createInProcessReceivers(): InProcessReceivers {
  const byUrl = new Map<string, ReceiveRequest>()
  const underWay = new Set<(fault: Error) => void>()
  let isShut = false

  function receiverAt({ origin, path }: OutgoingRequest): ReceiveRequest | undefined {
    if (byUrl.size === 0 && !origin.endsWith(inboxDomain)) return undefined
    const receive = byUrl.get(keyOf(new URL(path, origin))) ?? byUrl.get(origin)
    if (receive === undefined) return origin.endsWith(inboxDomain) ? gone : undefined
    return isShut ? gone : receive
  }

  async function give(
    receive: ReceiveRequest,
    request: OutgoingRequest,
    { timeoutMs, clock }: Timing,
  ): Promise<Outcome> {
    const startedAt = clock.elapsedMs()
    const cut = new AbortController()
    const broken = new Promise<never>((_, reject) => {
      cut.signal.addEventListener('abort', () => reject(cut.signal.reason), { once: true })
    })
    const abort = (fault: Error) => cut.abort(fault)
    underWay.add(abort)
    const callOff = deadline(timeoutMs, () => abort(faultOf('ETIMEDOUT', `No answer within ${timeoutMs} ms`)))
    const came = await Promise.race([answerOf(receive, request, cut.signal), broken]).catch(fromFault)
    callOff()
    underWay.delete(abort)
    return { ...noAnswer, ...came, durationMs: clock.elapsedMs() - startedAt }
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
      return receive && give(receive, request, timing)
    },
    shut() {
      isShut = true
      for (const abort of underWay) abort(faultOf('ECONNRESET', 'The receiver is gone'))
    },
    clear() {
      isShut = false
      byUrl.clear()
    },
  }
}

/** An error that ends a delivery as a fault of the network with this code does. */
export const faultOf = (code: string, message: string): Error => Object.assign(new Error(message), { code })

const keyOf = ({ origin, pathname }: URL) => (pathname === '/' ? origin : origin + pathname)

const gone: ReceiveRequest = () => new Response(null, { status: 410 })

const noAnswer: Outcome = {
  kind: 'ok',
  status: null,
  error: null,
  response: null,
  ip: null,
  durationMs: 0,
  retryAfter: undefined,
  directive: undefined,
}

const keptCharacters = 16 * 1024

async function answerOf(
  receive: ReceiveRequest,
  sent: OutgoingRequest,
  signal: AbortSignal,
): Promise<Partial<Outcome>> {
  const headers = new Headers(pairsOf(sent.headers))
  const request = new Request(new URL(sent.path, sent.origin), {
    method: 'POST',
    headers,
    body: Uint8Array.from(sent.body),
    signal,
  })
  const response = await receive(request)
  if (response.type === 'error') throw faultOf('ECONNRESET', 'The receiver answered Response.error()')
  const text = (await response.text()).slice(0, keptCharacters).replaceAll('\0', '')
  return {
    ...outcomeOfStatus(response.status),
    status: response.status,
    response: text === '' ? null : text,
    retryAfter: response.headers.get('retry-after') ?? undefined,
    directive: readDirective(response.headers.get('webhook-delivery') ?? undefined),
  }
}

/** Without a code it is no fault of the network but one of the receiver's own, and a server answers those with 500. */
function fromFault(fault: unknown): Partial<Outcome> {
  if (fault instanceof Error && 'code' in fault) return outcomeOfError(fault, false)
  return { ...outcomeOfStatus(500), status: 500, response: String(fault) }
}

/** Names and values stand in turn. */
const pairsOf = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : []))
