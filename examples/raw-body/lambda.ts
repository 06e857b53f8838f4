import { createWebhookHandler } from '@service/webhooks/lambda'

/** For API Gateway, function URLs, and load balancers. The handler decodes base64 bodies before it verifies them. */
export const createLambda = (secret: string, onTicket: (title: string) => void) =>
  createWebhookHandler({ secret, on: { 'ticket.created': ({ payload }) => onTicket(payload.ticket.title) } })
