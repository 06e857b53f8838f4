import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { GitProvider, GitSendOptions } from '../../src/inbound.ts'
import { json, network, reset } from '../support/client.ts'
import { inboundWith, receipts } from './inbound-client.ts'

interface Sending extends GitSendOptions {
  readonly provider: GitProvider
  readonly event: string
  readonly payload?: object | string
}

async function sent({ provider, event, payload = { action: 'opened' }, ...options }: Sending) {
  const { fetch, requests } = network(json(receipts.git))
  await inboundWith({ fetch }).inbound.git.send(provider, event, payload, options)
  const [request] = requests
  if (request === undefined) throw new Error('Nothing was sent.')
  const body = await request.text()
  return { url: request.url, body, headers: Object.fromEntries(request.headers) }
}

const hmac = (secret: string | Uint8Array, text: string) => createHmac('sha256', secret).update(text)

it("signs like GitHub, checked with GitHub's published test vector", async () => {
  const secret = "It's a Secret to Everybody"
  const { url, body, headers } = await sent({ provider: 'github', event: 'issues', payload: 'Hello, World!', secret })
  expect([url, body]).toEqual(['http://localhost:9/api/webhooks/42/github', 'Hello, World!'])
  expect(headers).toMatchObject({
    'x-github-event': 'issues',
    'content-type': 'application/json',
    'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    'x-github-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(headers).not.toHaveProperty('idempotency-key')
})

it('signs the bytes of a form', async () => {
  const { body, headers } = await sent({ provider: 'github', event: 'push', payload: { ref: 'a&b' }, form: true })
  expect(body).toBe('payload=%7B%22ref%22%3A%22a%26b%22%7D')
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(headers['x-hub-signature-256']).toBe(`sha256=${hmac('github-secret', body).digest('hex')}`)
})

it('sends the token or the newer signature of GitLab', async () => {
  const plain = await sent({ provider: 'gitlab', event: 'Issue Hook', deliveryId: 'd-1' })
  expect(plain.headers).toMatchObject({
    'x-gitlab-event': 'Issue Hook',
    'x-gitlab-token': 'gitlab-token',
    'idempotency-key': 'd-1',
  })
  const key = new Uint8Array([1, 2, 3, 250, 251, 252])
  const secret = `whsec_${Buffer.from(key).toString('base64')}`
  const { body, headers } = await sent({ provider: 'gitlab', event: 'Issue Hook', deliveryId: 'd-2', secret })
  const seconds = Date.UTC(2026, 10, 20) / 1000
  expect(headers).toMatchObject({
    'webhook-id': 'd-2',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${hmac(key, `d-2.${seconds}.${body}`).digest('base64')}`,
  })
  expect(headers).not.toHaveProperty('x-gitlab-token')
})

it('signs like Bitbucket', async () => {
  const { body, headers } = await sent({ provider: 'bitbucket', event: 'issue:created', deliveryId: 'd-3' })
  expect(headers).toMatchObject({
    'x-event-key': 'issue:created',
    'x-request-uuid': 'd-3',
    'x-hub-signature': `sha256=${hmac('bitbucket-secret', body).digest('hex')}`,
  })
})

it.each(['github', 'gitlab', 'bitbucket'] as const)('sends %s unsigned if the secret is null', async (provider) => {
  const { headers } = await sent({ provider, event: 'push', secret: null })
  expect(Object.keys(headers).filter((name) => /signature|token|secret/.test(name))).toEqual([])
})

it('signs the bytes that are sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (payload) => {
      const { body, headers } = await sent({ provider: 'github', event: 'push', payload })
      expect(headers['x-hub-signature-256']).toBe(`sha256=${hmac('github-secret', body).digest('hex')}`)
    }),
    { numRuns: 50 },
  )
})

it('retries with the same bytes, id and signature if the caller sets the id', async () => {
  const { fetch, requests } = network(reset(), json(receipts.git))
  const payload = { action: 'opened' }
  const call = inboundWith({ fetch }).inbound.git.send('gitlab', 'Issue Hook', payload, { deliveryId: 'd-1' })
  const { meta } = await call.withMeta()
  expect(meta).toMatchObject({ attempts: 2, idempotencyKey: 'd-1' })
  const [first, second] = await Promise.all(
    requests.map(async (request) => [await request.text(), ...request.headers].join('\n')),
  )
  expect(second).toBe(first)
})

it('does not retry a delivery without an id from the caller', async () => {
  const { fetch, requests } = network(reset(), json(receipts.git))
  const result = await inboundWith({ fetch }).inbound.git.send('github', 'push', {}).safe()
  expect([result.ok, requests.length]).toEqual([false, 1])
})

it('rejects deliveries that no provider sends', async () => {
  const { fetch, requests } = network(json(receipts.git))
  const { git } = inboundWith({ fetch }).inbound
  expect(() => git.send('github', 'a\nb', {})).toThrow('event')
  expect(() => git.send('github', 'push', {}, { deliveryId: '' })).toThrow('deliveryId')
  expect(() => git.send('github', 'push', {}, { secret: '\n' })).toThrow('secret')
  await expect(git.send('gitea' as never, 'push', {})).rejects.toThrow('provider must be one of')
  await expect(git.send('gitlab', 'Push Hook', {}, { form: true })).rejects.toThrow('form')
  await expect(git.send('gitlab', 'Push Hook', {}, { secret: 'whsec_***' })).rejects.toThrow('base64')
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  expect(await git.send('github', 'push', circular).safe()).toMatchObject({ error: { code: 'invalid_request' } })
  expect(requests).toEqual([])
})
