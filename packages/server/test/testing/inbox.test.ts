import { verifySync } from '@service/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', ...options })
  onTestFinished(() => server.close())
  const workspace = await server.admin.workspaces.create({ name: 'Acme' })
  return { server, workspace_id: workspace.id }
}

const createTicket = (server: TestServer, workspace_id: number, title = 'Printer on fire') =>
  server.admin.tickets.create({ workspace: workspace_id }, { title })

test('an inbox receives events with valid signatures', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  const { id } = await createTicket(server, workspace_id)
  const { event, body, headers, attempt, deliveryId } = await inbox.next('ticket.created')
  expect(event.ticket).toMatchObject({ id, title: 'Printer on fire' })
  expect(event.workspace_id).toBe(workspace_id)
  expect(attempt).toBe(1)
  expect(deliveryId).toBe(headers.get('webhook-id'))
  const now = () => server.clock.now().getTime()
  expect(verifySync({ body, headers, secret: inbox.secret, requireTimestamp: true, now })).toMatchObject({
    type: 'ticket.created',
    payload: event,
    delivery: { id: deliveryId, replayProtected: true },
  })
})

test('next waits for future events and returns each delivery once', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  const waiting = [inbox.next('ticket.*'), inbox.next()]
  await createTicket(server, workspace_id, 'First')
  await createTicket(server, workspace_id, 'Second')
  expect((await Promise.all(waiting)).map(({ event }) => event)).toMatchObject([
    { ticket: { title: 'First' } },
    { ticket: { title: 'Second' } },
  ])
  expect(inbox.all()).toHaveLength(2)
  await expect(inbox.next(undefined, { timeout: 1 })).rejects.toThrow('No other event arrived within 1 ms.')
})

test('an inbox receives only the requested events', async () => {
  const { server, workspace_id } = await start()
  const tasks = server.webhooks.capture('task.*')
  const some = server.webhooks.capture(['message.created', 'ticket.created'])
  await createTicket(server, workspace_id)
  await server.admin.tasks.create({ workspace: workspace_id }, { title: 'Put it out' })
  expect((await tasks.next()).event.event).toBe('task.created')
  await server.settled()
  expect(some.all().map(({ event }) => event.event)).toEqual(['ticket.created'])
  expect(tasks.all()).toHaveLength(1)
})

test('an inbox covers later workspaces unless it names one', async () => {
  const { server, workspace_id } = await start()
  const all = server.webhooks.capture()
  const own = server.webhooks.capture('*', { workspace: workspace_id })
  const later = await server.admin.workspaces.create({ name: 'Later' })
  await createTicket(server, later.id)
  await createTicket(server, workspace_id)
  await server.settled()
  expect(
    all
      .all()
      .map(({ event }) => event.workspace_id)
      .toSorted(),
  ).toEqual([workspace_id, later.id])
  expect(own.all().map(({ event }) => event.workspace_id)).toEqual([workspace_id])
})

test('next lists the received requests and the next due time on timeout', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  inbox.respondWith(500, 'reset')
  await createTicket(server, workspace_id)
  await createTicket(server, workspace_id)
  await createTicket(server, workspace_id)
  await server.settled()
  const failure = await inbox.next('task.updated', { timeout: 1 }).catch((fault: Error) => fault.message)
  expect(failure).toContain(`No 'task.updated' arrived within 1 ms. Received:
  ticket.created, attempt 1: answered 500
  ticket.created, attempt 1: answered ECONNRESET
  ticket.created, attempt 1: answered 200
The next work is due at 2026-01-01T00:00:0`)
})

test.each([
  ['timeout', 'timeout'],
  ['reset', 'reset'],
  ['refused', 'refused'],
  ['dns', 'dns'],
  [302, 'redirect'],
  [404, 'status'],
] as const)('the response %s is logged as %s and retried', async (answer, outcome) => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  inbox.respondWith(answer)
  await createTicket(server, workspace_id)
  const [delivery] = await inbox.deliveries()
  expect(delivery?.attempts).toMatchObject([{ number: 1, outcome }])
  await server.clock.advance('10s')
  expect((await inbox.next()).attempt).toBe(2)
})

