import { expect, it } from 'vitest'
import { createAdminClient } from '../src/admin.ts'
import { captureErrors, createInboundClient } from '../src/inbound.ts'
import { createClient } from '../src/index.ts'
import { inboundWith } from './inbound/inbound-client.ts'
import { clientWith, json, network } from './support/client.ts'

const page = (status: number) =>
  new Response('<!doctype html><title>Shop</title>', {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })

async function messageOf(call: { safe(): Promise<{ ok: true } | { ok: false; error: Error }> }) {
  const result = await call.safe()
  return result.ok ? '' : result.error.message
}

const listAt = (baseUrl: string, response: Response) =>
  messageOf(clientWith({ baseUrl, fetch: network(response).fetch, maxRetries: 0 }).client.tickets.list())

const pingAt = (webhookBaseUrl: string, response: Response) =>
  messageOf(inboundWith({ webhookBaseUrl, fetch: network(response).fetch, maxRetries: 0 }).inbound.errors.ping())

const looksLike = 'check that baseUrl looks like "https://example.com/api/v1"'
const route = 'GET /workspaces/{workspace}/tickets'

it.each(['https://example.org', 'https://example.org/', 'https://example.org/api', 'https://example.org/v1'])(
  'names the missing part of the base URL %s after a 404',
  async (baseUrl) => {
    const missing = `(baseUrl does not end with /api/v1: ${looksLike})`
    expect(await listAt(baseUrl, json({ message: 'Not Found.' }, 404))).toBe(
      `${route} answered 404: Not Found. ${missing}`,
    )
    expect(await listAt(baseUrl, new Response(null, { status: 404 }))).toBe(`${route} answered 404 ${missing}`)
  },
)

it.each([
  [200, `${route} answered 200 with something that is not JSON`],
  [404, `${route} answered 404`],
  [405, `${route} answered 405`],
])('reports a web page instead of the API with the status %i', async (status, said) => {
  expect(await listAt('https://example.org/api/v1', page(status))).toBe(
    `${said} (a web page, not the API: ${looksLike})${status === 200 ? '.' : ''}`,
  )
})

it('gives no hint if the base URL is correct', async () => {
  expect(await listAt('https://example.org/api/v1/', json({ message: 'Not Found.' }, 404))).toBe(
    `${route} answered 404: Not Found.`,
  )
  expect(await listAt('https://example.org/gateway', json({ message: 'No scope.' }, 403))).toBe(
    `${route} answered 403: No scope.`,
  )
  expect(await listAt('https://example.org', page(502))).toBe(`${route} answered 502`)
})

const untyped = (given?: unknown) => given as never
const token = 'token'

it.each<[string, () => unknown, string]>([
  [
    'the API client',
    () => createClient({ baseUrl: 'example.org', token, workspace: 1 }),
    'such as "https://example.com/api/v1"',
  ],
  ['an admin client', () => createAdminClient(untyped({ token })), 'such as "https://example.com/admin/v1"'],
  ['an admin client', () => createAdminClient(untyped()), 'token must be a token'],
  ['an inbound client', () => createInboundClient(untyped()), 'such as "https://example.com/api".'],
  [
    'a client with a URL object',
    () => createClient({ baseUrl: untyped(new URL('https://example.org/api/v1')), token, workspace: 1 }),
    'baseUrl must be an http(s) URL string',
  ],
  [
    'an admin client with the base URL of the API',
    () => createAdminClient({ baseUrl: 'https://example.org/api/v1/', token }),
    'baseUrl does not end with /admin/v1.',
  ],
  [
    'a client with the base URL of administration',
    () => createClient({ baseUrl: 'https://example.org/admin/v1', token, workspace: 1 }),
    'baseUrl does not end with /api/v1.',
  ],
  ['captureErrors without options', () => captureErrors(untyped()), 'client must be the result of createInboundClient'],
])('tells %s what is expected', (_, create, message) => {
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

it('gives the same hints for webhookBaseUrl', async () => {
  const missing =
    '(webhookBaseUrl does not end with /api: check that webhookBaseUrl looks like "https://example.com/api")'
  const ping = 'GET /webhooks/{workspace}/errors'
  expect(await pingAt('https://example.org/api/v1', json({}, 404))).toBe(`${ping} answered 404 ${missing}`)
  expect(await pingAt('https://example.org/api', json({ message: 'Not Found.' }, 404))).toBe(
    `${ping} answered 404: Not Found.`,
  )
  expect(await pingAt('https://example.org/api', page(200))).toContain('a web page, not the API')
})
