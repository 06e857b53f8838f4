import { sign as octokitSign, verify as octokitVerify } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { type EventName, sign, verify, verifySync } from '../../src/index.ts'
import { fixtures, signedDelivery } from '../../src/testing.ts'

const events = Object.keys(fixtures) as EventName[] // Object.keys loses the literal types
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** The libraries check the age with the system clock, so these deliveries are signed now. */
const delivered = async (event: EventName, secrets: string | string[] = secret) => {
  const { headers, body } = await signedDelivery(event, { secret: secrets, standard: true })
  return { headers, body: String(body) }
}

const libraries = [
  { library: 'standardwebhooks', Webhook: StandardWebhook },
  { library: 'svix', Webhook: SvixWebhook },
]

describe.each(libraries)('$library', ({ Webhook }) => {
  const peer = new Webhook(secret)
  const peerAccepts = (body: string, headers: Record<string, string>) => {
    try {
      peer.verify(body, headers)
      return true
    } catch {
      return false
    }
  }
  const weAccept = (body: string, headers: Record<string, string>) => {
    try {
      verifySync({ body, headers, secret })
      return true
    } catch {
      return false
    }
  }

  it.each(events)('verifies our delivery of %s', async (event) => {
    const { headers, body } = await delivered(event)
    expect(peerAccepts(body, headers)).toBe(true)
    expect(peerAccepts(`${body} `, headers)).toBe(false)
  })

  it('verifies during a rotation with either secret', async () => {
    const { headers, body } = await delivered('task.created', ['whsec_bmV3', secret])
    expect(peerAccepts(body, headers)).toBe(true)
    expect(() => new Webhook('whsec_bmV3').verify(body, headers)).not.toThrow()
    expect(() => new Webhook('whsec_b3RoZXI=').verify(body, headers)).toThrow()
  })

  it.each(events)('creates a signature for %s that we accept', async (event) => {
    const body = JSON.stringify(fixtures[event])
    const sentAt = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': peer.sign('msg_1', sentAt, body),
    }
    expect(await verify({ body, headers, secret })).toMatchObject({ type: event, delivery: { id: 'msg_1' } })
  })

  it('agrees with us on every body and every modified delivery', async () => {
    const { headers, body } = await delivered('message.created')
    const tampering = fc.record({
      header: fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'none'),
      at: fc.nat(80),
      digit: fc.constantFrom('0', '1', '9'),
    })
    fc.assert(
      fc.property(fc.jsonValue(), tampering, (value, { header, at, digit }) => {
        const text = JSON.stringify(value)
        const sentAt = new Date()
        const signed: Record<string, string> = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
          'webhook-signature': peer.sign('msg_1', sentAt, text),
        }
        expect(weAccept(text, signed)).toBe(true)
        const original = signed[header]
        if (original !== undefined && at < original.length) {
          signed[header] = original.slice(0, at) + digit + original.slice(at + 1)
          expect(weAccept(text, signed)).toBe(peerAccepts(text, signed))
        }
      }),
      { numRuns: 200 },
    )
    expect(peerAccepts(body, headers)).toBe(weAccept(body, headers))
  })
})

describe('@octokit/webhooks-methods', () => {
  it.each(events)('verifies our delivery of %s', async (event) => {
    const body = JSON.stringify(fixtures[event])
    const signature = await sign({ body, secret, encoding: 'sha256=hex' })
    expect(await octokitVerify(secret, body, signature)).toBe(true)
    expect(await octokitVerify('another', body, signature)).toBe(false)
    expect(await octokitSign(secret, body)).toBe(signature)
  })

  it('agrees with us on every secret and body', async () => {
    const key = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() === text)
    const text = fc.string({ minLength: 1, unit: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(key, text, async (secret, body) => {
        expect(await sign({ body, secret, encoding: 'sha256=hex' })).toBe(await octokitSign(secret, body))
      }),
      { numRuns: 200 },
    )
  })
})

it('creates the MAC that Stripe sends as v1=', async () => {
  const payload = JSON.stringify(fixtures['task.created'])
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: 1_700_000_000 })
  expect(header).toBe(`t=1700000000,v1=${await sign({ body: `1700000000.${payload}`, secret })}`)
})
