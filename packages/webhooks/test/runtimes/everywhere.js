/** Uses the built package as a subscriber would and returns the results. Runs in every runtime. */
import { createWebhookHandler, sign, verify, verifySync, WebhookVerificationError } from '@service/webhooks'
import { createWebhookHandler as createWorker } from '@service/webhooks/cloudflare'
import { dedupe, memoryStore } from '@service/webhooks/dedupe'
import { createWebhookHandler as createHonoHandler } from '@service/webhooks/hono'
import { createWebhookHandler as createLambda } from '@service/webhooks/lambda'
import { signedDelivery, signedRequest, testSecret } from '@service/webhooks/testing'

/** @returns {Promise<Record<string, unknown>>} */
export async function collectResults() {
  const delivery = await signedDelivery('task.created')
  return {
    ...(await handleDeliveries()),
    ...(await handleWithAdapters()),
    verify: await outcome(() => verify({ ...delivery, secret: testSecret })),
    verifySync: await outcome(() => verifySync({ ...delivery, secret: testSecret })),
    wrongSecret: await outcome(() => verify({ ...delivery, secret: 'another' })),
    together: await verifyTogether(),
    late: await respondBeforeFailure(),
    secondSecret: (await verify({ ...delivery, secret: ['another', testSecret] })).delivery.secretIndex,
    longKeyAndBody: await sign({ body: new Uint8Array(200_000).fill(97), secret: 'k'.repeat(100) }),
  }
}

const outcome = async (run) => {
  try {
    return (await run()).type
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : error.name
  }
}

/** Verifies deliveries concurrently. Every second one is signed with another secret. */
async function verifyTogether() {
  const secrets = Array.from({ length: 20 }, (_none, index) => (index % 2 === 0 ? testSecret : 'another'))
  const deliveries = await Promise.all(secrets.map((secret) => signedDelivery('task.created', { secret })))
  return Promise.all(deliveries.map((delivery) => outcome(() => verify({ ...delivery, secret: testSecret }))))
}

async function handleDeliveries() {
  const messages = []
  const handler = createWebhookHandler({
    secret: testSecret,
    dedupe: dedupe({ store: memoryStore() }),
    on: { 'message.created': ({ payload }) => messages.push(payload.message.body) },
  })
  const deliveries = [
    { deliveryId: 'first', standard: true },
    { deliveryId: 'second', encoding: 'base64' },
    { deliveryId: 'second', encoding: 'sha256=hex', attempt: 2 },
    { deliveryId: 'third', secret: 'another' },
    { deliveryId: 'fourth', rawBody: new Uint8Array([0x22, 0xff, 0x22]) },
  ]
  const statuses = []
  for (const overrides of deliveries) {
    statuses.push((await handler(await signedRequest('message.created', overrides))).status)
  }
  return { statuses, messages }
}

/** Responds while the function still runs, and reports its later failure. */
async function respondBeforeFailure() {
  const responded = Promise.withResolvers()
  const reported = Promise.withResolvers()
  const handler = createWebhookHandler({
    secret: testSecret,
    on: { 'task.created': () => responded.promise.then(() => Promise.reject(new Error('no disk'))) },
    respondWithin: '1ms',
    onError: ({ message }) => reported.resolve(message),
  })
  const { status } = await handler(await signedRequest('task.created'))
  responded.resolve()
  return [status, await reported.promise]
}

/** The adapters that run in every runtime. */
async function handleWithAdapters() {
  const messages = []
  const on = { 'message.created': ({ payload }) => messages.push(payload.message.body) }
  const worker = createWorker({ secret: ({ env }) => env.WEBHOOK_SECRET, on })
  const execution = { waitUntil: () => undefined }
  const hono = createHonoHandler({ secret: testSecret, on })
  const lambda = createLambda({ secret: testSecret, on })
  const { headers, body } = await signedDelivery('message.created')
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(body)))
  const adapters = [
    (await worker(await signedRequest('message.created'), { WEBHOOK_SECRET: testSecret }, execution)).status,
    (await hono({ req: { raw: await signedRequest('message.created') } })).status,
    (await lambda({ httpMethod: 'POST', headers, body: base64, isBase64Encoded: true })).statusCode,
  ]
  return { adapters, adapterMessages: messages }
}
