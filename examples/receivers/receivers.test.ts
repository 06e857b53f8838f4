import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWebhookHandler } from '@service/webhooks/express'
import { fixtures, signedDelivery, testSecret } from '@service/webhooks/testing'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp as createExpress } from './express.ts'
import { createApp as createFastify } from './fastify.ts'
import { createApp as createHono } from './hono.ts'
import { createLambda } from './lambda.ts'
import { createRoute } from './next.ts'
import type { Receiver } from './receiver.ts'

const { title } = fixtures['ticket.created'].ticket

function start() {
  const onTicket = vi.fn()
  const on: Receiver['on'] = { 'ticket.created': ({ payload }) => onTicket(payload.ticket.title) }
  return { receiver: { secret: testSecret, on }, onTicket }
}

type Send = (request: Request) => Response | Promise<Response>

/** Sends requests to an app on a port. */
async function listen(app: RequestListener): Promise<Send> {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a listening TCP server has an address
  return async (request) => {
    const { pathname } = new URL(request.url)
    const { method, headers } = request
    return fetch(`http://127.0.0.1:${port}${pathname}`, { method, headers, body: await request.arrayBuffer() })
  }
}

/** Sends requests to Fastify without a port. */
function inject(app: ReturnType<typeof createFastify>): Send {
  onTestFinished(() => app.close())
  return async (request) => {
    const headers = Object.fromEntries(request.headers)
    const payload = Buffer.from(await request.arrayBuffer())
    const { statusCode, body } = await app.inject({ method: 'POST', url: request.url, headers, payload })
    return new Response(statusCode === 204 ? null : body, { status: statusCode })
  }
}

async function signed(changed = false): Promise<Request> {
  const { headers, body } = await signedDelivery('ticket.created')
  const bytes = Buffer.from(changed ? Buffer.from(body).toString().replace('"', ' "') : body)
  return new Request('http://app.test/webhooks', { method: 'POST', headers, body: bytes })
}

const apps: Record<string, (receiver: Receiver) => Send | Promise<Send>> = {
  Express: (receiver) => listen(createExpress(receiver)),
  Fastify: (receiver) => inject(createFastify(receiver)),
  Hono: (receiver) => createHono(receiver).fetch,
  Next: createRoute,
}

test.each(Object.entries(apps))(
  'a receiver in %s handles signed events and refuses changed ones',
  async (_, create) => {
    const { receiver, onTicket } = start()
    const send = await create(receiver)
    expect((await send(await signed())).status).toBe(204)
    expect((await send(await signed(true))).status).toBe(401)
    expect(onTicket).toHaveBeenCalledExactlyOnceWith(title)
  },
)

test.each(['Express', 'Fastify', 'Hono'])('other routes in %s still parse JSON', async (name) => {
  const send = await apps[name]?.(start().receiver)
  const headers = { 'content-type': 'application/json' }
  const order = new Request('http://app.test/orders', { method: 'POST', headers, body: '{"id":7}' })
  expect(await (await send?.(order))?.json()).toEqual({ id: 7 })
})

test('a handler after a parser reports the mistake', async () => {
  const app = express()
  app.use(express.json())
  app.post('/webhooks', createWebhookHandler({ secret: testSecret, on: {} }))
  const response = await (await listen(app))(await signed())
  expect(response.status).toBe(500)
  expect(await response.text()).toContain('body_consumed')
})

test.each([false, true])('a Lambda verifies the body, base64: %s', async (isBase64Encoded) => {
  const { receiver, onTicket } = start()
  const { headers, body } = await signedDelivery('ticket.created')
  const bytes = Buffer.from(body)
  const sent = isBase64Encoded ? bytes.toString('base64') : bytes.toString()
  const event = { requestContext: { http: { method: 'POST' } }, headers, body: sent, isBase64Encoded }
  expect(await createLambda(receiver)(event)).toMatchObject({ statusCode: 204 })
  expect(onTicket).toHaveBeenCalledExactlyOnceWith(title)
})
