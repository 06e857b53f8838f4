import { GoneException } from '@nestjs/common'
import { HTTPException } from 'hono/http-exception'
import { expect, it } from 'vitest'
import type { EventOf } from '../../src/index.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { type Sending, send } from './send.ts'

/** The options that every adapter is started with. The suite ignores `Context`, which differs by adapter. */
export interface SuiteOptions {
  readonly secret: string[]
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
  readonly on: {
    readonly 'message.created': (event: EventOf<'message.created'>) => unknown
    readonly 'task.created': () => unknown
    readonly 'task.updated': () => unknown
    readonly 'ticket.created': () => unknown
  }
}

export interface Subscriber {
  /** Starts the framework with the route `/webhooks` and returns its port. */
  readonly start: (options: SuiteOptions) => Promise<number>
  /** Starts it with the framework's own body parser before the handler. */
  readonly startParsed?: (options: SuiteOptions) => Promise<number>
  /** A gateway calls the handler only with a complete body, so the tests of slow and endless bodies are skipped. */
  readonly hasWholeBody?: boolean
}

const retryAfter = { 'retry-after': '86400' }

/** From each of these, one of the frameworks would take its response. Koa would fail to set the status of the last one. */
const withResponses: [string, () => unknown][] = [
  ['an error with a status', () => Object.assign(new Error('gone'), { status: 410 })],
  [
    'an error with a statusCode and headers',
    () => Object.assign(new Error('not found'), { statusCode: 404, headers: retryAfter }),
  ],
  ['an error with headers', () => Object.assign(new Error('busy'), { headers: retryAfter })],
  ['an error whose cause has a status', () => new Error('no CRM', { cause: { status: 204, headers: retryAfter } })],
  ['an error with toResponse', () => Object.assign(new Error('gone'), { toResponse: () => new Response(null) })],
  ['an error with getResponse', () => Object.assign(new Error('moved'), { getResponse: () => new Response(null) })],
  ['an exception of Hono', () => new HTTPException(410)],
  ['an exception of Nest', () => new GoneException()],
  ['a Response', () => new Response(null, { status: 202 })],
  ['an object with a status', () => ({ status: 410, headers: retryAfter })],
  ['the name of another route', () => 'route'],
  ['a frozen error', () => Object.freeze(new Error('no CRM'))],
]

