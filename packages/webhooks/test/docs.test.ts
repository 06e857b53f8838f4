import 'reflect-metadata'
import type { RequestListener, Server } from 'node:http'
import { type INestApplication, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { FastifyInstance } from 'fastify'
import type Koa from 'koa'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fixtures, signedDelivery, signedRequest, testSecret } from '../src/testing.ts'
import { send } from './adapters/send.ts'
import { listen, listenWith, portOf } from './adapters/subscriber.ts'
import { type Page, pages, readExamples } from './docs/examples.ts'
import { load } from './docs/load.ts'
import { typeCheck } from './docs/type-check.ts'
import { fakeRedis } from './fake-redis.ts'
import { gate } from './gate.ts'

const page = 'docs/webhooks.md'
const notify = vi.fn()
const audit = vi.fn()
const queue = { add: vi.fn(async (..._job: unknown[]) => undefined) }
const { title } = fixtures['ticket.created'].ticket

// The names that the pages use without defining them.
beforeEach(() => {
  vi.stubEnv('WEBHOOK_SECRET', testSecret)
  vi.stubEnv('WEBHOOK_SECRET_NEW', 'new secret')
  vi.stubEnv('WEBHOOK_SECRET_OLD', testSecret)
  vi.stubGlobal('notify', notify.mockClear())
  vi.stubGlobal('audit', audit.mockClear())
  vi.stubGlobal('redis', { sendCommand: fakeRedis(() => 0).send })
  vi.stubGlobal('queue', queue)
  vi.stubGlobal('secretsByTenant', new Map([['acme', testSecret]]))
  return () => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  }
})

/** The exports of the code blocks. Each test knows which ones its block has. */
interface Exports {
  handler: (request: Request) => Promise<Response>
  receive: (request: Request, secret: string) => Promise<unknown>
}
const loadAs = async <Shape>(title: string, from: Page = page): Promise<Shape> => (await load(from, title)) as Shape // the test knows the page

describe.each(Object.keys(pages) as Page[])('%s', (name) => {
  it('contains only code that compiles', () => {
    expect(readExamples(name).length).toBeGreaterThan(2)
    expect(typeCheck(name)).toEqual([])
  })

  it('verifies in a few lines', async () => {
    const { receive } = await loadAs<Exports>('verify.ts', name)
    await receive(await signedRequest('ticket.created', { secret: 'mine' }), 'mine')
    expect(notify).toHaveBeenCalledExactlyOnceWith(title)
    await expect(receive(await signedRequest('ticket.created'), 'mine')).rejects.toMatchObject({ code: 'no_match' })
  })
})

async function deliverTo(port: number, event: 'ticket.created' | 'ticket.updated' = 'ticket.created') {
  const { headers, body } = await signedDelivery(event)
  return send({ port, headers, write: (request) => request.end(body) })
}

/** Each block exports one of these, depending on its framework. */
interface Serving {
  server: Server
  app: RequestListener & Koa & FastifyInstance
  default: RequestListener
  addWebhooks: (app: INestApplication) => unknown
}

/** Starts the server that each block exports. */
const servers: Record<string, (exports: Serving) => Promise<number>> = {
  'node.ts': ({ server }) => listenWith(server),
  'express.ts': ({ app }) => listen(app),
  'koa.ts': ({ app }) => listen(app.callback()),
  'next-pages.ts': ({ default: handle }) => listen(handle),
  async 'fastify.ts'({ app }) {
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    return portOf(app.server)
  },
  async 'nest.ts'({ addWebhooks }) {
    class EmptyModule {}
    Module({})(EmptyModule)
    const app = await NestFactory.create(EmptyModule, { logger: false })
    addWebhooks(app)
    await app.listen(0, '127.0.0.1')
    onTestFinished(() => app.close())
    return portOf(app.getHttpServer())
  },
}

describe('the example for each framework', () => {
  it.each(Object.entries(servers))('receives a delivery on a socket: %s', async (file, start) => {
    const port = await start(await loadAs<Serving>(file))
    expect(await deliverTo(port)).toMatchObject({ status: 204 })
    expect(notify).toHaveBeenCalledExactlyOnceWith(title)
  })

  it('in the README receives deliveries', async () => {
    const { app } = await loadAs<{ app: RequestListener }>('express.ts', 'README.md')
    const port = await listen(app)
    expect(await deliverTo(port)).toMatchObject({ status: 204 })
    expect(await deliverTo(port, 'ticket.updated')).toMatchObject({ status: 204 })
    expect(notify).toHaveBeenCalledExactlyOnceWith(title)
    expect(audit).toHaveBeenCalledExactlyOnceWith(fixtures['ticket.updated'].changes)
  })

  it('receives a Request: fetch.ts, next-app.ts and hono.ts', async () => {
    const { handler } = await loadAs<Exports>('fetch.ts')
    const { POST } = await loadAs<{ POST: Exports['handler'] }>('next-app.ts')
    const { app } = await loadAs<{ app: { fetch: Exports['handler'] } }>('hono.ts')
    for (const handle of [handler, POST, app.fetch]) {
      const request = await signedRequest('ticket.created', { url: 'https://receiver.example/webhooks' })
      expect((await handle(request)).status).toBe(204)
    }
    expect(notify).toHaveBeenCalledTimes(3)
  })

  it.each(['next-app.ts', 'next-pages.ts'])('is loaded by a build that has no secret: %s', async (file) => {
    vi.stubEnv('WEBHOOK_SECRET', undefined)
    await expect(loadAs(file)).resolves.toBeDefined()
    await expect(loadAs('fetch.ts')).rejects.toMatchObject({ code: 'bad_secret' })
  })

  it('handles a Lambda event', async () => {
    const { handler } = await loadAs<{ handler: (event: object) => Promise<object> }>('lambda.ts')
    const { headers, body } = await signedDelivery('ticket.created')
    expect(await handler({ httpMethod: 'POST', headers, body })).toMatchObject({ statusCode: 204 })
    expect(notify).toHaveBeenCalledExactlyOnceWith(title)
  })

  it('reads the secret of a Worker from its bindings', async () => {
    type Worker = { default: { fetch: (request: Request, env: object, execution: object) => Promise<Response> } }
    const worker = await loadAs<Worker>('cloudflare.ts')
    const request = await signedRequest('ticket.created', { secret: 'bound' })
    expect((await worker.default.fetch(request, { WEBHOOK_SECRET: 'bound' }, {})).status).toBe(204)
    expect(notify).toHaveBeenCalledExactlyOnceWith(title)
  })
})

