import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebhookHandler, createWebhookPlugin } from '../../src/fastify.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { send } from './send.ts'
import { portOf } from './subscriber.ts'

async function serve(configure: (app: FastifyInstance) => unknown): Promise<number> {
  const app = Fastify({ forceCloseConnections: true })
  await configure(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return portOf(app.server)
}

describe('Fastify', () => {
  itReceivesDeliveries({
    start: (options) => serve((app) => app.register(createWebhookPlugin({ ...options, path: '/webhooks' }))),
    startParsed: (options) => serve((app) => app.post('/webhooks', createWebhookHandler(options))),
  })

  it('does not change the parsing of other routes', async () => {
    const app = Fastify()
    await app.register(createWebhookPlugin({ secret: testSecret, on: {}, path: '/webhooks' }))
    app.post('/other', ({ body }) => ({ received: body }))
    const response = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
    expect(response.json()).toEqual({ received: { a: 1 } })
  })

  it('responds to an injected request', async () => {
    const app = Fastify()
    const urls: string[] = []
    await app.register(
      createWebhookPlugin({
        secret: testSecret,
        path: '/webhooks',
        on: { 'task.created': (_event, request: FastifyRequest) => urls.push(request.url) },
      }),
    )
    const { headers, body } = await signedDelivery('task.created')
    const response = await app.inject({ method: 'POST', url: '/webhooks', headers, payload: Buffer.from(body) })
    expect(response.statusCode).toBe(204)
    expect(urls).toEqual(['/webhooks'])
  })

  it.each([
    ['text', (body: string) => [body.slice(0, 9), '', body.slice(9)], 204],
    ['objects', (body: string) => [{ body }], 500],
  ])('reads a stream of %s that a hook put in place of the request', async (_name, chunksOf, statusCode) => {
    const app = Fastify()
    const { headers, body } = await signedDelivery('message.created')
    app.addHook('preParsing', async () => Readable.from(chunksOf(String(body))))
    await app.register(createWebhookPlugin({ secret: testSecret, on: {}, path: '/webhooks' }))
    const response = await app.inject({ method: 'POST', url: '/webhooks', headers, payload: 'replaced' })
    expect(response.statusCode).toBe(statusCode)
    if (statusCode === 500) expect(response.json()).toMatchObject({ code: 'body_parsed' })
  })

  it('names the plugin if the handler is registered, and the reverse', async () => {
    const options = { secret: testSecret, on: {} }
    const app = Fastify()
    app.register(createWebhookHandler(options) as never)
    await expect(app.ready()).rejects.toThrow('to register a plugin, use createWebhookPlugin')
    const plugin = createWebhookPlugin({ ...options, path: '/webhooks' })
    const response = await Fastify()
      .post('/webhooks', plugin as never)
      .inject({ method: 'POST', url: '/webhooks' })
    expect(response.json()).toMatchObject({
      statusCode: 500,
      message: 'register the plugin, or use createWebhookHandler',
    })
  })

  it('accepts a path only as an option of the plugin', () => {
    const options = { secret: testSecret, on: {}, path: '/webhooks' }
    expect(() => createWebhookHandler(options)).toThrow(/^unknown option path; known: (?!.*path)/)
    expect(() => createWebhookPlugin({ ...options, pat: 1 } as never)).toThrow(
      /^unknown option pat, did you mean path\?/,
    )
    expect(() => createWebhookPlugin({ ...options, path: 5 } as never)).toThrow('option path must be a string')
  })

  it('verifies in a custom route whose parser keeps the bytes', async () => {
    const port = await serve((app) => {
      app.removeContentTypeParser('application/json')
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      app.post('/webhooks', createWebhookHandler({ secret: testSecret, on: {} }))
    })
    const { headers, body } = await signedDelivery('message.created')
    expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 204 })
  })
})
