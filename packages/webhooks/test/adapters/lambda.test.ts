import { describe, expect, it, vi } from 'vitest'
import { createWebhookHandler, type LambdaEvent } from '../../src/lambda.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { itReceivesDeliveries, type SuiteOptions } from './adapter-suite.ts'
import { listen } from './subscriber.ts'

interface Call {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** The events of the services that invoke a function, as in their documentation. */
const sources: Record<string, (call: Call) => LambdaEvent> = {
  'API Gateway, REST': ({ method, headers, body }) => ({
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: body.toString(),
    isBase64Encoded: false,
  }),
  'API Gateway, HTTP': ({ method, headers, body }) => ({
    requestContext: { http: { method } },
    headers,
    body: body.toString(),
    isBase64Encoded: false,
  }),
  'a function URL, in base64': ({ method, headers, body }) => ({
    requestContext: { http: { method } },
    headers,
    body: body.toString('base64'),
    isBase64Encoded: true,
  }),
  'a load balancer with lists of headers': ({ method, headers, body }) => ({
    httpMethod: method,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: body.toString('base64'),
    isBase64Encoded: true,
  }),
}

async function call(overrides: Parameters<typeof signedDelivery>[1] = {}): Promise<Call> {
  const { headers, body } = await signedDelivery('message.created', overrides)
  return { method: 'POST', headers, body: Buffer.from(body) }
}

describe.each(Object.entries(sources))('Lambda behind %s', (_name, toEvent) => {
  const start = () => {
    const messages: string[] = []
    const handler = createWebhookHandler({
      secret: testSecret,
      on: { 'message.created': ({ payload }) => messages.push(payload.message.body) },
    })
    return { messages, handler }
  }

  it('verifies a body with an emoji', async () => {
    const { handler, messages } = start()
    const event = toEvent(await call())
    const headers = event.headers ? { headers: {} } : { multiValueHeaders: {} }
    expect(await handler(event)).toEqual({ statusCode: 204, ...headers, body: '' })
    expect(messages).toEqual(['Toner is here 🎉'])
  })

  it('refuses a wrong signature, a wrong method, and a body that is too large', async () => {
    const { handler } = start()
    const forged = await handler(toEvent(await call({ headers: { 'x-service-signature': '0'.repeat(64) } })))
    expect(forged.statusCode).toBe(401)
    const type = forged.headers?.['content-type'] ?? forged.multiValueHeaders?.['content-type']
    expect([type].flat()).toEqual(['application/json'])
    expect(await handler(toEvent({ ...(await call()), method: 'GET' }))).toMatchObject({ statusCode: 405 })
    const large = await call({ rawBody: new Uint8Array(1_048_577) })
    expect(await handler(toEvent(large))).toMatchObject({ statusCode: 413 })
  })
})

it('refuses events without a body, headers, or both', async () => {
  const handler = createWebhookHandler({ secret: testSecret, on: {} })
  const { headers } = await call()
  expect(await handler({ httpMethod: 'POST', headers, body: null })).toMatchObject({ statusCode: 401 })
  expect(await handler({ httpMethod: 'POST', headers: null })).toMatchObject({ statusCode: 415 })
  expect(await handler({})).toMatchObject({ statusCode: 405 })
})

it('passes the event to the function, and what it throws to the runtime as an error', async () => {
  const handler = createWebhookHandler({
    secret: testSecret,
    on: { 'message.created': (_event, { requestContext }: LambdaEvent) => Promise.reject(requestContext) },
  })
  const { headers, body } = await call()
  const requestContext = { http: { method: 'POST' } }
  await expect(handler({ requestContext, headers, body: body.toString() })).rejects.toMatchObject({
    errors: [requestContext],
  })
})

it('reports a body that middleware has parsed', async () => {
  const onRefused = vi.fn()
  const handler = createWebhookHandler({ secret: testSecret, on: {}, onRefused })
  const { headers, body } = await call()
  const parsed = { httpMethod: 'POST', headers, body: JSON.parse(body.toString()) }
  for (const event of [parsed, { ...parsed, isBase64Encoded: true }]) {
    const { statusCode, body } = await handler(event)
    expect([statusCode, JSON.parse(body)]).toEqual([500, { code: 'body_parsed', hint: 'pass the raw body' }])
  }
  expect(onRefused.mock.calls.map(([error]) => error.code)).toEqual(['body_parsed', 'body_parsed'])
})

it.each([{ respondWithin: '5s' }, { onError: () => undefined }, { waitUntil: () => undefined }])(
  'throws when created with %o, because Lambda stops after the response',
  (options) => {
    const create = () => createWebhookHandler({ secret: testSecret, on: {}, ...options })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(
      `unknown option ${Object.keys(options)[0]}; known: secret, toleranceSeconds, requireTimestamp, maxBodyBytes, schema, now, on, dedupe, bodyTimeoutMs, onRefused`,
    )
  },
)

/** A minimal gateway: reads the whole body before it invokes the function, and responds with 500 if that fails. */
function gateway(options: SuiteOptions) {
  const handler = createWebhookHandler(options)
  return listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('base64')
    const headers = request.headers as Record<string, string> // the suite sends each header once
    const event = { requestContext: { http: { method: request.method ?? '' } }, headers, body, isBase64Encoded: true }
    const result = await handler(event).catch(() => ({ statusCode: 500, headers: {}, body: '' }))
    response.writeHead(result.statusCode, result.headers).end(result.body)
  })
}

describe('Lambda behind a socket', () => {
  itReceivesDeliveries({ start: gateway, hasWholeBody: true })
})
