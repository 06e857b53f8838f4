import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sign, signSync, type VerifySyncOptions, verify, verifyRequest, verifySync } from '../src/index.ts'
import { fixtures, signedDelivery } from '../src/testing.ts'

const secret = 'a secret of a subscription'
const body = JSON.stringify(fixtures['ticket.created'])
const mac = (text: string | Uint8Array, key: string | Buffer = secret) => createHmac('sha256', key).update(text)
const sent = (text: string | Uint8Array) => ({ 'x-service-signature': mac(text).digest('hex') })

/** The Standard Webhooks signature of the body, keyed with these bytes. */
const standardHeaders = (key: string | Buffer) => {
  const [id, timestampSeconds] = ['7', Math.floor(Date.now() / 1000)]
  const signature = mac(`${id}.${timestampSeconds}.${body}`, key).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': `${timestampSeconds}`, 'webhook-signature': `v1,${signature}` }
}

describe('refusals', () => {
  it.each<[string, number, string, Partial<Record<keyof VerifySyncOptions, unknown>>]>([
    ['missing_signature', 401, 'X-Service-Signature', { headers: {} }],
    ['malformed_signature', 401, 'hex or base64', { headers: { 'x-service-signature': 'foo' } }],
    ['no_match', 401, 'raw body', { secret: 'another' }],
    ['missing_timestamp', 401, 'webhook-signature', { requireTimestamp: true }],
    ['malformed_headers', 401, 'webhook-id', { headers: { ...standardHeaders(secret), 'webhook-id': undefined } }],
    ['timestamp_old', 401, 'clock', { headers: standardHeaders(secret), now: () => Date.now() + 400_000 }],
    ['timestamp_new', 401, 'clock', { headers: standardHeaders(secret), now: () => Number.NaN }],
    ['event_mismatch', 400, 'X-Service-Event', { headers: { ...sent(body), 'x-service-event': 'task.created' } }],
    ['invalid_json', 400, 'JSON', { body: 'no JSON', headers: sent('no JSON') }],
    ['body_parsed', 500, 'raw body', { body: {} }],
    ['bad_secret', 500, 'the secret is empty: is the environment variable set?', { secret: '' }],
    ['bad_secret', 500, 'the secret is undefined: is the environment variable set?', { secret: undefined }],
    ['bad_secret', 500, 'the secret is null: is the environment variable set?', { secret: null }],
    ['bad_secret', 500, 'the secret is not a string', { secret: 42 }],
    ['bad_secret', 500, 'the secret ends after whsec_', { secret: 'whsec_' }],
    ['bad_secret', 500, 'the secret has whitespace or quotes around it', { secret: `${secret}\n` }],
    ['bad_secret', 500, 'the secret has whitespace or quotes around it', { secret: `"whsec_c2VjcmV0"` }],
    ['bad_secret', 500, 'the secret has whitespace or quotes around it', { secret: `'${secret}'` }],
    ['bad_secret', 500, 'the secret is empty: is the environment variable set?', { secret: [secret, ''] }],
    ['bad_secret', 500, 'pass 1 to 10 secrets', { secret: [] }],
    ['bad_secret', 500, 'pass 1 to 10 secrets', { secret: Array(11).fill(secret) }],
  ])('%s: status %d and a hint with "%s"', (code, status, hint, given) => {
    const options = { body, headers: sent(body), secret, ...given } as VerifySyncOptions // callers without types
    expect(() => verifySync(options)).toThrow(
      expect.objectContaining({ code, status, hint: expect.stringContaining(hint) }),
    )
  })

  it('a zero tolerance is reported by name', () => {
    const options = { body, secret, headers: standardHeaders(secret), toleranceSeconds: 0 }
    expect(() => verifySync(options)).toThrow(/toleranceSeconds/)
  })
})

