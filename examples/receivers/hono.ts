import { createWebhookHandler } from '@service/webhooks/hono'
import { Hono } from 'hono'
import type { Receiver } from './receiver.ts'

/** Middleware that reads the body comes after the webhook handler. */
export function createApp({ secret, on }: Receiver): Hono {
  const app = new Hono()
  app.post('/webhooks', createWebhookHandler({ secret, on }))
  app.post('/orders', async (context) => context.json(await context.req.json()))
  return app
}
