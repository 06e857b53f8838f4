import { createWebhookPlugin } from '@service/webhooks/fastify'
import fastify, { type FastifyInstance } from 'fastify'
import type { Receiver } from './receiver.ts'

/** The plugin reads the raw body of its route. Other routes still parse JSON. */
export function createApp({ secret, on }: Receiver): FastifyInstance {
  const app = fastify()
  app.register(createWebhookPlugin({ path: '/webhooks', secret, on }))
  app.post('/orders', async (request) => request.body)
  return app
}
