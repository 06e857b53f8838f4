import { createWebhookHandler } from '@service/webhooks/next'

export const POST = createWebhookHandler({
  secret: () => process.env.WEBHOOK_SECRET ?? '',
  on: { 'ticket.created': () => undefined },
})
