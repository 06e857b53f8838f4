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
  const send = async (method: string, path: string, body?: unknown) => {
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
  return { server, send, titles }
}

test('the controls are not served without the option', async () => {
  const server = await createTestServer({ adminToken })
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${adminToken}` }
  expect((await server.fetch(`${base}/reset`, { method: 'POST', headers })).status).toBe(404)
})

test('the option requires an admin token', async () => {
  await expect(createTestServer({ testControls: true })).rejects.toThrow(
    '`testControls` needs `adminToken`: requests to the test controls must carry it.',
  )
})

test('every control requires the admin token', async () => {
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

test('requests to the controls are not recorded', async () => {
  const { server, send } = await start()
  await send('GET', '/clock')
  await send('GET', '/journal')
  expect(server.journal.entries()).toEqual([])
})

test('a snapshot is sent and restored as bytes', async () => {
  const { server, send, titles } = await start()
  const before = await titles()
  const { bytes } = await send('GET', '/snapshot')
  await server.create.ticket({ title: 'Gone in a moment' })
  expect((await send('POST', '/restore', bytes)).status).toBe(204)
  expect(await titles()).toEqual(before)
  expect(await send('POST', '/restore', Buffer.from('nonsense'))).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('The bytes are not a snapshot') },
  })
})

test('states are saved, listed, and loaded by name', async () => {
  const { send, titles, server } = await start()
  await server.create.ticket({ title: 'Paid' })
  await send('POST', '/states/paid/save')
  await server.create.ticket({ title: 'Refunded' })
  await send('POST', '/states/paid/load')
  expect((await titles())[0]).toBe('Paid')
  expect((await send('GET', '/states')).json).toEqual({ data: ['paid'] })
})

test('faults are listed with their hits and removed', async () => {
  const { server, send } = await start()
  const { json } = await send('POST', '/faults', { match: { operation: 'tickets.list' }, respond: 503 })
  const list = () =>
    server.fetch('/api/v1/workspaces/1/tickets', { headers: { authorization: `Bearer ${server.seeded.token}` } })
  expect((await list()).status).toBe(503)
  expect((await send('GET', '/faults')).json.data).toMatchObject([{ hits: 1, match: { operation: 'tickets.list' } }])
  await send('DELETE', `/faults/${json.data.id}`)
  expect((await list()).status).toBe(200)
  expect((await send('DELETE', `/faults/${json.data.id}`)).status).toBe(404)
  await send('POST', '/faults', { respond: 500 })
  await send('DELETE', '/faults')
  expect((await list()).status).toBe(200)
})

test('quirks and limits are changed, and invalid ones rejected', async () => {
  const { send } = await start()
  expect((await send('POST', '/quirks', { created_status: 200 })).json.data).toMatchObject({ created_status: 200 })
  expect((await send('POST', '/limits', { requests_per_minute: 5 })).json.data).toEqual({ requests_per_minute: 5 })
  expect(await send('POST', '/quirks', { create_status: 200 })).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('There is no field create_status here') },
  })
  expect(await send('POST', '/quirks', { created_status: 204 })).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('`created_status` must be 201 or 200') },
  })
})

test('a failed expectation gets 409 with the closest request, and a timeout with the received ones', async () => {
  const { send } = await start()
  expect(await send('POST', '/expect', { match: { operation: 'tickets.create' } })).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('tickets.create') },
  })
  expect(await send('POST', '/wait', { match: { operation: 'tickets.create' }, timeout_ms: 1 })).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('waited 1 ms') },
  })
})

test('a delivery fault is added and removed', async () => {
  const { server, send } = await start()
  const inbox = server.webhooks.capture('ticket.created')
  const { json } = await send('POST', '/delivery-faults', { duplicate: 1 })
  await server.create.ticket()
  await server.settled()
  expect(inbox.arrivals()).toHaveLength(2)
  await send('DELETE', `/delivery-faults/${json.data.id}`)
  await server.create.ticket()
  await server.settled()
  expect(inbox.arrivals()).toHaveLength(3)
})

test('invalid input is reported by field', async () => {
  const { send } = await start()
  for (const [body, problem] of [
    [{}, 'is required'],
    [{ by: true }, 'must be a string or a number'],
  ] as const)
    expect(await send('POST', '/clock/advance', body)).toMatchObject({
      status: 422,
      json: { errors: { by: [`The by field ${problem}.`] } },
    })
  expect(await send('POST', '/create/nothing', {})).toMatchObject({ status: 404 })
  expect(await send('POST', '/trigger', { event: 'ticket.exploded' })).toMatchObject({ status: 422 })
  expect(await send('GET', '/journal?status=')).toMatchObject({
    status: 422,
    json: { errors: { status: expect.anything() } },
  })
})

test('an unknown workspace gets 404 when triggering and capturing', async () => {
  const { send } = await start()
  const missing = { status: 404, json: { message: 'The workspace 99 was not found.' } }
  expect(await send('POST', '/trigger', { event: 'ticket.created', workspace: 99 })).toMatchObject(missing)
  expect(await send('POST', '/inboxes', { workspace: 99 })).toMatchObject(missing)
})

test('an inbox closed by a reset gets 409', async () => {
  const { send } = await start()
  const { json } = await send('POST', '/inboxes', {})
  await send('POST', '/reset')
  expect(await send('POST', `/inboxes/${json.data.id}/next`, { timeout_ms: 1 })).toMatchObject({
    status: 409,
    json: { message: 'The inbox is closed: the server was reset or has closed.' },
  })
})

test('only a snapshot may exceed the body limit', async () => {
  const { send } = await start()
  const large = Buffer.alloc(1024 * 1024 + 1, 'a')
  expect((await send('POST', '/create/ticket', large)).status).toBe(413)
  expect((await send('POST', '/restore', large)).status).toBe(422)
})

test.each([1e300, '99999999999d', '73000d 73000d'])(
  'advancing the clock by %s gets 422 and the server keeps working',
  async (by) => {
    const { server, send } = await start()
    expect(await send('POST', '/clock/advance', { by })).toMatchObject({ status: 422 })
    expect(await send('POST', '/clock/set', { at: '9999-12-31T00:00:00Z' })).toMatchObject({ status: 422 })
    expect(await send('GET', '/clock')).toMatchObject({
      status: 200,
      json: { data: { now: '2026-01-01T00:00:00.000Z' } },
    })
    await server.create.ticket()
    await server.settled()
  },
)
