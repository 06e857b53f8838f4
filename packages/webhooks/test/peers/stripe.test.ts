import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { sign, signSync, verify, verifySync } from '../../src/index.ts'
import { type Given, makeHeader, open, RefusedHeader, type Scheme, type Verify } from './timestamped.ts'

const scheme: Scheme = { separator: '.', unitMs: 1000 }
const secret = 'whsec_test_secret'
const body = JSON.stringify({ id: 'evt_test_webhook', object: 'event', event: 'made.up' })
const now = Date.parse('2026-11-20T18:51:53Z')
const t = now / 1000

const variants: { variant: string; check: Verify }[] = [
  { variant: 'verify', check: verify },
  { variant: 'verifySync', check: async (options) => verifySync(options) },
]

describe.each(variants)('the test cases of Stripe, with $variant', ({ check }) => {
  const event = async (given: Partial<Given> = {}) =>
    open(scheme, check, { body, header: await makeHeader(scheme, { body, secret, t }), secret, now, ...given })
  const refusal = async (given: Partial<Given>) =>
    event(given).then(
      () => 'accepted',
      (error: unknown) => (error instanceof RefusedHeader ? error.message : (error as { code: unknown }).code), // ours
    )

  describe('creating a header', () => {
    it('creates the same header as Stripe', async () => {
      const theirs = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: t })
      expect(await makeHeader(scheme, { body, secret, t })).toBe(theirs)
    })

    it('creates a header that Stripe accepts', async () => {
      const today = Math.floor(Date.now() / 1000)
      const header = await makeHeader(scheme, { body, secret, t: today })
      expect(Stripe.webhooks.constructEvent(body, header, secret)).toMatchObject({ id: 'evt_test_webhook' })
    })

    it('creates a different signature for a different time', async () => {
      const at = (time: number) => makeHeader(scheme, { body, secret, t: time })
      expect((await at(t)).split('v1=')[1]).not.toBe((await at(t + 1)).split('v1=')[1])
    })

    it('refuses to sign without a secret', async () => {
      await expect(makeHeader(scheme, { body, secret: '', t })).rejects.toMatchObject({ code: 'bad_secret' })
    })
  })

  describe('opening an event', () => {
    it.each([
      ['a string', body],
      ['a Buffer', Buffer.from(body)],
      ['a Uint8Array', new TextEncoder().encode(body)],
    ])('returns the event of a signed body that is %s', async (_name, given) => {
      expect((await event({ body: given })).payload).toMatchObject({ id: 'evt_test_webhook' })
    })

    it('refuses a signed body that is not JSON', async () => {
      const header = await makeHeader(scheme, { body: '} not JSON {', secret, t })
      expect(await refusal({ body: '} not JSON {', header })).toBe('invalid_json')
    })

    it.each([
      ['the signature of another secret', { secret: 'another' }, 'no_match'],
      ['another body', { body: `${body} ` }, 'no_match'],
      ['a malformed signature', { header: `t=${t},v1=bad` }, 'malformed_signature'],
    ])('refuses %s', async (_name, given, code) => {
      expect(await refusal(given)).toBe(code)
    })

    it('accepts a signature from Stripe', async () => {
      const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: t })
      expect(await refusal({ header })).toBe('accepted')
    })

    it('accepts a signature from the SubtleCrypto provider of Stripe', async () => {
      const header = await Stripe.webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret,
        timestamp: t,
        cryptoProvider: Stripe.createSubtleCryptoProvider(),
      })
      expect(await refusal({ header })).toBe('accepted')
    })

    it('returns a newer type of event as unknown', async () => {
      const thin = JSON.stringify({ object: 'v2.core.event', event: 'v2.made.up' })
      const header = await makeHeader(scheme, { body: thin, secret, t })
      expect(await event({ body: thin, header })).toMatchObject({ type: 'unknown', name: 'v2.made.up' })
    })
  })

  describe('verifying a header', () => {
    it.each([
      ['an unknown format', "I'm not even a real signature header", 'no timestamp'],
      ['nothing', '', 'no timestamp'],
      ['no header at all', undefined, 'no timestamp'],
      ['a timestamp that is not a number', 't=abc,v1=00', 'no timestamp'],
      ['a timestamp with trailing characters', `t=${t}junk,v1=00`, 'no timestamp'],
      ['no signature of the expected scheme', `t=${t},v0=${'0'.repeat(64)}`, 'missing_signature'],
      ['an empty signature', `t=${t},v1=`, 'malformed_signature'],
      ['no valid signature', `t=${t},v1=${'0'.repeat(64)}`, 'no_match'],
      ['several signatures, none valid', `t=${t},v1=${'0'.repeat(64)},v1=${'1'.repeat(64)}`, 'no_match'],
    ])('refuses %s', async (_name, header, code) => {
      expect(await refusal({ header })).toBe(code)
    })

    it.each([
      [0, 'accepted'],
      [-10, 'accepted'],
      [10, 'accepted'],
      [11, 'outside the tolerance'],
      [-11, 'outside the tolerance'],
      // Stripe accepts this, because it only rejects old timestamps.
      [-315_360_000, 'outside the tolerance'],
    ])('with a tolerance of 10 seconds, an age of %d seconds is %s', async (ageSeconds, answer) => {
      expect(await refusal({ toleranceSeconds: 10, now: now + ageSeconds * 1000 })).toBe(answer)
    })

    it('accepts any age without a tolerance', async () => {
      const header = await makeHeader(scheme, { body, secret, t: 12_345 })
      expect(await refusal({ header })).toBe('accepted')
    })

    it('accepts a header with a correct and a wrong signature', async () => {
      expect(await refusal({ header: `${await makeHeader(scheme, { body, secret, t })},v1=${'0'.repeat(64)}` })).toBe(
        'accepted',
      )
    })

    it('refuses a body that is neither text nor bytes', async () => {
      // A mistake that only untyped callers can make.
      expect(await refusal({ body: JSON.parse(body) as string })).toBe('body_parsed')
    })

    it.each([`${secret} `, ` ${secret}`, `${secret}\n`])('reports whitespace around the secret %j', async (given) => {
      expect(await refusal({ secret: given })).toBe('bad_secret')
      await expect(event({ secret: given })).rejects.toMatchObject({ hint: expect.stringContaining('whitespace') })
    })
  })
})

describe('the crypto provider vectors of Stripe', () => {
  const vectors = ['', JSON.stringify({ id: 'evt_test_webhook', object: 'event' }), '\u{1F600}']

  it.each(vectors)('match ours: %j', async (payload) => {
    const theirs = Stripe.createNodeCryptoProvider().computeHMACSignature(payload, 'test_secret')
    expect(await sign({ body: payload, secret: 'test_secret' })).toBe(theirs)
    expect(signSync({ body: payload, secret: 'test_secret' })).toBe(theirs)
  })
})
