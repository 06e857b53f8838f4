import { createWebhookHandler } from '@service/webhooks/express'
import express, { type Express } from 'express'
import type { Receiver } from './receiver.ts'

/** The webhook handler comes before the parser, which would consume the raw body. */
export function createApp({ secret, on }: Receiver): Express {
  const app = express()
  app.post('/webhooks', createWebhookHandler({ secret, on }))
  app.use(express.json())
  app.post('/orders', (request, response) => {
    response.json(request.body)
  })
  return app
}
