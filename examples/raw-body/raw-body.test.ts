import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWebhookHandler } from '@service/webhooks/express'
import { fixtures, signedDelivery, testSecret } from '@service/webhooks/testing'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from './express-app.ts'
import { createLambda } from './lambda.ts'

const { title } = fixtures['ticket.created'].ticket

async function listen(app: RequestListener): Promise<string> {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a listening TCP server has an address
  return `http://127.0.0.1:${port}`
}

async function deliver(url: string): Promise<Response> {
  const { headers, body } = await signedDelivery('ticket.created')
  return fetch(`${url}/webhooks`, { method: 'POST', headers, body: Buffer.from(body) })
}

test('an Express app verifies the raw body and still parses JSON on other routes', async () => {
  const onTicket = vi.fn()
  const url = await listen(createApp(testSecret, onTicket))
  expect((await deliver(url)).status).toBe(204)
  expect(onTicket).toHaveBeenCalledExactlyOnceWith(title)
  const headers = { 'content-type': 'application/json' }
  const order = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"id":7}' })
  expect(await order.json()).toEqual({ received: { id: 7 } })
})

test('a handler after a parser reports the mistake', async () => {
  const app = express()
  app.use(express.json())
  app.post('/webhooks', createWebhookHandler({ secret: testSecret, on: {} }))
  const response = await deliver(await listen(app))
  expect(response.status).toBe(500)
  expect(await response.text()).toContain('body_consumed')
})

test.each([false, true])('a Lambda verifies the body, base64: %s', async (isBase64Encoded) => {
  const onTicket = vi.fn()
  const { headers, body } = await signedDelivery('ticket.created')
  const bytes = Buffer.from(body)
  const sent = isBase64Encoded ? bytes.toString('base64') : bytes.toString()
  const lambda = createLambda(testSecret, onTicket)
  const event = { requestContext: { http: { method: 'POST' } }, headers, body: sent, isBase64Encoded }
  expect(await lambda(event)).toMatchObject({ statusCode: 204 })
  expect(onTicket).toHaveBeenCalledExactlyOnceWith(title)
})
