import { createWebhookHandler } from '@service/webhooks/lambda'

/** Behind API Gateway, a function URL or a load balancer. Bodies in base64 are decoded before they are verified. */
export const createLambda = (secret: string, onTicket: (title: string) => void) =>
  createWebhookHandler({ secret, on: { 'ticket.created': ({ payload }) => onTicket(payload.ticket.title) } })
