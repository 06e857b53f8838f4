import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { setTransport } from '../../src/testing/observed-request.ts'
import { collectedLog } from '../collected-log.ts'
import { createStorage, onEveryTestStore } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'

const adminToken = 'admin_token_of_enough_characters'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', ...options })
  onTestFinished(() => server.close())
  const { workspace, token, member } = await seedWorkspace(server)
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    call(server, { method: 'POST', path, token, body, headers })
  return { server, workspace, token, member, path, create }
}

test('an entry describes a request without its secrets', async () => {
  const { server, workspace, token, path, create } = await start()
  await create({ title: 'Printer', tags: ['a'], password: 'hunter2' }, { 'x-device-secret': 'hush-hush' })
  const [entry] = server.journal.entries()
  expect(entry).toMatchObject({
    sequence: 1,
    at: new Date('2026-01-01T00:00:00Z'),
    transport: 'in process',
    operation: 'tickets.create',
    workspace: workspace.id,
    method: 'POST',
    path,
    query: {},
    auth: { kind: 'token', id: 1, hint: token.slice(-4) },
    request: {
      headers: { authorization: 'Bearer [masked]', 'x-device-secret': '[masked]', 'content-type': 'application/json' },
      body: { title: 'Printer', tags: ['a'], password: '[masked]' },
    },
    response: {
      status: 201,
      headers: { 'content-type': 'application/json', 'x-ratelimit-limit': '120' },
      body: { data: { id: 1, title: 'Printer' } },
    },
    error: undefined,
    fault: undefined,
    violations: [],
  })
  expect(entry?.durationMs).toBeGreaterThan(0)
  expect(entry?.realAt.getTime()).toBeGreaterThan(Date.parse('2026-06-01'))
  const text = JSON.stringify(server.journal.entries())
  for (const secret of [token, 'hunter2', 'hush-hush']) expect(text).not.toContain(secret)
})

