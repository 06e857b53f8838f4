import { createHmac, timingSafeEqual } from 'node:crypto'
import { signSync, verifySync } from '@service/webhooks'
import { measure } from 'mitata'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { interleave, type Scenario } from '../measure.ts'

const secret = 'a secret of a subscription, 32+ characters'
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const ticket = {
  id: 1,
  ticket_number: 'TKT-00001',
  title: 'Zażółć gęślą jaźń '.repeat(25),
  status: 'open',
  priority: 'high',
}
const text = JSON.stringify({
  event: 'ticket.created',
  workspace_id: 1,
  timestamp: '2026-11-20T18:51:53+00:00',
  ticket,
})
const body = Buffer.from(text)
const hex = signSync({ body, secret })
const headers = { 'x-service-event': 'ticket.created', 'x-service-signature': hex }
function verifyByHand(): unknown {
  const mac = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(hex, 'hex')
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('The signature does not match.')
  return JSON.parse(body.toString())
}

/** Signed at the start of the scenario, because the libraries refuse timestamps older than five minutes. */
function signNow(): Readonly<Record<string, () => unknown>> {
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const signature = signSync({ body, secret: standardSecret, standard: { id: 'msg_1', timestampSeconds } })
  const standard = (prefix: string) => ({
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: String(timestampSeconds),
    [`${prefix}-signature`]: signature,
  })
  const [standardHeaders, svixHeaders] = [standard('webhook'), standard('svix')]
  const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: text, secret })
  const [standardWebhook, svix] = [new StandardWebhook(standardSecret), new SvixWebhook(standardSecret)]
  return {
    'floor: node:crypto by hand': verifyByHand,
    '@service/webhooks, verifySync': () => verifySync({ body, headers, secret }),
    '@service/webhooks, Standard Webhooks': () =>
      verifySync({ body, headers: standardHeaders, secret: standardSecret }),
    stripe: () => Stripe.webhooks.constructEvent(body, stripeHeader, secret),
    standardwebhooks: () => standardWebhook.verify(body, standardHeaders),
    'svix + JSON.parse': () => {
      svix.verify(body, svixHeaders)
      return JSON.parse(text)
    },
  }
}

export const verify: Scenario = {
  title: 'Verify: a delivery of 620 bytes, verified and parsed',
  method: 'Measured with mitata in one process. Each library first proves that it accepts the signature.',
  measure(options) {
    const contestants = Object.entries(signNow()).map(([name, call]) => {
      call() // throws if a library refuses
      return [
        name,
        async () => ({ µs: (await measure(call, { min_cpu_time: options.seconds * 1e8 })).avg / 1000 }),
      ] as const
    })
    return interleave(Object.fromEntries(contestants), options)
  },
}