test('a receiver is a function from Request to Response', async () => {
  const { server, workspace_id } = await start()
  const { secret } = await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: 'https://app.test/hooks', events: ['*'] },
  )
  const types: unknown[] = []
  server.webhooks.receive('https://app.test/hooks', async (request) => {
    const body = await request.text()
    types.push(verifySync({ body, headers: request.headers, secret }).type)
    return Response.json({ thanks: true }, { status: 202 })
  })
  await createTicket(server, workspace_id)
  await server.settled()
  expect(types).toEqual(['ticket.created'])
  const [delivery] = (await server.admin.deliveries.list({ workspace: workspace_id })).data
  const attempts = (await server.admin.deliveries.attempts({ workspace: workspace_id, id: delivery?.id ?? 0 })).data
  expect(attempts).toMatchObject([
    { status: 202, outcome: 'ok', response: '{"thanks":true}', ip: null, duration_ms: 0 },
  ])
})

test('a receiver that throws counts as 500, and Retry-After is honored', async () => {
  const { server, workspace_id } = await start()
  await server.admin.webhooks.create({ workspace: workspace_id }, { url: 'https://app.test', events: ['*'] })
  const answers = [
    () => {
      throw new TypeError('no such table')
    },
    () => new Response(null, { status: 503, headers: { 'retry-after': '3600' } }),
    () => new Response(null, { status: 204 }),
  ]
  server.webhooks.receive('https://app.test', () => answers.shift()?.() ?? Response.error())
  await createTicket(server, workspace_id)
  await server.clock.advance('59m')
  const [delivery] = (await server.admin.deliveries.list({ workspace: workspace_id })).data
  const place = { workspace: workspace_id, id: delivery?.id ?? 0 }
  const attempts = (await server.admin.deliveries.attempts(place)).data
  expect(attempts.map(({ status, response }) => [status, response])).toEqual([
    [503, null],
    [500, 'TypeError: no such table'],
  ])
  await server.clock.advance('2m')
  expect(await server.admin.deliveries.get(place)).toMatchObject({
    state: 'succeeded',
    attempts: 3,
  })
})

test('a receiver that hangs is aborted after the delivery timeout', async () => {
  const { server, workspace_id } = await start({ deliveryTimeoutMs: 30 })
  let signal: AbortSignal | undefined
  await server.admin.webhooks.create({ workspace: workspace_id }, { url: 'https://app.test', events: ['*'] })
  server.webhooks.receive('https://app.test', (request) => {
    signal = request.signal
    return new Promise(() => undefined)
  })
  await createTicket(server, workspace_id)
  await server.settled()
  const [delivery] = (await server.admin.deliveries.list({ workspace: workspace_id })).data
  expect(delivery?.error).toContain('did not respond in time')
  expect(signal?.aborted).toBe(true)
})

test('reset and close end an inbox and abort a receiver that hangs', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture('*', { respond: () => new Promise(() => undefined) })
  const waiting = inbox.next()
  await createTicket(server, workspace_id)
  await Promise.all([server.reset(), expect(waiting).rejects.toThrow('The inbox is closed')])
  await expect(inbox.next()).rejects.toThrow('The inbox is closed')
  const fresh = server.webhooks.capture('*', { respond: () => new Promise(() => undefined) })
  const { id } = await server.admin.workspaces.create({ name: 'Acme' })
  await createTicket(server, id)
  const last = fresh.next()
  await Promise.all([server.close(), expect(last).rejects.toThrow('The inbox is closed')])
  await expect(fresh.next()).rejects.toThrow('This server is closed')
})

test('two runs after a reset are identical', async () => {
  const { server } = await start()
  const run = async () => {
    await server.reset()
    const { id } = await server.admin.workspaces.create({ name: 'Acme' })
    const inbox = server.webhooks.capture()
    await createTicket(server, id)
    const { headers, body } = await inbox.next()
    return { url: inbox.url, secret: inbox.secret, headers: [...headers], body: Buffer.from(body).toString() }
  }
  expect(await run()).toEqual(await run())
})

test('an inbox can be closed after its server was reset, restored, or closed', async () => {
  const { server, workspace_id } = await start()
  const first = server.webhooks.capture()
  await server.reset()
  const { id } = await server.admin.workspaces.create({ name: 'Acme' })
  const other = await server.admin.webhooks.create({ workspace: id }, { url: 'https://app.test', events: ['*'] })
  await first.close()
  await server.states.save('before')
  const second = server.webhooks.capture('*', { workspace: id })
  await server.settled()
  await server.states.load('before')
  const third = await server.admin.webhooks.create({ workspace: id }, { url: 'https://app.test', events: ['*'] })
  await second.close()
  expect(
    (await server.admin.webhooks.list({ workspace: workspace_id })).data.map((each) => each.id).toSorted(),
  ).toEqual([other.id, third.id])
  const last = server.webhooks.capture()
  await server.close()
  await last.close()
})

