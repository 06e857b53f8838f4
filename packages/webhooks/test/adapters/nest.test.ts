import 'reflect-metadata'
import { Controller, HttpCode, type LoggerService, Module, Post, Req, UseFilters, UseGuards } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WebhookEvent } from '../../src/index.ts'
import { createWebhookGuard, createWebhookHandler } from '../../src/nest.ts'
import { signedDelivery, testSecret } from '../../src/testing.ts'
import { load } from '../docs/load.ts'
import { itReceivesDeliveries, type SuiteOptions } from './adapter-suite.ts'
import { send } from './send.ts'
import { portOf } from './subscriber.ts'

class EmptyModule {}
Module({})(EmptyModule)

interface Serving {
  readonly module?: object
  readonly rawBody?: boolean
  readonly logger?: LoggerService
  readonly configure?: (app: NestExpressApplication) => unknown
}

async function serve({ module = EmptyModule, rawBody = false, logger, configure }: Serving): Promise<number> {
  const app = await NestFactory.create<NestExpressApplication>(module, { rawBody, logger: logger ?? false })
  await configure?.(app)
  await app.listen(0, '127.0.0.1')
  onTestFinished(() => app.close())
  return portOf(app.getHttpServer())
}

/** A controller as in an application. The decorators are called, because the test compiler does not support them. */
function guarded(received: (WebhookEvent | undefined)[], ...others: MethodDecorator[]) {
  class WebhooksController {
    receive({ webhookEvent }: { webhookEvent?: WebhookEvent }) {
      received.push(webhookEvent)
    }
  }
  const method = Object.getOwnPropertyDescriptor(WebhooksController.prototype, 'receive') ?? {}
  const decorators = [Post(), HttpCode(204), UseGuards(createWebhookGuard({ secret: testSecret })), ...others]
  for (const decorate of decorators) decorate(WebhooksController.prototype, 'receive', method)
  Req()(WebhooksController.prototype, 'receive', 0)
  Controller('webhooks')(WebhooksController)
  class GuardedModule {}
  Module({ controllers: [WebhooksController] })(GuardedModule)
  return GuardedModule
}

describe('NestJS with the handler as middleware', () => {
  const mount = (options: SuiteOptions) => (app: NestExpressApplication) =>
    app.use('/webhooks', createWebhookHandler(options))

  itReceivesDeliveries({
    start: (options) => serve({ configure: mount(options) }),
    startParsed: (options) =>
      serve({
        configure: (app) => {
          app.useBodyParser('json')
          mount(options)(app)
        },
      }),
  })
})

describe('NestJS with the guard', () => {
  it('passes the verified event to the controller', async () => {
    const received: (WebhookEvent | undefined)[] = []
    const port = await serve({ module: guarded(received), rawBody: true })
    const { headers, body } = await signedDelivery('message.created')
    expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 204 })
    expect(received).toMatchObject([{ type: 'message.created', payload: { message: { body: 'Toner is here 🎉' } } }])
  })

  it('accepts the largest delivery with the parser of docs/webhooks.md', async () => {
    const { acceptLargeBodies } = await load('docs/webhooks.md', 'nest-guard.ts')
    const configure = acceptLargeBodies as (app: NestExpressApplication) => unknown // as on the page
    const port = await serve({ module: guarded([]), rawBody: true, configure })
    const rawBody = JSON.stringify({ event: 'message.created', text: 'a'.repeat(1_000_000) })
    const { headers, body } = await signedDelivery('message.created', { rawBody })
    expect(await send({ port, headers, write: (request) => request.end(body) })).toMatchObject({ status: 204 })
  })

  it.each([
    ['a wrong signature', { 'x-service-signature': '0'.repeat(64) }, 401],
    ['no signature', { 'x-service-signature': undefined }, 401],
    ['another event name', { 'x-service-event': 'task.created' }, 400],
  ])('responds to %s with its status and does not call the controller', async (_name, headers, status) => {
    const received: (WebhookEvent | undefined)[] = []
    const port = await serve({ module: guarded(received), rawBody: true })
    const delivery = await signedDelivery('message.created', { headers })
    const answer = await send({ port, headers: delivery.headers, write: (request) => request.end(delivery.body) })
    expect(answer.status).toBe(status)
    expect(received).toEqual([])
  })

  it('reports that the application does not keep raw bodies', async () => {
    const port = await serve({ module: guarded([]) })
    const { headers, body } = await signedDelivery('message.created')
    const answer = await send({ port, headers, write: (request) => request.end(body) })
    expect(answer.status).toBe(500)
    expect(answer.body).toContain('body_consumed')
  })

  it('logs a wrong configuration, but no refusal, with the filter of docs/webhooks.md', async () => {
    const { WebhookRefusals } = await load('docs/webhooks.md', 'nest-refusals.ts')
    const module = guarded([], UseFilters(WebhookRefusals as () => void)) // the class that the page exports
    const { headers, body } = await signedDelivery('message.created', { headers: { 'x-service-signature': '0' } })
    const error = vi.fn()
    const statusWith = async (rawBody: boolean) => {
      const logger = { log: () => undefined, warn: () => undefined, error }
      const port = await serve({ module, rawBody, logger })
      return (await send({ port, headers, write: (request) => request.end(body) })).status
    }
    expect([await statusWith(true), error.mock.calls.length]).toEqual([401, 0])
    expect([await statusWith(false), error.mock.calls.length]).toEqual([500, 1])
  })

  it.each([
    [{ secret: '' }, 'bad_secret'],
    [{ secret: testSecret, maxBodyBytes: Number.NaN }, 'maxBodyBytes'],
    [{ secret: testSecret, requireTimeStamp: true }, 'did you mean requireTimestamp?'],
  ])('throws when created with %o', (options, message) => {
    expect(() => createWebhookGuard(options)).toThrow(message)
  })
})
