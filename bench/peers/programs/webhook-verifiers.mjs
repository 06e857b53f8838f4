// Each library with what its documentation shows: how a delivery is signed, and how a receiver verifies and reads it.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const plainSecret = 'a secret of a subscription, 32+ characters'
export const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const hex = (body, secret) => createHmac('sha256', secret).update(body).digest('hex')
const base64 = (content, secret) =>
  createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(content)
    .digest('base64')
const joined = (start, body) => Buffer.concat([Buffer.from(start), Buffer.from(body)])

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Signs as Standard Webhooks has it; `prefix` is that of the three headers. */
function standardHeaders(prefix) {
  return (body, { secret = standardSecret, timestamp = nowSeconds(), before = [] } = {}) => ({
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: [...before, `v1,${base64(joined(`msg_1.${timestamp}.`, body), secret)}`].join(' '),
  })
}
const otherSignature = `v1,${Buffer.alloc(32, 7).toString('base64')}`

/**
 * Name → a function that makes it. `verify` gives the event or throws; `isTyped` tells the error that a receiver is meant
 * to catch from others. What a library does not offer is left out.
 */
export const libraries = {
  floor: async () => ({
    secret: plainSecret,
    signatureHeader: 'x-signature',
    sign: (body, { secret = plainSecret } = {}) => ({ 'x-signature': hex(body, secret) }),
    verify(body, headers) {
      const mac = createHmac('sha256', plainSecret).update(body).digest()
      const given = Buffer.from(headers['x-signature'], 'hex')
      if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('no match')
      return JSON.parse(body.toString())
    },
  }),
  async ours({ module }) {
    const { verifySync, WebhookVerificationError } = await import(module)
    const verify = (body, headers, secret = plainSecret) => verifySync({ body, headers, secret }).payload
    return {
      secret: plainSecret,
      signatureHeader: 'x-service-signature',
      otherSignature: '07'.repeat(32),
      takesHeaders: true,
      sign: (body, { secret = plainSecret, before = [] } = {}) => ({
        'x-service-event': 'ticket.created',
        'x-service-signature': [...before, hex(body, secret)].join(' '),
      }),
      verify,
      verifyWithSecrets: verify,
      isTyped: (error) => error instanceof WebhookVerificationError,
    }
  },
  async oursStandard({ module }) {
    const { verifySync, WebhookVerificationError } = await import(module)
    const verify = (body, headers, secret = standardSecret) => verifySync({ body, headers, secret }).payload
    return {
      secret: standardSecret,
      signatureHeader: 'webhook-signature',
      timestampHeader: 'webhook-timestamp',
      otherSignature,
      takesHeaders: true,
      sign: standardHeaders('webhook'),
      verify,
      verifyWithSecrets: verify,
      isTyped: (error) => error instanceof WebhookVerificationError,
    }
  },
  async standardwebhooks() {
    const { Webhook, WebhookVerificationError } = await import('standardwebhooks')
    return standardLibrary('webhook', { Webhook, WebhookVerificationError, parse: (event) => event })
  },
  async svix() {
    const { Webhook, WebhookVerificationError } = await import('svix')
    // It verifies, and leaves it to the receiver to parse.
    return standardLibrary('svix', { Webhook, WebhookVerificationError, parse: (_, body) => JSON.parse(body) })
  },
  async stripe() {
    const { default: Stripe } = await import('stripe')
    return {
      secret: plainSecret,
      signatureHeader: 'stripe-signature',
      otherSignature: `v1=${'07'.repeat(32)}`,
      timestampInSignature: true,
      sign(body, { secret = plainSecret, timestamp = nowSeconds(), before = [] } = {}) {
        const mac = hex(joined(`${timestamp}.`, body), secret)
        return { 'stripe-signature': [`t=${timestamp}`, ...before, `v1=${mac}`].join(',') }
      },
      verify: (body, headers, secret = plainSecret) =>
        Stripe.webhooks.constructEvent(body, headers['stripe-signature'], secret),
      isTyped: (error) => error instanceof Stripe.errors.StripeSignatureVerificationError,
    }
  },
  async octokit() {
    const { Webhooks } = await import('@octokit/webhooks')
    const made = new Map()
    const webhooksOf = (secret) => made.get(secret) ?? made.set(secret, new Webhooks({ secret })).get(secret)
    return {
      secret: plainSecret,
      signatureHeader: 'x-hub-signature-256',
      sign: (body, { secret = plainSecret } = {}) => ({ 'x-hub-signature-256': `sha256=${hex(body, secret)}` }),
      async verify(body, headers, secret = plainSecret) {
        // False is how it refuses.
        if (await webhooksOf(secret).verify(body, headers['x-hub-signature-256'])) return JSON.parse(body)
        throw new Refused('The signature does not match.')
      },
      async verifyWithSecrets(body, headers, [first, ...additionalSecrets]) {
        const { verifyWithFallback } = await import('@octokit/webhooks-methods')
        if (await verifyWithFallback(first, body, headers['x-hub-signature-256'], additionalSecrets))
          return JSON.parse(body)
        throw new Refused('The signature does not match.')
      },
      isTyped: (error) => error instanceof Refused,
    }
  },
}

class Refused extends Error {}

function standardLibrary(prefix, { Webhook, WebhookVerificationError, parse }) {
  const made = new Map()
  const webhookOf = (secret) => made.get(secret) ?? made.set(secret, new Webhook(secret)).get(secret)
  return {
    secret: standardSecret,
    signatureHeader: `${prefix}-signature`,
    timestampHeader: `${prefix}-timestamp`,
    otherSignature,
    takesHeaders: true,
    sign: standardHeaders(prefix),
    verify: (body, headers, secret = standardSecret) => parse(webhookOf(secret).verify(body, headers), body),
    isTyped: (error) => error instanceof WebhookVerificationError,
  }
}