onEveryTestStore('the journal', (startOn) => {
  test('counts the rows that a request changed, by table, and none if it was rolled back', async () => {
    const server = await startOn({
      journal: true,
      adminToken,
      encryptionKey: 'a key of thirty-two characters at least',
      log: collectedLog(),
      hooks: {
        ticketCreated({ title }) {
          if (title === 'Undo') throw new Error('No.')
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const send = (body: unknown) => call(server, { method: 'POST', path, token, body })
    await Promise.all([send({ title: 'Printer', tags: ['a', 'b'] }), send({ title: 'Undo' })])
    await call(server, { path, token })
    const [recorded, undone] = ['Printer', 'Undo'].map((title) => server.expectRequest({ body: { title } })[0]?.rows)
    expect(recorded).toEqual([
      { table: 'events', inserted: 1, updated: 0, deleted: 0 },
      { table: 'ticket_counters', inserted: 1, updated: 0, deleted: 0 },
      { table: 'tickets', inserted: 1, updated: 0, deleted: 0 },
    ])
    expect(undone).toEqual([])
    const { id } = await server.admin.webhooks.create(
      { workspace: workspace.id },
      { url: 'https://app.test', events: ['*'] },
    )
    const hook = `/admin/v1/workspaces/${workspace.id}/webhooks/${id}`
    await call(server, { method: 'PATCH', path: hook, token: adminToken, body: { description: 'Changed' } })
    await call(server, { method: 'DELETE', path: hook, token: adminToken })
    const [changed, removed] = server.journal.find({ path: hook }).map(({ rows }) => rows)
    expect(changed).toContainEqual({ table: 'subscriptions', inserted: 0, updated: 1, deleted: 0 })
    expect(removed).toContainEqual({ table: 'subscription_events', inserted: 0, updated: 0, deleted: 1 })
    expect(server.expectRequest({ operation: 'tickets.list' })[0]?.rows).toEqual([])
  })
})

test('work of the delivery worker does not count toward the request that caused it', async () => {
  const { server, create } = await start()
  const inbox = server.webhooks.capture()
  await inbox.ready
  for (let sent = 0; sent < 5; sent += 1) {
    await create({ title: `Ticket ${sent}` })
    await server.settled()
  }
  const tables = server.journal.find({ operation: 'tickets.create' }).map(({ rows }) => rows.map(({ table }) => table))
  const caused = ['deliveries', 'events', 'ticket_counters', 'tickets', 'unrouted_events']
  expect(tables).toEqual(Array.from({ length: 5 }, () => caused))
  expect(inbox.all()).toHaveLength(5)
})

test('a rejected request is recorded with its unread body', async () => {
  const { server, path } = await start()
  await call(server, { method: 'POST', path, token: 'service_wrong', body: { title: 'Printer' } })
  expect(server.journal.entries()).toMatchObject([
    { auth: { kind: 'token', hint: 'rong' }, request: { body: { title: 'Printer' } }, response: { status: 401 } },
  ])
  expect(server.journal.entries()[0]?.auth).not.toHaveProperty('id')
})

test('an incomplete body does not delay a rejection', async () => {
  const { server, path } = await start()
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"title":')) })
  const response = await server.fetch(path, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(response.status).toBe(401)
  expect(server.journal.entries()).toMatchObject([{ request: { body: undefined }, response: { status: 401 } }])
})

test('the response reaches the caller unchanged', async () => {
  const { server, token, path } = await start()
  const response = await server.fetch(path, { headers: { authorization: `Bearer ${token}` } })
  expect(response.bodyUsed).toBe(false)
  expect(await response.json()).toEqual({ data: [] })
})

test('each transport is named, and requests over a port are recorded completely', async () => {
  const { server, token, path } = await start()
  const { url } = await server.listen()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await fetch(`${url}${path}?a=1`, { method: 'POST', headers, body: '{"title":"Over a port"}' })
  await server.fetch(setTransport(new Request(`http://service.test${path}`, { headers }), 'msw'))
  expect(server.journal.entries()).toMatchObject([
    { transport: 'port', query: { a: '1' }, request: { body: { title: 'Over a port' } }, response: { status: 201 } },
    { transport: 'msw', response: { status: 200 } },
  ])
})

test('a secret header is recorded by its kind', async () => {
  const { server, workspace } = await start()
  const path = `/api/webhooks/${workspace.id}/attendance`
  for (const name of ['x-service-webhook-secret', 'x-device-secret', 'x-other']) {
    await call(server, { method: 'POST', path, body: {}, headers: { [name]: 'hush' } })
  }
  const kinds = server.journal.entries().map(({ auth }) => auth.kind)
  expect(kinds).toEqual(['webhook secret', 'device secret', 'none'])
})

test('a full journal drops its oldest entries, and long bodies are not stored', async () => {
  const { server, create } = await start({ journal: { limit: 3, bodyLimit: 100 }, rateLimit: 'off' })
  for (let sent = 1; sent <= 5; sent += 1) await create({ title: `Ticket ${sent}`, description: 'x'.repeat(sent * 20) })
  expect(server.journal.entries().map(({ sequence }) => sequence)).toEqual([3, 4, 5])
  expect(server.journal.entries().map(({ request }) => request.body)).toEqual([
    { title: 'Ticket 3', description: 'x'.repeat(60) },
    undefined,
    undefined,
  ])
})

test('reset empties the journal, and a fork has its own', async () => {
  const { server, create } = await start()
  await create({ title: 'Printer' })
  const fork = await server.fork()
  onTestFinished(() => fork.close())
  await fork.fetch('/livez')
  expect(fork.journal.entries()).toMatchObject([{ sequence: 1, path: '/livez', operation: undefined }])
  expect(server.journal.entries()).toMatchObject([{ sequence: 1, operation: 'tickets.create' }])
  await server.reset()
  await server.fetch('/readyz')
  expect(server.journal.entries()).toMatchObject([{ sequence: 1, path: '/readyz' }])
})

test('a server without a journal rejects access to it', async () => {
  const { server, create } = await start({ journal: false })
  expect((await create({ title: 'Printer' })).status).toBe(201)
  expect(() => server.journal.entries()).toThrow('This server keeps no journal')
  expect(() => server.expectRequest({})).toThrow(TypeError)
})

test('a server with a database has a journal only on request', async () => {
  const { options, remove } = await createStorage('sqlite')
  onTestFinished(remove)
  const server = await createTestServer(options)
  onTestFinished(() => server.close())
  await server.fetch('/livez')
  expect(() => server.journal.entries()).toThrow('`journal: true`')
})

test('an entry names its fault and the error of the caller', async () => {
  const { server, create } = await start()
  server.faults.add({ match: { operation: 'tickets.create' }, times: 1, respond: 503, name: 'maintenance' })
  server.faults.add({ match: { operation: 'tickets.create' }, times: 1, connection: 'reset', when: 'after' })
  await create({ title: 'Before' })
  await expect(create({ title: 'Lost' })).rejects.toThrow('fetch failed')
  expect(server.journal.entries()).toMatchObject([
    { fault: 'maintenance', request: { body: { title: 'Before' } }, response: { status: 503 }, rows: [] },
    { error: 'ECONNRESET', request: { body: { title: 'Lost' } }, response: undefined },
  ])
  expect(server.journal.entries()[1]?.rows).toContainEqual({ table: 'tickets', inserted: 1, updated: 0, deleted: 0 })
})

test('toHAR exports requests with masked secrets and failures', async () => {
  const { server, token, path, create } = await start()
  await create({ title: 'Printer', password: 'hunter2' })
  server.faults.add({ connection: 'reset' })
  await expect(server.fetch(`${path}?page=2`)).rejects.toThrow('fetch failed')
  server.faults.clear()
  await server.fetch(new Request(`${server.origin}//host.example/x`))
  const har = JSON.parse(JSON.stringify(server.journal.toHAR()))
  expect(har.log).toMatchObject({
    version: '1.2',
    entries: [
      {
        request: {
          method: 'POST',
          postData: { mimeType: 'application/json', text: expect.stringContaining('Printer') },
        },
        response: { status: 201, statusText: 'Created', content: { mimeType: 'application/json' } },
        timings: { send: 0, receive: 0 },
      },
      {
        request: { method: 'GET', queryString: [{ name: 'page', value: '2' }] },
        response: { status: 0, statusText: 'ECONNRESET' },
      },
      { request: { url: `${server.origin}//host.example/x` }, response: { status: 404 } },
    ],
  })
  expect(new URL(har.log.entries[1].request.url)).toMatchObject({ pathname: path, search: '?page=2' })
  for (const secret of [token, 'hunter2']) expect(JSON.stringify(har)).not.toContain(secret)
})
