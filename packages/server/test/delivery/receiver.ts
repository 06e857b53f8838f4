import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { listenInTest } from '../listen-in-test.ts'
import { type Expected, requireVerified } from './verified.ts'

/** A request as received. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly path: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** The number of accepted connections. */
  connections(): number
  /** Sets a subscription that sends here, with its secret. Call it again when either changes. */
  expects(subscription: Expected): void
}

export type Reply = (response: ServerResponse, received: Received, number: number) => void

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end()

/** A reply that is held until `answer` is called. */
export function holdingReply() {
  const held: ServerResponse[] = []
  let isHolding = true
  const answer = (code: number) => void held.shift()?.writeHead(code).end()
  const reply: Reply = (response) => {
    held.push(response)
    if (!isHolding) answer(204)
  }
  return {
    reply,
    answer,
    /** Answers all held and later requests with 204. */
    answerAll() {
      isHolding = false
      while (held.length > 0) answer(204)
    },
  }
}

/**
 * An HTTP server on loopback that records requests and answers 204 by default. At the end of the test every request
 * must verify, or the test fails.
 */
export async function startReceiver(reply: Reply = status(204)): Promise<Receiver> {
  const received: Received[] = []
  const expected: Expected[] = []
  let connections = 0
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, rawHeaders, url = '' } = request
      const one = { headers, rawHeaders, body: Buffer.concat(chunks), path: url }
      received.push(one)
      reply(response, one, received.length)
    })
  }
  const server = createServer(onRequest)
  server.on('connection', () => {
    connections += 1
  })
  onTestFinished(async () => {
    for (const one of received) await requireExpected(one, expected)
  })
  return {
    url: `http://127.0.0.1:${await listenInTest(server)}`,
    received,
    connections: () => connections,
    expects: (subscription) => void expected.push(subscription),
  }
}

/** Throws unless the request is what one of the subscriptions to its path sends. */
async function requireExpected(request: Received, expected: readonly Expected[]): Promise<void> {
  const here = expected.filter(({ url }) => url !== null && pathOf(url) === request.path)
  if (here.length === 0)
    throw new Error(`${request.path} got a delivery of an unknown subscription: call receiver.expects(subscription).`)
  const refusals: unknown[] = []
  for (const subscription of here) {
    const refusal = await requireVerified(request, subscription).then(
      () => undefined,
      (fault: unknown) => fault,
    )
    if (refusal === undefined) return
    refusals.push(refusal)
  }
  throw new AggregateError(refusals, `A delivery to ${request.path} was not verified: ${refusals.join(' ')}`)
}

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url)
  return pathname + search
}
