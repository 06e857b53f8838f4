import { createRequire } from 'node:module'
import express5, { type Express } from 'express'
import { describe, expect, it } from 'vitest'
import { createWebhookHandler } from '../../src/express.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { send } from './send.ts'
import { listen } from './subscriber.ts'

// Version 4 has no types, but this part of the API is the same in both.
const express4: typeof express5 = createRequire(import.meta.url)('express-4')

const versions = [
  { version: 'Express 5', express: express5 },
  { version: 'Express 4', express: express4 },
]

describe.each(versions)('$version', ({ express }) => {
  const serve = (configure: (app: Express) => void) => {
    const app = express()
    configure(app)
    return listen(app)
  }

  itReceivesDeliveries({
    start: (options) => serve((app) => app.all('/webhooks', createWebhookHandler(options))),
    startParsed: (options) =>
      serve((app) => {
        app.use(express.json())
        app.post('/webhooks', createWebhookHandler(options))
      }),
  })

  it.each([
    ['express.raw has left the bytes in the body', express.raw({ type: '*/*' })],
    ['express.text has left the text in the body', express.text({ type: '*/*' })],
    [
      'express.json has kept the raw body',
      express.json({ limit: '1mb', verify: (request, _response, rawBody) => Object.assign(request, { rawBody }) }),
    ],
    ['express.json passes over the content type', express.json({ type: 'application/vnd.other' })],
  ])('verifies when %s', async (_name, parser) => {
    const bodies: string[] = []
    const port = await serve((app) => {
      app.use(parser)
      app.post(
        '/webhooks',
        createWebhookHandler({
          secret: testSecret,
          on: { 'message.created': ({ payload }) => bodies.push(payload.message.body) },
        }),
      )
    })
    const { headers, body } = await signedDelivery('message.created')
    expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 204 })
    expect(bodies).toEqual(['Toner is here 🎉'])
  })

  it('looks up the secret by path and passes the request to the function', async () => {
    const paths: string[] = []
    const port = await serve((app) =>
      app.post(
        '/:tenant',
        createWebhookHandler({
          secret: (request: express5.Request) => `secret of ${String(request.params['tenant'])}`,
          on: { 'task.created': (_event, request) => paths.push(request.path) },
        }),
      ),
    )
    const { headers, body } = await signedDelivery('task.created', { secret: 'secret of webhooks' })
    expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 204 })
    expect(paths).toEqual(['/webhooks'])
  })
})
