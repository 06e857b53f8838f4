import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { secretNames } from '../../src/testing/journal/mask.ts'

const hidden = 'hunter2HIDDEN7'

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', ...options })
  onTestFinished(() => server.close())
  return server
}

const checking = { contract: 'collect', strict: { unexpectedErrors: true } } as const

/** All entries and messages about the received requests. */
function allOutput(server: TestServer, { headers, body }: { headers: Record<string, string>; body: unknown }) {
  const messageOf = (act: () => unknown) => {
    try {
      return JSON.stringify(act())
    } catch (refusal) {
      return String(refusal)
    }
  }
  return [
    JSON.stringify(server.journal.entries()),
    messageOf(() => server.expectRequest({ headers, body, method: 'DELETE' })),
    messageOf(() => server.expectRequest({ headers: { 'x-other': 'no' }, body: { other: 1 } })),
    messageOf(() => server.verify()),
  ].join('\n')
}

/** In code, JSON, headers, and queries, with and without a prefix. */
const spellings = (name: string) => [name, name.toUpperCase(), `my_${name}`, `hub.verify_${name}`, `x-${name}-256`]

test.for(secretNames)('a %s appears in no entry and no message', async (name) => {
  const server = await start(checking)
  for (const spelling of spellings(name)) {
    const headers = { [spelling]: hidden }
    const body = {
      [spelling]: hidden,
      list: [{ [spelling]: [hidden] }, { [spelling]: { deep: hidden } }],
      pairs: [[spelling, hidden]],
      named: [{ name: spelling, value: hidden }],
      text: `sent ${spelling}=${hidden} along`,
      errors: { [spelling]: [hidden] },
    }
    await server.fetch(`/api/webhooks/1/errors?${spelling}=${hidden}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await server.fetch(`/api/webhooks/1/errors`, { method: 'POST', body: `a=b&${spelling}=${hidden}` })
    expect(allOutput(server, { headers, body }), spelling).not.toContain(hidden)
  }
})

test.for([
  ['the challenge of a lead platform', '/api/webhooks/1/leads/facebook?hub.verify_token=SECRET&hub.mode=subscribe', {}],
  ['a token in the query', '/api/v1/workspaces/1/tickets?access_token=SECRET', {}],
  ['a key in the query', '/api/v1/workspaces/1/tickets?key=SECRET', {}],
  ['the key of Google leads', '/api/webhooks/1/leads/google_ads', { google_key: 'SECRET', user_column_data: [] }],
  ['custom headers of a webhook', '/admin/v1/webhooks', { headers: { 'X-Team': 'SECRET' } }],
  ['a URL with a password', '/admin/v1/webhooks', { url: 'https://ada:SECRET@app.test/hooks' }],
  ['a URL with a user alone', '/admin/v1/webhooks', { url: 'https://SECRET@app.test/hooks' }],
  ['a URL with a token', '/admin/v1/webhooks', { url: 'https://app.test/hooks?token=SECRET' }],
  ['headers as pairs', '/api/webhooks/1/errors', { request: { headers: [['Authorization', 'SECRET']] } }],
] as const)('%s is masked', async ([, path, body]) => {
  const server = await start(checking)
  const text = JSON.stringify(body).replaceAll('SECRET', hidden)
  await server.fetch(path.replace('SECRET', hidden), { method: 'POST', body: text })
  const output = allOutput(server, { headers: {}, body: JSON.parse(text) })
  expect(output).not.toContain(hidden)
  expect(output).toContain('[masked]')
})

test('other values are not masked', async () => {
  const server = await start()
  const body = {
    title: 'The token of the door',
    token_count: 3,
    secretary: 'Ada',
    has_secret: true,
    password: null,
    url: 'https://app.test/hooks?page=2',
    headers: { 'content-type': 'text/plain', 'x-service-event': 'ticket.created' },
    errors: { token: ['The token field is required.'] },
  }
  await server.fetch('/api/webhooks/1/errors?page=2&name=ada', {
    method: 'POST',
    headers: { 'idempotency-key': 'k-1', 'x-request-id': 'r-1' },
    body: JSON.stringify(body),
  })
  expect(server.journal.entries()[0]).toMatchObject({
    query: { page: '2', name: 'ada' },
    request: { headers: { 'idempotency-key': 'k-1', 'x-request-id': 'r-1' }, body },
  })
})
