import { Agent, buildConnector, type Dispatcher } from 'undici'
import { after, type Micros, stopwatchMs } from '../../core/clock.ts'
import { type Egress, EgressError } from '../egress.ts'
import type { DueDelivery, OutgoingRequest, RequestBuilder } from '../queues/request.ts'
import { type Outcome, outcomeOfError, outcomeOfStatus, type ReceiverDirective, readDirective } from './outcome.ts'

export interface SenderOptions {
  readonly egress: Egress
  /** For the whole response, including its body. */
  readonly timeoutMs: number
}

/** Sends requests and returns their outcomes; it never throws. */
export interface Sender {
  send(request: OutgoingRequest): Promise<Outcome>
  close(): Promise<void>
}

const connectTimeoutMs = 5000
/** How much of a response is read and stored. The rest is ignored: an endless response must not occupy a slot. */
const maxResponseBytes = 16 * 1024

export function createSender({ egress, timeoutMs }: SenderOptions): Sender {
  const addresses = new Map<string, string>()
  const agent = new Agent({
    connect: guardedConnector(egress, Math.min(connectTimeoutMs, timeoutMs), addresses),
    // One deadline covers everything, see `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  return {
    send: async (request) => {
      const outcome = await exchange(agent, request, timeoutMs)
      return { ...outcome, ip: addresses.get(request.origin) ?? null }
    },
    close: () => agent.destroy(),
  }
}

/** Connects only to permitted addresses, and remembers which address was used. */
function guardedConnector(egress: Egress, timeout: number, addresses: Map<string, string>): buildConnector.connector {
  const connect = buildConnector({
    timeout,
    allowH2: false,
    // The only DNS resolution: net dials exactly the addresses that this returns.
    lookup: (hostname, options, answer) =>
      egress.lookup(hostname, (fault, addresses) => {
        const [first] = addresses
        if (fault !== null || first === undefined) answer(fault ?? new EgressError(hostname, hostname), '', 0)
        else if (options.all) answer(null, [...addresses])
        else answer(null, first.address, first.family)
      }),
  })
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, '')
    // An IP address in the URL is not resolved, so it is checked here. URL normalizes every spelling of an address.
    const refusal = isAddress(hostname) ? egress.findRefusal(hostname, hostname) : undefined
    if (refusal !== undefined) return callback(refusal, null)
    connect(options, (...[fault, socket]) => {
      if (fault !== null) return callback(fault, null)
      addresses.set(`${options.protocol}//${options.host}`, socket.remoteAddress ?? '')
      callback(null, socket)
    })
  }
}

const isAddress = (hostname: string) => /^[\d.]+$|:/.test(hostname)

type Exchange = Omit<Outcome, 'ip'>

interface PartialResponse {
  status: number | null
  retryAfter: string | undefined
  directive: ReceiverDirective | undefined
  readonly chunks: Buffer[]
}

/** One POST. A dispatch handler reads no more than is kept, and costs half as much as a stream. */
function exchange(agent: Agent, { body, ...request }: OutgoingRequest, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const startedAt = stopwatchMs()
    const response: PartialResponse = { status: null, retryAfter: undefined, directive: undefined, chunks: [] }
    let controller: Dispatcher.DispatchController | undefined
    let isFinished = false
    let size = 0
    const finish = (decision: Pick<Outcome, 'kind' | 'error'>) => {
      if (isFinished) return
      isFinished = true
      cancelTimer()
      const { status, retryAfter, directive, chunks } = response
      resolve({
        ...decision,
        status,
        retryAfter,
        directive,
        response: toText(chunks),
        durationMs: stopwatchMs() - startedAt,
      })
    }
    const fail = (fault: unknown) => finish(outcomeOfError(fault, response.status !== null))
    const cancelTimer = after(timeoutMs, () => {
      const late = Object.assign(new Error(`No answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })
      fail(late)
      controller?.abort(late)
    })
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (isFinished) started.abort(new Error('The request timed out before it was sent.'))
      },
      onResponseStart(_, status, headers) {
        response.status = status
        response.retryAfter = first(headers['retry-after'])
        response.directive = readDirective(first(headers['webhook-delivery']))
      },
      onResponseData(started, chunk) {
        response.chunks.push(chunk.subarray(0, maxResponseBytes - size))
        size += chunk.length
        if (size < maxResponseBytes) return
        finish(outcomeOfStatus(response.status ?? 0))
        started.abort(new Error('The rest of the response is ignored.'))
      },
      onResponseEnd: () => finish(outcomeOfStatus(response.status ?? 0)),
      onResponseError: (_, fault) => fail(fault),
    }
    try {
      agent.dispatch({ ...request, method: 'POST', body }, handler)
    } catch (fault) {
      fail(fault)
    }
  })
}

const first = (value: string | string[] | undefined) => (typeof value === 'string' ? value : value?.[0])

/** Text that both databases can store: PostgreSQL rejects U+0000. */
function toText(chunks: readonly Buffer[]): string | null {
  return chunks.length === 0 ? null : Buffer.concat(chunks).toString('utf8').replaceAll('\0', '')
}

/** An in-flight delivery, with everything needed to rebuild its request, also for another time. */
export interface SendContext {
  readonly subscriptionId: number
  readonly workspaceId: number
  readonly delivery: DueDelivery
  readonly buildRequest: RequestBuilder
  readonly at: Micros
}

/**
 * Intercepts requests between the worker and the network. Tests use it to duplicate, delay, alter, or drop deliveries.
 * It returns undefined if the delivery was postponed: then it was not attempted, and the database holds its due time.
 */
export type SendInterceptor = (
  context: SendContext,
  send: (request: OutgoingRequest) => Promise<Outcome>,
) => Promise<Outcome | undefined>
