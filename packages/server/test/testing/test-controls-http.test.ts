import { routeFinder } from '@service/contract/match-routes'
import { controlRoutes } from '@service/contract/test-controls'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { checkAnswer } from '../checking-fetch.ts'

const findRoute = routeFinder(controlRoutes)

const adminToken = 'test-controls-admin-token'
const base = '/admin/v1/test'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({
    seed: 'demo',
    clock: '2026-01-01T00:00:00Z',
    testControls: true,
    adminToken,
    ...options,
  })
  onTestFinished(() => server.close())
  /** Asks as a test in another language does. */
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await server.fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) }),
    })
    const route = findRoute(method, `${base}${path}`)?.route
    if (route !== undefined) await checkAnswer(route, response.clone())
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, json: isJson ? JSON.parse(bytes.toString()) : undefined, bytes }
  }
  const titles = async () => (await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)
  return { server, ask, titles }
}

test('without the option there is nothing to move the server with', async () => {
  const server = await createTestServer({ adminToken })
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${adminToken}` }
  expect((await server.fetch(`${base}/reset`, { method: 'POST', headers })).status).toBe(404)
})

test('the option asks for the token that guards it', async () => {
  await expect(createTestServer({ testControls: true })).rejects.toThrow(
    '`testControls` needs `adminToken`: requests to the test controls must carry it.',
  )
})

test('every control asks for the token of administration', async () => {
  const { server } = await start()
  const statuses = await Promise.all(
    controlRoutes.map(
      async ({ method, path }) => (await server.fetch(`${base}${path.replaceAll(/\{\w+\}/g, '1')}`, { method })).status,
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([401]))
  const headers = { authorization: `Bearer ${server.seeded.token}` }
  expect((await server.fetch(`${base}/clock`, { headers })).status).toBe(401)
})

test('what is asked of the controls stands in no journal', async () => {
  const { server, ask } = await start()
  await ask('GET', '/clock')
  await ask('GET', '/journal')
  expect(server.journal.entries()).toEqual([])
})

test('a snapshot goes out as bytes and comes back as bytes', async () => {
  const { server, ask, titles } = await start()
  const before = await titles()
  const { bytes } = await ask('GET', '/snapshot')
  await server.create.ticket({ title: 'Gone in a moment' })
  expect((await ask('POST', '/restore', bytes)).status).toBe(204)
  expect(await titles()).toEqual(before)
  expect(await ask('POST', '/restore', Buffer.from('nonsense'))).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('The bytes are not a snapshot') },
  })
})

test('states are saved, listed and loaded by their name', async () => {
  const { ask, titles, server } = await start()
  await server.create.ticket({ title: 'Paid' })
  await ask('POST', '/states/paid/save')
  await server.create.ticket({ title: 'Refunded' })
  await ask('POST', '/states/paid/load')
  expect((await titles())[0]).toBe('Paid')
  expect((await ask('GET', '/states')).json).toEqual({ data: ['paid'] })
})

test('faults are listed with their hits, and removed one by one or all', async () => {
  const { server, ask } = await start()
  const { json } = await ask('POST', '/faults', { match: { operation: 'tickets.list' }, respond: 503 })
  const list = () =>
    server.fetch('/api/v1/workspaces/1/tickets', { headers: { authorization: `Bearer ${server.seeded.token}` } })
  expect((await list()).status).toBe(503)
  expect((await ask('GET', '/faults')).json.data).toMatchObject([{ hits: 1, match: { operation: 'tickets.list' } }])
  await ask('DELETE', `/faults/${json.data.id}`)
  expect((await list()).status).toBe(200)
  expect((await ask('DELETE', `/faults/${json.data.id}`)).status).toBe(404)
  await ask('POST', '/faults', { respond: 500 })
  await ask('DELETE', '/faults')
  expect((await list()).status).toBe(200)
})

test('quirks and limits are switched, and refused in words', async () => {
  const { ask } = await start()
  expect((await ask('POST', '/quirks', { created_status: 200 })).json.data).toMatchObject({ created_status: 200 })
  expect((await ask('POST', '/limits', { requests_per_minute: 5 })).json.data).toEqual({ requests_per_minute: 5 })
  expect(await ask('POST', '/quirks', { create_status: 200 })).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('There is no field create_status here') },
  })
  expect(await ask('POST', '/quirks', { created_status: 204 })).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('`created_status` must be 201 or 200') },
  })
})

test('an expectation that fails answers 409 with the near miss, and a wait in vain says what came', async () => {
  const { ask } = await start()
  expect(await ask('POST', '/expect', { match: { operation: 'tickets.create' } })).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('tickets.create') },
  })
  expect(await ask('POST', '/wait', { match: { operation: 'tickets.create' }, timeout_ms: 1 })).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('waited 1 ms') },
  })
})

test('a delivery fault begins and ends', async () => {
  const { server, ask } = await start()
  const inbox = server.webhooks.capture('ticket.created')
  const { json } = await ask('POST', '/delivery-faults', { duplicate: 1 })
  await server.create.ticket()
  await server.settled()
  expect(inbox.arrivals()).toHaveLength(2)
  await ask('DELETE', `/delivery-faults/${json.data.id}`)
  await server.create.ticket()
  await server.settled()
  expect(inbox.arrivals()).toHaveLength(3)
})

test('a fork listens on a port of its own and closes with its server', async () => {
  const { server, ask } = await start()
  const { json } = await ask('POST', '/forks')
  const headers = { authorization: `Bearer ${server.seeded.token}` }
  expect((await fetch(`${json.data.base_url}/workspaces/1/tickets`, { headers })).status).toBe(200)
  await server.close()
  await expect(fetch(`${json.data.base_url}/workspaces/1/tickets`, { headers })).rejects.toThrow('fetch failed')
})

test('bad input is told by its field', async () => {
  const { ask } = await start()
  expect(await ask('POST', '/clock/advance', {})).toMatchObject({
    status: 422,
    json: { errors: { by: expect.anything() } },
  })
  expect(await ask('POST', '/create/nothing', {})).toMatchObject({ status: 404 })
  expect(await ask('POST', '/trigger', { event: 'ticket.exploded' })).toMatchObject({ status: 422 })
})

test('a workspace that does not exist is 404, where events are triggered and where they are captured', async () => {
  const { ask } = await start()
  const missing = { status: 404, json: { message: 'The workspace 99 was not found.' } }
  expect(await ask('POST', '/trigger', { event: 'ticket.created', workspace: 99 })).toMatchObject(missing)
  expect(await ask('POST', '/inboxes', { workspace: 99 })).toMatchObject(missing)
})

test('an inbox that a reset has closed answers 409 and says so', async () => {
  const { ask } = await start()
  const { json } = await ask('POST', '/inboxes', {})
  await ask('POST', '/reset')
  expect(await ask('POST', `/inboxes/${json.data.id}/next`, { timeout_ms: 1 })).toMatchObject({
    status: 409,
    json: { message: 'The inbox is closed: the server was reset or has closed.' },
  })
})

test('only a snapshot may be larger than a body of the platform', async () => {
  const { ask } = await start()
  const large = Buffer.alloc(1024 * 1024 + 1, 'a')
  expect((await ask('POST', '/create/ticket', large)).status).toBe(413)
  expect((await ask('POST', '/restore', large)).status).toBe(422)
})

test.each([1e300, '99999999999d', '73000d 73000d'])(
  'a clock put forward by %s answers 422 and the server works on',
  async (by) => {
    const { server, ask } = await start()
    expect(await ask('POST', '/clock/advance', { by })).toMatchObject({ status: 422 })
    expect(await ask('POST', '/clock/set', { at: '9999-12-31T00:00:00Z' })).toMatchObject({ status: 422 })
    expect(await ask('GET', '/clock')).toMatchObject({
      status: 200,
      json: { data: { now: '2026-01-01T00:00:00.000Z' } },
    })
    await server.create.ticket()
    await server.settled()
  },
)
