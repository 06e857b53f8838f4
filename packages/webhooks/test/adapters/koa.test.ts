import Koa, { type Middleware } from 'koa'
import { describe, expect, it } from 'vitest'
import { createWebhookHandler } from '../../src/koa.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { send } from './send.ts'
import { listen } from './subscriber.ts'

function serve(...middlewares: Middleware[]): Promise<number> {
  const app = new Koa()
  app.silent = true
  for (const middleware of middlewares) app.use(middleware)
  return listen(app.callback())
}

/** Works like koa-bodyparser: reads the stream and stores both forms on Koa's request. */
const parse =
  (keepRaw: boolean): Middleware =>
  async (context, next) => {
    const chunks: Buffer[] = []
    for await (const chunk of context.req) chunks.push(chunk)
    const rawBody = Buffer.concat(chunks).toString()
    Object.assign(context.request, { body: JSON.parse(rawBody), ...(keepRaw && { rawBody }) })
    await next()
  }

describe('Koa', () => {
  itReceivesDeliveries({
    start: (options) => serve(createWebhookHandler(options)),
    startParsed: (options) => serve(parse(false), createWebhookHandler(options)),
  })

  it('uses the raw body that a parser kept', async () => {
    const port = await serve(parse(true), createWebhookHandler({ secret: testSecret, on: {} }))
    const { headers, body } = await signedDelivery('message.created')
    expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 204 })
  })
})