/** Tests the behavior that all frameworks share, over a real socket. */
export function itReceivesDeliveries({ start, startParsed, hasWholeBody = false }: Subscriber): void {
  async function open(
    startServer = start,
    { bodyTimeoutMs = 30_000, thrown }: { bodyTimeoutMs?: number; thrown?: unknown } = {},
  ) {
    const messages: string[] = []
    const port = await startServer({
      secret: ['new secret', testSecret],
      maxBodyBytes: 10_000,
      bodyTimeoutMs,
      on: {
        'message.created': ({ payload }) => messages.push(payload.message.body),
        'task.created': () => Promise.reject(new Error('the handler failed')),
        // Some libraries reject without a value, which frameworks treat as no error.
        'task.updated': () => Promise.reject(undefined),
        'ticket.created': () => Promise.reject(thrown),
      },
    })
    const { headers, body } = await signedDelivery('message.created')
    const deliver = (change: { headers?: Record<string, string>; method?: string } = {}, write = whole(body)) =>
      send({ port, ...change, headers: { ...headers, ...change.headers }, write })
    return { port, messages, headers, body: Buffer.from(body), deliver }
  }

  const whole =
    (body: string | Uint8Array): Sending['write'] =>
    (request) =>
      request.end(body)

  it('verifies a delivery, runs the function, and responds with 204', async () => {
    const { deliver, messages } = await open()
    expect(await deliver()).toMatchObject({ status: 204, body: '' })
    expect(messages).toEqual(['Toner is here 🎉'])
  })

  it('joins chunks as bytes, so that a character may span two chunks', async () => {
    const { deliver, messages, body } = await open()
    const middle = body.indexOf(Buffer.from('🎉')) + 2
    const answer = await deliver({}, async (request) => {
      await new Promise<void>((resolve) => request.write(body.subarray(0, middle), () => resolve()))
      await new Promise((resolve) => setImmediate(resolve))
      request.end(body.subarray(middle))
    })
    expect(answer.status).toBe(204)
    expect(messages).toEqual(['Toner is here 🎉'])
  })

  it('responds with 401 to a wrong signature without running the function', async () => {
    const { deliver, messages } = await open()
    const answer = await deliver({ headers: { 'x-service-signature': '0'.repeat(64) } })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'no_match' })
    expect(answer.headers['content-type']).toMatch('application/json')
    expect(messages).toEqual([])
  })

  it.each(['new secret', testSecret])('accepts each of its secrets', async (secret) => {
    const { port } = await open()
    const { headers, body } = await signedDelivery('message.created', { secret })
    expect(await send({ port, headers, write: whole(body) })).toMatchObject({ status: 204 })
  })

  it.each([
    ['a known event', 'project.updated'],
    ['a future event', { event: 'ticket.merged' }],
  ] as const)('responds with 204 to an event without a function: %s', async (_name, event) => {
    const { port, messages } = await open()
    const { headers, body } = await signedDelivery(event)
    expect(await send({ port, headers, write: whole(body) })).toMatchObject({ status: 204 })
    expect(messages).toEqual([])
  })

  it('responds with 401 if the signature header is missing', async () => {
    const { port, body } = await open()
    const answer = await send({ port, headers: { 'content-type': 'application/json' }, write: whole(body) })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'missing_signature' })
  })

  it('responds with 415 to another content type, and closes the connection, because the body is unread', async () => {
    const { deliver } = await open()
    const answer = await deliver({ headers: { 'content-type': 'text/plain' } })
    expect(answer).toMatchObject({ status: 415, headers: { connection: 'close' } })
  })

  it('responds with 415 if the content type is missing, and accepts any case and a charset', async () => {
    const { port, headers, body, deliver } = await open()
    const { 'content-type': _left, ...without } = headers
    expect(await send({ port, headers: without, write: whole(body) })).toMatchObject({ status: 415 })
    const charset = { 'content-type': 'Application/JSON; charset=utf-8' }
    expect(await deliver({ headers: charset })).toMatchObject({ status: 204 })
  })

  it.each(['GET', 'HEAD', 'DELETE'])('responds with 405 to %s', async (method) => {
    const { port, messages } = await open()
    const answer = await send({ port, method, headers: {}, write: (request) => request.end() })
    expect(answer.status).toBe(405)
    expect(messages).toEqual([])
  })

  it('responds with 405 to PUT with a body', async () => {
    const { deliver, messages } = await open()
    expect(await deliver({ method: 'PUT' })).toMatchObject({ status: 405 })
    expect(messages).toEqual([])
  })

  it('responds with 400 to a signed body that is not JSON', async () => {
    const { port } = await open()
    const { headers, body } = await signedDelivery('message.created', { rawBody: new Uint8Array([0x22, 0xff, 0x22]) })
    const answer = await send({ port, headers, write: whole(body) })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_json' })
  })

  it('answers 413 to a body that is too large', async () => {
    const { deliver } = await open()
    expect(await deliver({}, whole(Buffer.alloc(10_001)))).toMatchObject({ status: 413 })
  })

  it.each([
    ['an error', 'task.created'],
    ['a rejection with nothing', 'task.updated'],
  ] as const)('leaves %s of the function to the framework, which answers 500', async (_name, event) => {
    const { port } = await open()
    const { headers, body } = await signedDelivery(event)
    const answer = await send({ port, headers, write: whole(body) })
    expect(answer.status).toBe(500)
  })

  it.each(withResponses)('responds with 500 and no thrown header if the function throws %s', async (_name, create) => {
    const { port } = await open(start, { thrown: create() })
    const { headers, body } = await signedDelivery('ticket.created')
    const answer = await send({ port, headers, write: whole(body) })
    expect([answer.status, answer.headers['retry-after']]).toEqual([500, undefined])
  })

  if (!hasWholeBody) {
    it('responds with 413 to a declared length above the limit, without waiting for the body', async () => {
      const { deliver } = await open()
      const answer = await deliver({ headers: { 'content-length': '10001' } }, (request) => request.flushHeaders())
      expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
    })

    it('responds with 413 to an endless body while it is being sent, and closes the connection', async () => {
      const { deliver } = await open()
      const answer = await deliver({ headers: { 'transfer-encoding': 'chunked' } }, (request) => {
        request.write(Buffer.alloc(400_000)) // more than the server reads at once
      })
      expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
      expect(await deliver()).toMatchObject({ status: 204 })
    })

    it('responds with 408 if the body does not arrive in time, and closes the connection', async () => {
      const { deliver, body } = await open(start, { bodyTimeoutMs: 150 })
      const answer = await deliver({ headers: { 'content-length': String(body.length) } }, (request) => {
        request.write(body.subarray(0, 10))
        request.on('response', () => request.write(body.subarray(10)))
      })
      expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } })
    })
  }

  if (startParsed) {
    it('reports that a body parser ran first, without hanging', async () => {
      const { deliver, messages } = await open(startParsed)
      const answer = await deliver()
      expect(answer.status).toBe(500)
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'body_consumed' })
      expect(messages).toEqual([])
    })
  }
}
