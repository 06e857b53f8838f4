import { expect, it } from 'vitest'
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
