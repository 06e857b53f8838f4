// Runs examples/queue-cloudflare in workerd with a real queue. The first attempt to handle the message fails.
// Usage: node cloudflare-queue.mjs <folder with miniflare> <bundled worker>
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { signedDelivery } from '@service/webhooks/testing'

const [tools, bundle] = process.argv.slice(2)
const { Miniflare, Response } = createRequire(`${tools}/package.json`)('miniflare')

const notified = []
const { promise: done, resolve } = Promise.withResolvers()
const worker = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(bundle, 'utf8') }],
  compatibilityDate: '2026-01-01',
  bindings: { WEBHOOK_SECRET: 'a secret', NOTIFY_URL: 'https://api.test/notify' },
  queueProducers: { EVENTS: 'webhooks' },
  queueConsumers: { webhooks: { maxBatchTimeout: 0, maxRetries: 3 } },
  async outboundService(request) {
    notified.push(await request.text())
    if (notified.length === 2) resolve()
    return new Response(null, { status: notified.length === 1 ? 503 : 200 })
  },
})
const { headers, body } = await signedDelivery('ticket.created', { secret: 'a secret' })
const { status } = await worker.dispatchFetch('https://worker.example/webhooks', { method: 'POST', headers, body })
await done
process.stdout.write(JSON.stringify({ status, notified }))
await worker.dispose()
