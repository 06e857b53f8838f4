import { H3, toNodeHandler } from 'h3'
import { describe } from 'vitest'
import { createWebhookHandler } from '../../src/index.ts'
import { itReceivesDeliveries } from './adapter-suite.ts'
import { listen } from './subscriber.ts'

describe('h3 2, the server of Nitro 3', () => {
  itReceivesDeliveries({
    start: (options) => {
      const handle = createWebhookHandler(options)
      return listen(toNodeHandler(new H3({ silent: true }).all('/webhooks', ({ req }) => handle(req))))
    },
  })
})
