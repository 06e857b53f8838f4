import { type Context, Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWebhookHandler } from '../../src/hono.ts'
import type { EventOf } from '../../src/index.ts'
import { createWebhookHandler as createAppRouterHandler } from '../../src/next.ts'
import { signedRequest, testSecret } from '../../src/testing.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { listenFetch } from './subscriber.ts'

describe('Hono', () => {
  // Its own error handler prints each error.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
  afterAll(() => void vi.restoreAllMocks())

  const serve = (configure: (app: Hono) => void) => {
    const app = new Hono()
    configure(app)
    return listenFetch(app.fetch)
  }

  itReceivesDeliveries({
    start: (options) => serve((app) => app.all('/webhooks', createWebhookHandler(options))),
    startParsed: (options) =>
      serve((app) => {
        app.use(async (context, next) => {
          await context.req.raw.json()
          await next()
        })
        app.post('/webhooks', createWebhookHandler(options))
      }),
  })

  it.each(['text', 'json', 'arrayBuffer'] as const)(
    'verifies a body that middleware read with c.req.%s()',
    async (read) => {
      const titles: string[] = []
      const app = new Hono()
      app.use(async (context, next) => {
        await context.req[read]()
        await next()
      })
      const on = { 'message.created': ({ payload }: EventOf<'message.created'>) => titles.push(payload.message.body) }
      app.post('/webhooks', createWebhookHandler({ secret: testSecret, on }))
      expect((await app.fetch(await signedRequest('message.created'))).status).toBe(204)
      expect(titles).toEqual(['Toner is here 🎉'])
    },
  )

  it('reads the secret from the bindings and passes the context to the function', async () => {
    type Env = { Bindings: { WEBHOOK_SECRET: string } }
    const paths: string[] = []
    const app = new Hono<Env>()
    app.post(
      '/webhooks',
      createWebhookHandler({
        secret: (context: Context<Env>) => context.env.WEBHOOK_SECRET,
        on: { 'task.created': (_event, context) => paths.push(context.req.path) },
      }),
    )
    const request = await signedRequest('task.created', { secret: 'bound' })
    expect((await app.fetch(request, { WEBHOOK_SECRET: 'bound' })).status).toBe(204)
    expect(paths).toEqual(['/webhooks'])
  })
})

describe('the app router of Next, whose routes are fetch handlers', () => {
  itReceivesDeliveries({
    start: (options) => listenFetch(createAppRouterHandler(options)),
    startParsed: (options) => {
      const handle = createAppRouterHandler(options)
      return listenFetch(async (request) => {
        await request.json()
        return handle(request)
      })
    },
  })
})
