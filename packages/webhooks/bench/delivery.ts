import Stripe from 'stripe'
import { signSync } from '../src/index.ts'
import { fixtures } from '../src/testing.ts'

/** What all contestants verify: an event of 597 bytes, whose text is not only ASCII. */
export const secret = 'a secret of a subscription, 32+ characters'
export const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const ticket = { ...fixtures['ticket.created'].ticket, title: `Zażółć gęślą jaźń – ${'the printer hums '.repeat(23)}` }
export const text = JSON.stringify({ ...fixtures['ticket.created'], ticket })
export const bytes = Buffer.from(text)
export const hex = signSync({ body: bytes, secret })
const id = 'msg_1'
const timestampSeconds = Math.floor(Date.now() / 1000)

/** What Node has after a delivery came through a proxy. */
const common = {
  host: 'receiver.example',
  'user-agent': 'service-webhooks/1.0',
  'content-length': String(bytes.length),
  accept: '*/*',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'content-type': 'application/json',
}
export const headers = {
  ...common,
  'x-service-event': 'ticket.created',
  'x-service-signature': hex,
  'x-service-delivery': '6f1c1a3e-4e34-4f5c-9d0f-0a7a3a1f3a55',
  'x-service-attempt': '1',
  'x-service-sequence': '1234',
}
export const standardHeaders = {
  ...common,
  'webhook-id': id,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': signSync({ body: bytes, secret: standardSecret, standard: { id, timestampSeconds } }),
}
export const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: text, secret })
