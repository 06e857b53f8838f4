import { createWebhookHandler } from '@service/webhooks/express'
import express, { type Express } from 'express'

/** An app whose other routes take JSON. The handler stands before the parser, which would consume the body. */
export function createApp(secret: string, onTicket: (title: string) => void): Express {
  const app = express()
  app.post(
    '/webhooks',
    createWebhookHandler({ secret, on: { 'ticket.created': ({ payload }) => onTicket(payload.ticket.title) } }),
  )
  app.use(express.json())
  app.post('/orders', (request, response) => {
    response.json({ taken: request.body })
  })
  return app
}
