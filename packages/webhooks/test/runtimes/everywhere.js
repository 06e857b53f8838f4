/**
 * Uses the built package as a subscriber would, in whatever runs this file: `node`, `node --conditions=workerd`, `bun`,
 * `deno run -A`. Prints what it saw as JSON.
 */
import process from 'node:process'
import { createWebhookHandler, sign, verify, verifySync, WebhookVerificationError } from '@service/webhooks'
import { dedupe, memoryStore } from '@service/webhooks/dedupe'
import { signedDelivery, signedRequest, testSecret } from '@service/webhooks/testing'

const messages = []
const handler = createWebhookHandler({
  secret: testSecret,
  once: dedupe({ store: memoryStore() }),
  on: { 'message.created': ({ payload }) => messages.push(payload.message.body) },
})

const deliveries = [
  { deliveryId: 'first', standard: true },
  { deliveryId: 'second', encoding: 'base64' },
  { deliveryId: 'second', encoding: 'sha256=hex', attempt: 2 },
  { deliveryId: 'third', secret: 'another' },
]
const statuses = []
for (const delivery of deliveries)
  statuses.push((await handler(await signedRequest('message.created', delivery))).status)

const delivery = await signedDelivery('task.created')
const attempt = async (run) => {
  try {
    return (await run()).type
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : error.name
  }
}

const seen = {
  statuses,
  messages,
  verify: await attempt(() => verify({ ...delivery, secret: testSecret })),
  verifySync: await attempt(() => verifySync({ ...delivery, secret: testSecret })),
  wrongSecret: await attempt(() => verify({ ...delivery, secret: 'another' })),
  longKeyAndBody: await sign({ body: new Uint8Array(200_000).fill(97), secret: 'k'.repeat(100) }),
}
process.stdout.write(JSON.stringify(seen))
