import { describe, expect, it } from 'vitest'
import { createWebhookHandler } from '../../src/cloudflare.ts'
import { signedRequest } from '../../src/testing.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { listenFetch } from './subscriber.ts'

const execution = { waitUntil: () => undefined }

describe('a Cloudflare Worker', () => {
  itReceivesDeliveries({
    start: (options) => {
      const handle = createWebhookHandler(options)
      return listenFetch((request) => handle(request, {}, execution))
    },
    startParsed: (options) => {
      const handle = createWebhookHandler(options)
      return listenFetch(async (request) => {
        await request.json()
        return handle(request, {}, execution)
      })
    },
  })

  it('reads the secret from the bindings and passes the context to the function', async () => {
    const waiting: Promise<unknown>[] = []
    const handle = createWebhookHandler<{ readonly WEBHOOK_SECRET: string }>({
      secret: ({ env }) => env.WEBHOOK_SECRET,
      on: { 'task.created': (event, context) => context.execution.waitUntil(Promise.resolve(event.payload.task.id)) },
    })
    const request = await signedRequest('task.created', { secret: 'bound' })
    const response = await handle(
      request,
      { WEBHOOK_SECRET: 'bound' },
      { waitUntil: (promise) => waiting.push(promise) },
    )
    expect(response.status).toBe(204)
    expect(await Promise.all(waiting)).toEqual([7])
  })
})
