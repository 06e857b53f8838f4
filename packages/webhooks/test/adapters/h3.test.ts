import { H3, toNodeHandler } from 'h3'
import { createApp, fromWebHandler, toNodeListener } from 'h3-1'
import { afterAll, beforeAll, describe, vi } from 'vitest'
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

describe('h3 1, the server of Nitro 2', () => {
  // It prints each error.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
  afterAll(() => void vi.restoreAllMocks())

  itReceivesDeliveries({
    start: (options) => {
      const app = createApp().use('/webhooks', fromWebHandler(createWebhookHandler(options)))
      return listen((request, response) => void toNodeListener(app)(request, response))
    },
  })
})
