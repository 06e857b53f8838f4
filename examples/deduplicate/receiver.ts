import type { DatabaseSync } from 'node:sqlite'
import { createWebhookHandler } from '@service/webhooks'
import { dedupe, sqliteStore } from '@service/webhooks/dedupe'

/** Sends one letter for each new ticket, even if its event arrives several times. */
export const createReceiver = (options: {
  readonly secret: string
  readonly database: DatabaseSync
  readonly send: (title: string) => void
}) =>
  createWebhookHandler({
    secret: options.secret,
    dedupe: dedupe({ store: sqliteStore(options.database) }),
    on: { 'ticket.created': ({ payload }) => options.send(payload.ticket.title) },
  })
