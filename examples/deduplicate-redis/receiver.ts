import { createWebhookHandler } from '@service/webhooks'
import { dedupe, type RedisClient, redisStore } from '@service/webhooks/dedupe'

/** Sends one letter for each new ticket, even if its event arrives several times and in different processes. */
export const createReceiver = (options: {
  readonly secret: string
  readonly redis: RedisClient
  readonly send: (title: string) => void | Promise<void>
}) =>
  createWebhookHandler({
    secret: options.secret,
    dedupe: dedupe({ store: redisStore(options.redis) }),
    on: { 'ticket.created': ({ payload }) => options.send(payload.ticket.title) },
  })