describe('the other examples', () => {
  it('check the payload with a schema', async () => {
    const { receiveOurs } = await loadAs<{ receiveOurs: Exports['receive'] }>('schema.ts')
    const ours = await signedRequest('ticket.created')
    expect(await receiveOurs(ours, testSecret)).toMatchObject({ type: 'ticket.created' })
    const theirs = await signedRequest({ ...fixtures['ticket.created'], workspace_id: 2 })
    await expect(receiveOurs(theirs, testSecret)).rejects.toMatchObject({
      code: 'invalid_payload',
      hint: expect.stringContaining('workspace_id'),
    })
  })

  it('handle a delivery once', async () => {
    const { handler } = await loadAs<Exports>('dedupe.ts')
    // Both examples share one store, so their bodies must differ.
    const otherWorkspace = { ...fixtures['ticket.created'], workspace_id: 2 }
    for (const attempt of [1, 2]) {
      const request = await signedRequest(otherWorkspace, { deliveryId: 'the same', attempt })
      expect((await handler(request)).status).toBe(204)
    }
    expect(notify).toHaveBeenCalledOnce()
    const { response } = await loadAs<{ response: Response }>('once.ts', 'README.md')
    expect(response.status).toBe(204)
    expect(notify).toHaveBeenCalledTimes(2)
  })

  it('skip an event that arrives after a newer one', async () => {
    const { apply } = await loadAs<{ apply: (event: object) => boolean }>('order.ts')
    const event = (sequence: number) => ({ payload: fixtures['ticket.updated'], delivery: { sequence } })
    expect([1, 3, 2, 3, 4].map((sequence) => apply(event(sequence)))).toEqual([true, true, false, false, true])
  })

  it('accept both secrets during a rotation', async () => {
    const { handler } = await loadAs<Exports>('rotation.ts')
    for (const [secret, status] of [
      ['new secret', 204],
      [testSecret, 204],
      ['another', 401],
    ] as const) {
      expect((await handler(await signedRequest('ticket.created', { secret }))).status).toBe(status)
    }
  })

  it('store an event in a queue before they respond', async () => {
    const { handler } = await loadAs<Exports>('queue.ts')
    const job = ['ticket.created', fixtures['ticket.created'], { jobId: 'one' }]
    expect((await handler(await signedRequest('ticket.created', { deliveryId: 'one' }))).status).toBe(204)
    expect(queue.add).toHaveBeenCalledExactlyOnceWith(...job)
    queue.add.mockRejectedValueOnce(new Error('queue unavailable'))
    await expect(handler(await signedRequest('ticket.created'))).rejects.toThrow('queue unavailable')
  })

  it('respond in time and report later errors', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => log.mockRestore())
    const { handler } = await loadAs<Exports>('respond-within.ts')
    const work = gate()
    notify.mockImplementationOnce(work.run)
    const response = handler(await signedRequest('ticket.created'))
    await work.entered
    await vi.advanceTimersByTimeAsync(5000)
    expect((await response).status).toBe(204)
    work.fail(new Error('no disk'))
    await vi.runAllTimersAsync()
    expect(log).toHaveBeenCalledExactlyOnceWith('An acknowledged event failed:', new Error('no disk'))
  })

  it('find the secret of a tenant by the path', async () => {
    const { handler } = await loadAs<Exports>('tenants.ts')
    const request = (tenant: string) =>
      signedRequest('ticket.created', { url: `https://receiver.example/${tenant}`, secret: testSecret })
    expect((await handler(await request('acme'))).status).toBe(204)
    expect((await handler(await request('other'))).status).toBe(401)
  })

  it('test a receiver', async () => {
    type Testing = Record<'created' | 'late', () => Promise<Response>> & {
      injected: () => Promise<{ statusCode: number }>
    }
    const { created, late, injected } = await loadAs<Testing>('testing.ts')
    expect((await created()).status).toBe(204)
    expect((await late()).status).toBe(204)
    expect((await injected()).statusCode).toBe(204)
    expect(notify).toHaveBeenCalledTimes(3)
  })
})
