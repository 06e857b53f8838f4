import { Agent, buildConnector, type Dispatcher } from 'undici'
import { after, type Micros, stopwatchMs } from '../../core/clock.ts'
import { type Egress, EgressError } from '../egress.ts'
import { type Outcome, outcomeOfError, outcomeOfStatus, type ReceiverDirective, readDirective } from './outcome.ts'
import type { DueDelivery, OutgoingRequest, RequestBuilder } from './request.ts'

export interface SenderOptions {
  readonly egress: Egress
  /** For the whole answer with its body. */
  readonly timeoutMs: number
}

/** Sends requests and says what came of them; it never throws. */
export interface Sender {
  send(request: OutgoingRequest): Promise<Outcome>
  close(): Promise<void>
}

const connectTimeoutMs = 5000
/** What of an answer is kept. Nobody reads on beyond it: an endless answer must not keep a place busy. */
const keptBytes = 16 * 1024

export function createSender({ egress, timeoutMs }: SenderOptions): Sender {
  const dialled = new Map<string, string>()
  const agent = new Agent({
    connect: guardedConnector(egress, Math.min(connectTimeoutMs, timeoutMs), dialled),
    // One deadline covers everything, see `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  return {
    send: async (request) => {
      const outcome = await exchange(agent, request, timeoutMs)
      return { ...outcome, ip: dialled.get(request.origin) ?? null }
    },
    close: () => agent.destroy(),
  }
}

/** Opens connections to addresses that may be contacted, and remembers which it was. */
function guardedConnector(egress: Egress, timeout: number, dialled: Map<string, string>): buildConnector.connector {
  const connect = buildConnector({
    timeout,
    allowH2: false,
    // A name is resolved here and nowhere else; net dials what this gives back.
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
    // An address in the URL is not looked up, so it is checked here; URLs know each in one spelling only.
    const refusal = isAddress(hostname) ? egress.refusalOf(hostname, hostname) : undefined
    if (refusal !== undefined) return callback(refusal, null)
    connect(options, (...[fault, socket]) => {
      if (fault !== null) return callback(fault, null)
      dialled.set(`${options.protocol}//${options.host}`, socket.remoteAddress ?? '')
      callback(null, socket)
    })
  }
}

const isAddress = (hostname: string) => /^[\d.]+$|:/.test(hostname)

type Exchange = Omit<Outcome, 'ip'>

interface Answer {
  status: number | null
  retryAfter: string | undefined
  directive: ReceiverDirective | undefined
  readonly kept: Buffer[]
}

/** One POST. Written as a dispatch handler because it then reads no more than it keeps and costs half of a stream. */
function exchange(agent: Agent, { body, ...request }: OutgoingRequest, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const startedAt = stopwatchMs()
    const answer: Answer = { status: null, retryAfter: undefined, directive: undefined, kept: [] }
    let controller: Dispatcher.DispatchController | undefined
    let over = false
    let size = 0
    const finish = (decision: Pick<Outcome, 'kind' | 'error'>) => {
      if (over) return
      over = true
      callOff()
      const { status, retryAfter, directive, kept } = answer
      resolve({
        ...decision,
        status,
        retryAfter,
        directive,
        response: textOf(kept),
        durationMs: stopwatchMs() - startedAt,
      })
    }
    const fail = (fault: unknown) => finish(outcomeOfError(fault, answer.status !== null))
    const callOff = after(timeoutMs, () => {
      const late = Object.assign(new Error(`No answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })
      fail(late)
      controller?.abort(late)
    })
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (over) started.abort(new Error('The request was given up before it was sent.'))
      },
      onResponseStart(_, status, headers) {
        answer.status = status
        answer.retryAfter = first(headers['retry-after'])
        answer.directive = readDirective(first(headers['webhook-delivery']))
      },
      onResponseData(started, chunk) {
        answer.kept.push(chunk.subarray(0, keptBytes - size))
        size += chunk.length
        if (size < keptBytes) return
        finish(outcomeOfStatus(answer.status ?? 0))
        started.abort(new Error('The rest of the answer is of no interest.'))
      },
      onResponseEnd: () => finish(outcomeOfStatus(answer.status ?? 0)),
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

/** Text that both databases can keep: PostgreSQL refuses U+0000. */
function textOf(kept: readonly Buffer[]): string | null {
  return kept.length === 0 ? null : Buffer.concat(kept).toString('utf8').replaceAll('\0', '')
}

/** A delivery on its way: enough to make its request anew, also as of another moment. */
export interface SendContext {
  readonly subscriptionId: number
  readonly workspaceId: number
  readonly delivery: DueDelivery
  readonly buildRequest: RequestBuilder
  readonly at: Micros
}

/**
 * Stands between the worker and the network, where a test has deliveries come twice, late, altered or not at all.
 * Undefined when it was put off: then it was not tried, and the database says when it is due again.
 */
export type SendInterceptor = (
  context: SendContext,
  send: (request: OutgoingRequest) => Promise<Outcome>,
) => Promise<Outcome | undefined>
