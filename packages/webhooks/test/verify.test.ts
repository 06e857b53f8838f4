import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as nodeBuild from '../src/index.ts'
import { fakeClock, fixtures, signedDelivery, testSecret } from '../src/testing.ts'
import { importWebBuild } from './web-build.ts'

const secret = 'a secret of a subscription'
const body = JSON.stringify(fixtures['ticket.created'])
const mac = (bytes: string | Uint8Array, key = secret) => createHmac('sha256', key).update(bytes).digest()
const sent = (bytes: string | Uint8Array) => ({ 'x-service-signature': mac(bytes).toString('hex') })
const utf8 = (text: string) => new TextEncoder().encode(text)

const webBuild = await importWebBuild()
const variants = [
  { variant: 'verify on Node', ...nodeBuild },
  {
    variant: 'verifySync',
    ...nodeBuild,
    verify: async (options: nodeBuild.VerifySyncOptions) => nodeBuild.verifySync(options),
  },
  { variant: 'verify with WebCrypto', ...webBuild },
]

describe.each(variants)('$variant', ({ verify, sign, WebhookVerificationError }) => {
  const codeOf = async (options: nodeBuild.VerifySyncOptions) =>
    verify(options).then(
      () => 'accepted',
      (error: unknown) => (error instanceof WebhookVerificationError ? error.code : error),
    )

  it.each([1, 63, 64, 65, 200])('accepts a secret of %i bytes, around the block size of the hash', async (length) => {
    const long = 'k'.repeat(length)
    const signature = mac(body, long).toString('hex')
    expect(await sign({ body, secret: long })).toBe(signature)
    expect(await codeOf({ body, headers: { 'x-service-signature': signature }, secret: long })).toBe('accepted')
  })

  it('returns the event with its type, payload, and delivery', async () => {
    const headers = {
      ...sent(body),
      'x-service-event': 'ticket.created',
      'x-service-delivery': '6f1c1a3e-4e34-4f5c-9d0f-0a7a3a1f3a55',
      'x-service-attempt': '2',
      'x-service-sequence': '1234',
    }
    expect(await verify({ body, headers, secret })).toEqual({
      type: 'ticket.created',
      name: 'ticket.created',
      payload: fixtures['ticket.created'],
      delivery: {
        id: '6f1c1a3e-4e34-4f5c-9d0f-0a7a3a1f3a55',
        attempt: 2,
        sequence: 1234,
        sentAtSeconds: undefined,
        replayProtected: false,
        secretIndex: 0,
      },
    })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['headers that are null', { headers: null }, 'missing_signature'],
    ['headers that are missing', { headers: undefined }, 'missing_signature'],
    ['headers that are a number', { headers: 5 }, 'missing_signature'],
    ['a signature that is null', { headers: { 'x-service-signature': null } }, 'missing_signature'],
    ['a signature that is a number', { headers: { 'x-service-signature': 12 } }, 'malformed_signature'],
    ['a signature that is an object', { headers: { 'x-service-signature': {} } }, 'missing_signature'],
    ['a list with null', { headers: { 'x-service-signature': [null, 1] } }, 'malformed_signature'],
    ['headers whose get returns a number', { headers: { get: () => 7 } }, 'malformed_signature'],
    ['a body that is null', { body: null }, 'body_parsed'],
    ['a body that is a number', { body: 5 }, 'body_parsed'],
    ['a body that is missing', { body: undefined }, 'body_parsed'],
    ['a secret that is null', { secret: null }, 'bad_secret'],
    ['a secret that is a number', { secret: 5 }, 'bad_secret'],
    ['a secret that is missing', { secret: undefined }, 'bad_secret'],
  ])('refuses %s with a code', async (_name, given, code) => {
    const options = { body, headers: sent(body), secret, ...given } as unknown as nodeBuild.VerifySyncOptions // callers without types
    expect(await codeOf(options)).toBe(code)
  })

  it('throws only its own error for any headers, body, and secret', async () => {
    const anyHeaders = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom('x-service-signature', 'webhook-signature', 'webhook-timestamp'), fc.anything()),
    )
    await fc.assert(
      fc.asyncProperty(anyHeaders, fc.anything(), fc.anything(), async (headers, body, secret) => {
        const options = { headers, body, secret } as unknown as nodeBuild.VerifySyncOptions // callers without types
        expect(await codeOf(options)).toBeTypeOf('string')
      }),
      { numRuns: 200 },
    )
  })

  it('reads numbers in headers as text', async () => {
    const timestampSeconds = Math.floor(Date.now() / 1000)
    const signature = await sign({ body, secret, standard: { id: '7', timestampSeconds } })
    const headers = { 'webhook-id': 7, 'webhook-timestamp': timestampSeconds, 'webhook-signature': signature }
    expect(await codeOf({ body, secret, headers: headers as never })).toBe('accepted') // untyped callers
  })

  const digest = mac(body)
  it.each([
    ['lower-case hex', digest.toString('hex')],
    ['upper-case hex', digest.toString('hex').toUpperCase()],
    ['mixed-case hex', digest.toString('hex').replace(/[a-f]/, (letter) => letter.toUpperCase())],
    ['base64', digest.toString('base64')],
    ['base64 without padding', digest.toString('base64').replace('=', '')],
    ['base64url', digest.toString('base64url')],
    ['base64url with padding', `${digest.toString('base64url')}=`],
    ['sha256= and hex', `sha256=${digest.toString('hex')}`],
    ['v0= and hex', `v0=${digest.toString('hex')}`],
    ['v1= and hex', `v1=${digest.toString('hex')}`],
    ['v1, and base64', `v1,${digest.toString('base64')}`],
    ['a second signature', `${'0'.repeat(64)} ${digest.toString('hex')}`],
    ['two headers that Node joined', `${'0'.repeat(64)}, ${digest.toString('hex')}`],
    ['a scheme of tomorrow beside it', `v9,bm90IG91cnM ${digest.toString('base64')}`],
  ])('accepts %s', async (_name, value) => {
    expect(await codeOf({ body, secret, headers: { 'x-service-signature': value } })).toBe('accepted')
  })

  it.each([
    ['nothing', ''],
    ['a word', 'foo'],
    ['a prefix alone', 'v1='],
    ['hex with junk between', digest.toString('hex').replace(/(..)(?=..)/g, '$1:')],
    ['hex with junk behind', `${digest.toString('hex')}zz`],
    ['hex that is too short', digest.toString('hex').slice(2)],
    ['hex with padding', `${digest.toString('hex')}=`],
    ['base64 with a space inside', digest.toString('base64').replace(/^(.{8})/, '$1 ')],
    ['base64 with two paddings', `${digest.toString('base64')}=`],
    ['base64 of the wrong length', Buffer.alloc(31, 1).toString('base64')],
    ['another version', `v0,${digest.toString('base64')}`],
    ['another scheme', `v2,${digest.toString('base64')}`],
    ['an unknown prefix', `sha1=${digest.toString('hex')}`],
    ['the signature after too much else', `${'x '.repeat(20)}${digest.toString('hex')}`],
  ])('refuses %s as malformed', async (_name, value) => {
    expect(await codeOf({ body, secret, headers: { 'x-service-signature': value } })).toBe('malformed_signature')
  })

  it('refuses base64 whose unused bits are set', async () => {
    const value = digest.toString('base64').replace(/(.)=$/, (_all, last: string) => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      return `${alphabet[alphabet.indexOf(last) + 1]}=`
    })
    expect(Buffer.from(value, 'base64').equals(digest)).toBe(true)
    expect(await codeOf({ body, secret, headers: { 'x-service-signature': value } })).toBe('malformed_signature')
  })

  it.each([
    [
      'GitHub documentation',
      "It's a Secret to Everybody",
      'Hello, World!',
      '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    ],
    [
      'RFC 4231, case 2',
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('agrees with the vector of the %s', async (_name, key, text, hex) => {
    expect(await sign({ body: text, secret: key })).toBe(hex)
    expect(await codeOf({ body: text, secret: key, headers: { 'x-service-signature': hex } })).toBe('invalid_json')
  })

  it('matches the test vector of the Standard Webhooks libraries', async () => {
    const standard = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330 }
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(await sign({ body: '{"test": 2432232314}', secret: key, standard })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('verifies its own signatures in hex, with a scheme, and in base64', async () => {
    const values = await Promise.all(
      (['hex', 'sha256=hex', 'base64'] as const).map((encoding) => sign({ body, secret, encoding })),
    )
    expect(values).toEqual([digest.toString('hex'), `sha256=${digest.toString('hex')}`, digest.toString('base64')])
    for (const value of values) {
      expect(await codeOf({ body, secret, headers: { 'x-service-signature': value } })).toBe('accepted')
    }
  })

  it('accepts a key longer than a block', async () => {
    const long = 'k'.repeat(131)
    expect(await sign({ body, secret: long })).toBe(mac(body, long).toString('hex'))
  })

  it('computes the same HMAC as Node for every secret and body', async () => {
    const printable = fc
      .string({ minLength: 1, maxLength: 200, unit: 'grapheme' })
      .filter((text) => text.trim() === text)
    await fc.assert(
      fc.asyncProperty(printable, fc.uint8Array({ maxLength: 20_000 }), async (key, bytes) => {
        expect(await sign({ body: bytes, secret: key })).toBe(createHmac('sha256', key).update(bytes).digest('hex'))
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['a string', body],
    ['a Uint8Array', utf8(body)],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', utf8(body).buffer],
    ['a DataView', new DataView(utf8(body).buffer)],
    ['a view into a larger buffer', utf8(`xx${body}xx`).subarray(2, -2)],
  ])('takes the body as %s', async (_name, given) => {
    expect(await codeOf({ body: given, secret, headers: sent(body) })).toBe('accepted')
  })

  it.each([
    ['fetch headers', new Headers(sent(body))],
    ['names in any case', { 'X-Service-Signature': digest.toString('hex') }],
    ['a list per name', { 'x-service-signature': [digest.toString('hex')] }],
    ['names without a value', { 'x-service-event': undefined, ...sent(body) }],
  ])('reads %s', async (_name, headers) => {
    expect(await codeOf({ body, secret, headers })).toBe('accepted')
  })

  it('refuses different bytes that decode to the same text', async () => {
    const original = utf8('{"event":"x","text":"\uFFFD"}')
    const at = original.indexOf(0xef)
    const tampered = new Uint8Array([...original.slice(0, at), 0xff, ...original.slice(at + 3)])
    expect(new TextDecoder().decode(tampered)).toBe(new TextDecoder().decode(original))
    expect(await codeOf({ body: original, secret, headers: sent(original) })).toBe('accepted')
    expect(await codeOf({ body: tampered, secret, headers: sent(original) })).toBe('no_match')
  })

  it.each([
    ['a byte order mark', utf8('\uFEFF{"event":"x"}')],
    ['an invalid UTF-8 byte', new Uint8Array([0x22, 0xff, 0x22])],
    ['no JSON', utf8('not json')],
    ['nothing', new Uint8Array()],
  ])('verifies a signed body with %s, and says that it is no JSON', async (_name, bytes) => {
    expect(await codeOf({ body: bytes, secret, headers: sent(bytes) })).toBe('invalid_json')
  })

  it.each([
    ['whitespace', body.replace('{', '{ ')],
    ['the order of keys', JSON.stringify(Object.fromEntries(Object.entries(fixtures['ticket.created']).reverse()))],
    ['how a character is escaped', body.replace('printer', '\\u0070rinter')],
  ])('refuses a body that differs only in %s', async (_name, other) => {
    expect(await codeOf({ body: other, secret, headers: sent(body) })).toBe('no_match')
  })

  it('refuses a parsed body and explains what to pass', async () => {
    // A mistake that only untyped callers can make.
    const parsed = JSON.parse(body) as string
    expect(await codeOf({ body: parsed, secret, headers: sent(body) })).toBe('body_parsed')
  })

  it('refuses a body over the limit before verifying it', async () => {
    const large = new Uint8Array(1_048_577)
    expect(await codeOf({ body: large, secret, headers: sent(large) })).toBe('body_too_large')
    expect(await codeOf({ body: large, secret, headers: sent(large), maxBodyBytes: 2_000_000 })).toBe('invalid_json')
  })

  it('refuses a delivery without a signature', async () => {
    expect(await codeOf({ body, secret, headers: {} })).toBe('missing_signature')
    expect(await codeOf({ body, secret, headers: new Headers() })).toBe('missing_signature')
  })

  describe('with several secrets', () => {
    it('accepts each of them and reports which one matched', async () => {
      const { delivery } = await verify({ body, headers: sent(body), secret: ['new secret', secret] })
      expect(delivery.secretIndex).toBe(1)
    })

    it('looks them up with an async function', async () => {
      const options = { body, headers: sent(body), secret: async () => ['another', secret] }
      if (verify === nodeBuild.verify || verify === webBuild.verify) {
        expect((await verify(options as never)).delivery.secretIndex).toBe(1)
      } else {
        expect(await codeOf(options as never)).toBe('bad_secret')
      }
    })

    it('accepts every delivery during a rotation', async () => {
      const before = await signedDelivery('task.created', { secret: 'old' })
      const during = await signedDelivery('task.created', { secret: ['new', 'old'], standard: true })
      const after = await signedDelivery('task.created', { secret: 'new' })
      for (const [delivery, secrets] of [
        [before, ['old']],
        [before, ['new', 'old']],
        [during, ['old']],
        [during, ['new', 'old']],
        [during, ['new']],
        [after, ['new', 'old']],
        [after, ['new']],
      ] as const) {
        expect(await codeOf({ ...delivery, secret: secrets })).toBe('accepted')
      }
      expect(await codeOf({ ...after, secret: ['old'] })).toBe('no_match')
    })

    it.each([
      ['an empty one', ''],
      ['a prefix without a secret', 'whsec_'],
      ['a missing one', undefined],
      ['one with the newline of a file', `${secret}\n`],
      ['none', []],
      ['an empty one among others', [secret, '']],
      ['more than ten', Array.from({ length: 11 }, () => secret)],
      ['something that is no text', 42],
    ])('refuses %s', async (_name, given) => {
      expect(await codeOf({ body, headers: sent(body), secret: given as string })).toBe('bad_secret')
    })
  })

  describe('with the Standard Webhooks headers', () => {
    const clock = fakeClock()
    const deliver = (headers = {}) => signedDelivery('task.updated', { standard: true, now: clock.now, headers })
    const check = async (delivery: Awaited<ReturnType<typeof deliver>>, more = {}) =>
      codeOf({ ...delivery, secret: testSecret, now: clock.now, ...more })

    it('reports the signed id and time, and replay protection', async () => {
      const delivery = await deliver({ 'webhook-id': undefined })
      expect(await check(delivery)).toBe('malformed_headers')
      const complete = await deliver({ 'x-service-delivery': 'unsigned' })
      const event = await verify({ ...complete, secret: testSecret, now: clock.now })
      expect(event.delivery).toEqual({
        id: complete.headers['webhook-id'],
        attempt: 1,
        sequence: 1,
        sentAtSeconds: clock.now() / 1000,
        replayProtected: true,
        secretIndex: 0,
      })
    })

    it.each([
      [-300, 'accepted'],
      [-301, 'timestamp_new'],
      [0, 'accepted'],
      [300, 'accepted'],
      [301, 'timestamp_old'],
      [-315_360_000, 'timestamp_new'],
    ])('answers an age of %d seconds: %s', async (ageSeconds, expected) => {
      const delivery = await deliver()
      expect(await check(delivery, { now: () => clock.now() + ageSeconds * 1000 })).toBe(expected)
    })

    it('uses the configured tolerance', async () => {
      const delivery = await deliver()
      const now = () => clock.now() + 10_000
      expect(await check(delivery, { now, toleranceSeconds: 9 })).toBe('timestamp_old')
      expect(await check(delivery, { now, toleranceSeconds: 10 })).toBe('accepted')
    })

    it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN])(
      'throws a TypeError for a tolerance of %d',
      async (toleranceSeconds) => {
        expect(await check(await deliver(), { toleranceSeconds })).toBeInstanceOf(TypeError)
      },
    )

    it.each(['now', '12junk', ' 12', '1e9', '-5', '12.5', '12345678901234', '', '١٢٣'])(
      'refuses %j as a timestamp',
      async (timestamp) => {
        expect(await check(await deliver({ 'webhook-timestamp': timestamp }))).toBe('malformed_headers')
      },
    )

    it.each(['webhook-id', 'webhook-timestamp'])('refuses a delivery without %s', async (name) => {
      expect(await check(await deliver({ [name]: undefined }))).toBe('malformed_headers')
    })

    it.each([
      ['webhook-id', 'another'],
      ['webhook-timestamp', String(Date.parse('2026-11-20T18:51:54Z') / 1000)],
      ['webhook-signature', `v1,${Buffer.alloc(32).toString('base64')}`],
    ])('refuses a delivery whose %s was changed, although the plain signature is right', async (name, value) => {
      expect(await check(await deliver({ [name]: value }))).toBe('no_match')
    })

    it('uses the bytes of a secret that is not base64', async () => {
      const delivery = await signedDelivery('task.updated', { standard: true, secret, now: clock.now })
      const { headers } = delivery
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${String(delivery.body)}`
      expect(headers['webhook-signature']).toBe(`v1,${mac(content).toString('base64')}`)
      expect(await codeOf({ ...delivery, secret, now: clock.now })).toBe('accepted')
    })

    it('can refuse deliveries without a signed time', async () => {
      const without = { 'webhook-id': undefined, 'webhook-timestamp': undefined, 'webhook-signature': undefined }
      const stripped = await deliver(without)
      expect(await check(stripped)).toBe('accepted')
      expect(await check(stripped, { requireTimestamp: true })).toBe('missing_timestamp')
      expect(await check(await deliver(), { requireTimestamp: true })).toBe('accepted')
    })
  })

  it('refuses a recorded body under another event name', async () => {
    const headers = { ...sent(body), 'x-service-event': 'ticket.resolved' }
    expect(await codeOf({ body, secret, headers })).toBe('event_mismatch')
  })

  it('ignores the name in the header if the body has none', async () => {
    const nameless = '{"workspace_id":1}'
    const event = await verify({
      body: nameless,
      secret,
      headers: { ...sent(nameless), 'x-service-event': 'ticket.created' },
    })
    expect(event).toMatchObject({ type: 'unknown', name: undefined, payload: { workspace_id: 1 } })
  })

  it('accepts only headers that contain the MAC, and throws only its own error', async () => {
    const signature = digest.toString('hex')
    const characters = fc.string({
      unit: fc.constantFrom(...signature, ...'=,v1 shaSHA256+/-_AZ\u0130'),
      maxLength: 90,
    })
    const mutated = fc
      .tuple(fc.nat(63), fc.constantFrom(...'0123456789abcdefgG=+ ,'))
      .map(([at, character]) => signature.slice(0, at) + character + signature.slice(at + 1))
      .filter((value) => value !== signature)
    await fc.assert(
      fc.asyncProperty(fc.oneof(characters, mutated), fc.constantFrom('', 'v1,', 'sha256='), async (value, prefix) => {
        expect(['malformed_signature', 'no_match']).toContain(
          await codeOf({ body, secret, headers: { 'x-service-signature': prefix + value } }),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('does not mix up concurrent deliveries', async () => {
    const keys = Array.from({ length: 40 }, (_none, index) => (index % 3 === 0 ? 'another' : secret))
    const outcomes = await Promise.all(
      keys.map((key) => codeOf({ body, secret, headers: { 'x-service-signature': mac(body, key).toString('hex') } })),
    )
    expect(outcomes).toEqual(keys.map((key) => (key === secret ? 'accepted' : 'no_match')))
  })

  it('never reveals the secret or the expected signature in an error', async () => {
    const error: unknown = await verify({ body, secret, headers: sent('another body') }).catch(
      (thrown: unknown) => thrown,
    )
    const told = JSON.stringify(error, Object.getOwnPropertyNames(error))
    expect(told).toContain('no_match')
    for (const hidden of [secret, digest.toString('hex'), digest.toString('base64'), 'printer']) {
      expect(told).not.toContain(hidden)
    }
  })
})

it('throws a TypeError for synchronous use with WebCrypto', () => {
  expect(() => webBuild.verifySync({ body, secret, headers: sent(body) })).toThrow(TypeError)
  expect(() => webBuild.signSync({ body, secret })).toThrow(TypeError)
})

it('gives every error the status properties that frameworks read, and a hint', () => {
  expect(() => nodeBuild.verifySync({ body, secret, headers: {} })).toThrow(
    expect.objectContaining({
      name: 'WebhookVerificationError',
      code: 'missing_signature',
      status: 401,
      statusCode: 401,
      hint: expect.stringContaining('X-Service-Signature'),
    }),
  )
})