describe('a header', () => {
  it('is read from its lower-case name if an object has both spellings', () => {
    const headers = { ...sent(body), 'X-Service-Signature': '0'.repeat(64) }
    expect(verifySync({ body, secret, headers }).type).toBe('ticket.created')
  })

  it.each([',', ', '])('can be repeated by a gateway that joins both with "%s"', (separator) => {
    const repeated = Object.fromEntries(
      Object.entries({ ...sent(body), 'x-service-event': 'ticket.created' }).map(([name, value]) => [
        name,
        `${value}${separator}${value}`,
      ]),
    )
    expect(verifySync({ body, secret, headers: repeated }).type).toBe('ticket.created')
    const different = { ...repeated, 'x-service-event': `ticket.created${separator}task.created` }
    expect(() => verifySync({ body, secret, headers: different })).toThrow('event_mismatch')
  })

  it('can contain a list of signatures', () => {
    const headers = { 'x-service-signature': ['0'.repeat(64), mac(body).digest('hex')] }
    expect(verifySync({ body, secret, headers }).type).toBe('ticket.created')
  })
})

describe('secrets', () => {
  it('can be up to ten', () => {
    const secrets = Array.from({ length: 10 }, (_none, index) => (index === 9 ? secret : `secret ${index}`))
    expect(verifySync({ body, secret: secrets, headers: sent(body) }).delivery.secretIndex).toBe(9)
  })

  it('are decoded as base64 after whsec_', () => {
    const headers = standardHeaders(Buffer.from('MfKQ9r8GKYqrTwjU', 'base64'))
    expect(verifySync({ body, secret: 'whsec_MfKQ9r8GKYqrTwjU', headers }).type).toBe('ticket.created')
  })

  it.each(['my whsec_MfKQ9r8G', 'whsec_MfKQ9r8G!', 'whsec_MfKQ9'])(
    'are used as text if they are not base64: %s',
    (text) => {
      expect(verifySync({ body, secret: text, headers: standardHeaders(text) }).type).toBe('ticket.created')
    },
  )

  it('that are blank cannot sign', async () => {
    await expect(sign({ body, secret: ' ' })).rejects.toThrow('bad_secret')
    expect(() => signSync({ body, secret: ' ' })).toThrow('bad_secret')
  })
})

it.each(['hex', 'sha256=hex', 'base64'] as const)('creates the same signature synchronously: %s', async (encoding) => {
  expect(signSync({ body, secret, encoding })).toBe(await sign({ body, secret, encoding }))
})

it('verifies the headers and the body of a request', async () => {
  const { headers } = await signedDelivery('ticket.created', { secret })
  const request = (text: string) =>
    new Request('https://app.example/hooks', { method: 'POST', body: text, headers: { ...headers, ...sent(body) } })
  expect((await verifyRequest(request(body), { secret })).type).toBe('ticket.created')
  await expect(verifyRequest(request(`${body} `), { secret })).rejects.toThrow('no_match')
})

it('refuses a payload that does not match the schema, also synchronously', async () => {
  const issues = [{ message: 'invalid', path: [] }]
  const schema = (validate: () => unknown) =>
    ({ '~standard': { version: 1, vendor: 'test', validate } }) as unknown as NonNullable<VerifySyncOptions['schema']>
  const options = { body, secret, headers: sent(body) }
  const rejecting = schema(() => ({ issues }))
  await expect(verify({ ...options, schema: rejecting })).rejects.toThrow('invalid_payload')
  expect(() => verifySync({ ...options, schema: rejecting })).toThrow('invalid_payload')
  const asynchronous = schema(async () => ({ value: {} }))
  expect(() => verifySync({ ...options, schema: asynchronous })).toThrow('use verify')
})

it('names the missing secret without options', async () => {
  const missing = { code: 'bad_secret', message: expect.stringContaining('the secret is undefined') }
  await expect((verify as () => unknown)()).rejects.toMatchObject(missing)
  expect(verifySync as () => unknown).toThrow(expect.objectContaining(missing))
})
