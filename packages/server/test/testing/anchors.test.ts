import { createClient } from '@service/client'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { mswHandlers } from '../../src/testing/entries/msw.ts'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'

// What users of other stand-ins ask for most, one test for each, named after the thread in which they ask.

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z', ...options })
  onTestFinished(() => server.close().catch(() => undefined))
  return { server, client: clientOf(server) }
}

const clientOf = (server: TestServer, baseUrl = `${server.origin}/api/v1`) =>
  createClient({
    baseUrl,
    token: server.seeded.token ?? 'none',
    workspace: server.seeded.workspace ?? 1,
    fetch: (request) => server.fetch(request),
    maxRetries: 0,
  })

const titles = async (client: ReturnType<typeof clientOf>) => (await client.tickets.list()).map(({ title }) => title)

test('stripe-mock #19, prism #1706: it remembers what was posted', async () => {
  const { client } = await start()
  const made = await client.tickets.create({ title: 'Remember me', priority: 'low' })
  expect((await client.tickets.list())[0]).toMatchObject({ id: made.id, title: 'Remember me', priority: 'low' })
})

test('mockoon #1339, Azurite #588: a clean slate without a restart', async () => {
  const { server, client } = await start()
  const { url } = await server.listen()
  const before = await titles(client)
  await client.tickets.create({ title: 'Dirt' })
  await server.reset()
  expect(await titles(client)).toEqual(before)
  expect((await fetch(`${url}/livez`)).status).toBe(200)
})

test('workos/emulate: events still fire after a reset', async () => {
  const { server, client } = await start()
  await server.reset()
  const inbox = server.webhooks.capture('ticket.created')
  await client.tickets.create({ title: 'After the reset' })
  expect((await inbox.next('ticket.created')).event.ticket.title).toBe('After the reset')
})

test('aimock, emulate: reset puts back the rate limit too, and a part by its name leaves the rest', async () => {
  const { server, client } = await start()
  server.limits.set({ requestsPerMinute: 1 })
  await client.tickets.list()
  await expect(client.tickets.list()).rejects.toMatchObject({ status: 429 })
  await server.reset({ only: ['journal'] })
  expect(server.journal.entries()).toEqual([])
  await expect(client.tickets.list()).rejects.toMatchObject({ status: 429 })
  await server.reset()
  expect(server.limits.requestsPerMinute).toBe(120)
  await client.tickets.list()
})

test('emulate #60, LocalStack #4613: states with names, and snapshots that another server takes up', async () => {
  const { server, client } = await start()
  await client.tickets.create({ title: 'Paid' })
  await server.states.save('paid')
  await client.tickets.create({ title: 'Refunded' })
  await server.states.load('paid')
  expect((await titles(client))[0]).toBe('Paid')
  const { server: other } = await start({ seed: 'empty' })
  await other.restore(await server.snapshot())
  expect((await other.admin.tickets.list({ workspace: 1 })).data[0]?.title).toBe('Paid')
})

test('WireMock #169, msw #474: tests that run at once do not see each other', async () => {
  const { server } = await start()
  const seen = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await using mine = await server.fork()
      const client = clientOf(mine)
      await client.tickets.create({ title: `Mine ${index}` })
      return (await titles(client)).filter((title) => title.startsWith('Mine'))
    }),
  )
  expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => [`Mine ${index}`]))
})

test('WireMock #2418 and #943: waits for a call that comes later, without polling', async () => {
  const { server, client } = await start()
  const waiting = server.waitFor({ operation: 'tickets.create' })
  await client.tickets.list()
  await client.tickets.create({ title: 'At last' })
  expect((await waiting).request.body).toEqual({ title: 'At last' })
})

test('msw #866: says what was sent, and how the nearest request differs', async () => {
  const { server, client } = await start()
  await client.tickets.create({ title: 'Printer', priority: 'low' })
  server.expectRequest({ operation: 'tickets.create', body: { title: 'Printer' } }, { times: 1 })
  expect(() => server.expectRequest({ operation: 'tickets.create', body: { priority: 'high' } })).toThrow(
    /priority[\s\S]*high[\s\S]*low/,
  )
})

test('nock #788, pactum #377: the connection drops after the headers, or before', async () => {
  const { server, client } = await start()
  const base = (await server.listen()).url
  const list = () =>
    fetch(`${base}/api/v1/workspaces/1/tickets`, { headers: { authorization: `Bearer ${server.seeded.token}` } })
  server.faults.add({ connection: 'reset-mid-body', times: 1 })
  const cut = await list()
  expect(cut.status).toBe(200)
  await expect(cut.text()).rejects.toThrow()
  server.faults.add({ connection: 'reset', times: 1 })
  await expect(list()).rejects.toMatchObject({ cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) } })
  expect(await titles(client)).not.toEqual([])
})