test.each(['states.load', 'restore'] as const)('after %s, an inbox receives events whose ids repeat', async (how) => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture('ticket.created')
  await inbox.ready
  const snapshot = await server.snapshot()
  await server.states.save('start')
  const restore = () => (how === 'restore' ? server.restore(snapshot) : server.states.load('start'))
  for (const title of ['First', 'Second', 'Third']) {
    await restore()
    await createTicket(server, workspace_id, title)
    expect((await inbox.next('ticket.created')).event.ticket.title).toBe(title)
    await createTicket(server, workspace_id, 'Unread')
    await server.settled()
    expect(inbox.all()).toHaveLength(2)
  }
  await restore()
  expect(inbox.all()).toEqual([])
  expect(new Set(inbox.arrivals().map(({ deliveryId }) => deliveryId)).size).toBe(2)
  await createTicket(server, workspace_id)
  expect(await inbox.deliveries()).toHaveLength(1)
  server.webhooks.deliveryFaults.add({ duplicate: 1 })
  await createTicket(server, workspace_id)
  for (const _ of [1, 2]) await inbox.next()
  const before = '  ticket.created, attempt 1: answered 200 (before a state was restored)\n'.repeat(6)
  const after = ['already returned', 'already returned', 'a duplicate'].map(
    (why) => `  ticket.created, attempt 1: answered 200 (${why})`,
  )
  await server.settled()
  await expect(inbox.next('ticket.created', { timeout: 1 })).rejects.toThrow(
    `No other 'ticket.created' arrived within 1 ms. Received:\n${before}${after.join('\n')}`,
  )
})

test('an inbox closes if the restored state has no subscription for it', async () => {
  const server = await createTestServer({ seed: 'demo' })
  onTestFinished(() => server.close())
  const snapshot = await server.snapshot()
  await server.states.save('before')
  for (const restore of [() => server.states.load('before'), () => server.restore(snapshot)]) {
    const inbox = server.webhooks.capture()
    const waiting = expect(inbox.next()).rejects.toThrow('The inbox is closed: the restored state has no subscription')
    await restore()
    await waiting
    await expect(inbox.next()).rejects.toThrow(
      'The inbox is closed: the restored state has no subscription for this inbox.',
    )
    await inbox.close()
  }
  await using fresh = server.webhooks.capture('ticket.created')
  await server.create.ticket()
  expect((await fresh.next()).event.event).toBe('ticket.created')
})

test('an inbox of a server without workspaces survives a restore', async () => {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z' })
  onTestFinished(() => server.close())
  const inbox = server.webhooks.capture('ticket.created')
  await server.states.save('empty')
  for (const title of ['First', 'Second']) {
    await server.create.ticket({ title })
    expect((await inbox.next('ticket.created')).event.ticket.title).toBe(title)
    expect(await inbox.deliveries()).toHaveLength(1)
    await server.states.load('empty')
  }
})

test('a closed inbox receives nothing, and neither does an inbox of another server', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  const fork = await server.fork()
  onTestFinished(() => fork.close())
  await createTicket(fork, workspace_id)
  await fork.settled()
  expect((await fork.admin.webhooks.list({ workspace: workspace_id })).data).toMatchObject([
    { enabled: false, disabled_reason: 'gone' },
  ])
  await inbox.close()
  await createTicket(server, workspace_id)
  await server.settled()
  expect(inbox.all()).toEqual([])
  expect((await server.admin.webhooks.list({ workspace: workspace_id })).data).toEqual([])
})

test('an unknown event, response, URL, or workspace is rejected at once', async () => {
  const { server } = await start()
  // @ts-expect-error there is no such event
  expect(() => server.webhooks.capture('invoice.*')).toThrow(`No event matches "invoice.*"`)
  expect(() => server.webhooks.capture('*', { respond: 99 })).toThrow('An answer is a status from 200 to 599')
  expect(() => server.webhooks.capture().respondWith(99)).toThrow('An answer is a status from 200 to 599')
  expect(() => server.webhooks.receive('/hooks', () => new Response())).toThrow('A receiver needs a URL')
  const nowhere = server.webhooks.capture('*', { workspace: 99 })
  await expect(nowhere.ready).rejects.toThrow('99')
  await expect(nowhere.next()).rejects.toThrow('99')
})
