import { createWebhookHandler } from '@service/webhooks/express'
import express, { type Express } from 'express'

/** An app with other JSON routes. The webhook handler comes before the parser, which would consume the body. */
export function createApp(secret: string, onTicket: (title: string) => void): Express {
  const app = express()
  app.post(
    '/webhooks',
    createWebhookHandler({ secret, on: { 'ticket.created': ({ payload }) => onTicket(payload.ticket.title) } }),
  )
  app.use(express.json())
  app.post('/orders', (request, response) => {
    response.json({ received: request.body })
  })
  return app
}