test('prism #1140, json-server #1558: answers come late, before the write or after it', async () => {
  const { server, client } = await start()
  server.faults.add({
    match: { operation: 'tickets.create' },
    latency: '1h',
    clock: 'virtual',
    when: 'after',
    times: 1,
  })
  const creating = client.tickets.create({ title: 'Slow' })
  await server.settled()
  expect(await titles(client)).toContain('Slow')
  await server.clock.advance('1h')
  expect((await creating).title).toBe('Slow')
})

test('stripe-cli #435, stripe-mock #248: what the double does is told by its own webhooks, in CI and without a cloud', async () => {
  const { server, client } = await start()
  const inbox = server.webhooks.capture('*')
  const { id } = await client.tickets.create({ title: 'Told' })
  expect((await inbox.next()).event).toMatchObject({ event: 'ticket.created', ticket: { id } })
})

test('workos/emulate: a receiver that fails is tried again, and nobody has to poll', async () => {
  const { server, client } = await start()
  const inbox = server.webhooks.capture('ticket.created')
  inbox.respondWith(500, 500, 200)
  await client.tickets.create({ title: 'Thrice' })
  await server.clock.advance('1h')
  expect((await inbox.next()).attempt).toBe(3)
})

test("workos/emulate #74: a webhook's secret stands in the seed", async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const { server } = await start({
    seed: { workspaces: [{ name: 'Acme', subscriptions: [{ url: 'https://app.test/hooks', events: ['*'], secret }] }] },
  })
  const received: Request[] = []
  using _ = server.webhooks.receive('https://app.test/hooks', (request) => {
    received.push(request)
    return new Response(null, { status: 204 })
  })
  await server.create.ticket({ title: 'Signed' })
  await server.settled()
  const { verifyRequest } = await import('@service/webhooks')
  const [request] = received
  expect(request === undefined ? undefined : await verifyRequest(request, { secret })).toMatchObject({
    type: 'ticket.created',
  })
})

test('mimic #31, moto: time travels, and what falls due on the way is done', async () => {
  const { server } = await start()
  const { token } = await server.tokens.issue({ expiresIn: '24h' })
  const ask = () => server.fetch('/api/v1/workspaces/1/tickets', { headers: { authorization: `Bearer ${token}` } })
  expect((await ask()).status).toBe(200)
  await server.clock.advance('25h')
  expect((await ask()).status).toBe(401)
})

test('mockforge #849, mockserver #1147: a request that the real service would refuse is found, with its path', async () => {
  const { server } = await start({ contract: 'throw' })
  await server.fetch('/api/v1/workspaces/1/tickets', {
    method: 'POST',
    headers: { authorization: `Bearer ${server.seeded.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Typo', prioritty: 'high' }),
  })
  expect(() => server.verify()).toThrow(/tickets\.create[\s\S]*prioritty/)
})

test('emulate: a token that nobody issued, or that was revoked, opens nothing', async () => {
  const { server } = await start()
  const ask = (token: string) =>
    server.fetch('/api/v1/workspaces/1/tickets', { headers: { authorization: `Bearer ${token}` } })
  const issued = await server.tokens.issue()
  await server.tokens.revoke(issued)
  expect([(await ask('nonsense')).status, (await ask(issued.token)).status]).toEqual([401, 401])
})

test('got #1182, emulate: rate limits are what the test says, and 429 comes with Retry-After', async () => {
  const { server, client } = await start()
  server.limits.set({ requestsPerMinute: 2 })
  await client.tickets.list()
  await client.tickets.list()
  await expect(client.tickets.list()).rejects.toMatchObject({ status: 429 })
  expect(server.journal.find({ operation: 'tickets.list' }).at(-1)?.response?.headers['retry-after']).toBe('60')
})

test('flow-js-testing #113: many servers at once never meet on a port', async () => {
  const { server } = await start()
  const ports = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const fork = await server.fork()
      onTestFinished(() => fork.close())
      return (await fork.listen()).port
    }),
  )
  expect(new Set(ports).size).toBe(10)
})

test('msw, and the double behind it: one state through the interception, the port and the process', async () => {
  const { server, client } = await start()
  const msw = setupServer(...mswHandlers(server, { origin: 'https://api.example.com' }))
  msw.listen({ onUnhandledFrame: 'bypass' })
  onTestFinished(() => msw.close())
  const headers = { authorization: `Bearer ${server.seeded.token}`, 'content-type': 'application/json' }
  const create = (origin: string, title: string) =>
    fetch(`${origin}/api/v1/workspaces/1/tickets`, { method: 'POST', headers, body: JSON.stringify({ title }) })
  await create('https://api.example.com', 'Through MSW')
  await create((await server.listen()).url, 'Through a port')
  expect((await titles(client)).slice(0, 2)).toEqual(['Through a port', 'Through MSW'])
})
