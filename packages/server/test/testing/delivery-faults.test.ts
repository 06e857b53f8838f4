import { expect, onTestFinished, test } from 'vitest'
import {
  createTestServer,
  type DeliveryFault,
  type TestServer,
  type TestServerOptions,
} from '../../src/testing/entries/testing.ts'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', ...options })
  onTestFinished(() => server.close())
  const workspace = await server.admin.workspaces.create({ name: 'Acme' })
  return { server, workspace_id: workspace.id }
}

/** A receiver that records requests in order without verifying them. */
async function consume(server: TestServer, workspace_id: number) {
  const { secret } = await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: 'https://app.test/hooks', events: ['*'], standard_webhooks: true },
  )
  const received: { title: string; id: string | null; headers: Headers; body: string }[] = []
  server.webhooks.receive('https://app.test/hooks', async (request) => {
    const { headers } = request
    const body = await request.text()
    received.push({ title: JSON.parse(body).ticket.title, id: headers.get('webhook-id'), headers, body })
    return new Response()
  })
  return { secret, received, titles: () => received.map(({ title }) => title) }
}

async function createTickets(server: TestServer, workspace_id: number, titles: readonly string[]) {
  // Created concurrently, so that they are sent together.
  await Promise.all(titles.map((title) => server.admin.tickets.create({ workspace: workspace_id }, { title })))
  await server.settled()
}

const six = ['one', 'two', 'three', 'four', 'five', 'six']

test('a duplicate is an identical request', async () => {
  const { server, workspace_id } = await start()
  const { received, titles } = await consume(server, workspace_id)
  const deliveryFaults = server.webhooks.deliveryFaults.add({ duplicate: 2, times: 1 })
  await createTickets(server, workspace_id, ['one', 'two'])
  expect(titles().toSorted()).toEqual(['one', 'one', 'one', 'two'])
  const ones = received.filter(({ title }) => title === 'one')
  expect(new Set(ones.map(({ headers, body }) => JSON.stringify([...headers, body]))).size).toBe(1)
  expect(deliveryFaults.hits).toBe(1)
})

test('a shuffle reorders concurrent deliveries and loses none', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  server.webhooks.deliveryFaults.add({ shuffle: 6 })
  await createTickets(server, workspace_id, six)
  expect(titles()).not.toEqual(six)
  expect(titles().toSorted()).toEqual(six.toSorted())
})

test('a shuffle separates duplicates', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  server.webhooks.deliveryFaults.add({ duplicate: true, shuffle: 6 })
  await createTickets(server, workspace_id, six)
  const separated = six.filter((title) => titles().lastIndexOf(title) - titles().indexOf(title) > 1)
  expect(titles().toSorted()).toEqual([...six, ...six].toSorted())
  expect(separated.length).toBeGreaterThan(2)
})

test('a delivery that a shuffle leaves alone does not use up its times', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  const deliveryFaults = server.webhooks.deliveryFaults.add({ shuffle: true, times: 2 })
  await createTickets(server, workspace_id, ['alone'])
  expect(deliveryFaults.hits).toBe(0)
  await server.createMany.ticket(3, (index) => ({ title: String(index), workspace: workspace_id }))
  await server.settled()
  expect(titles().slice(1)).not.toEqual(['0', '1', '2'])
  expect(deliveryFaults.hits).toBe(2)
})

test('a shuffle reorders a group that is not full', async () => {
  const inOrder = ['one', 'one', 'two', 'two']
  for (const random of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const { server, workspace_id } = await start({ random })
    const { titles } = await consume(server, workspace_id)
    server.webhooks.deliveryFaults.add({ duplicate: true, shuffle: true })
    await createTickets(server, workspace_id, ['one', 'two'])
    expect(titles().toSorted()).toEqual(inOrder)
    expect(titles()).not.toEqual(inOrder)
  }
})

test('a delay follows the server’s clock and counts no failed attempt', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  server.webhooks.deliveryFaults.add({ delay: '10m', times: 1 })
  await createTickets(server, workspace_id, ['late', 'in time'])
  await server.clock.advance('9m')
  expect(titles()).toEqual(['in time'])
  await server.clock.advance('1m')
  expect(titles()).toEqual(['in time', 'late'])
  const deliveries = (await server.admin.deliveries.list({ workspace: workspace_id })).data
  expect(deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['succeeded', 1],
    ['succeeded', 1],
  ])
})

test('a delay applies to deliveries whose ids repeat after a restored state', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  await server.states.save('start')
  server.webhooks.deliveryFaults.add({ delay: '10m' })
  for (const title of ['first', 'second']) {
    await server.states.load('start')
    const before = titles()
    await createTickets(server, workspace_id, [title])
    expect(titles()).toEqual(before)
    await server.clock.advance('10m')
    expect(titles()).toEqual([...before, title])
  }
})

test('the rest of a fault applies after its delay, and counts once', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  const deliveryFaults = server.webhooks.deliveryFaults.add({ delay: '10m', duplicate: 1, times: 1 })
  await createTickets(server, workspace_id, ['late'])
  expect([titles(), deliveryFaults.hits]).toEqual([[], 1])
  await server.clock.advance('10m')
  expect([titles(), deliveryFaults.hits]).toEqual([['late', 'late'], 1])
})

test('a dropped delivery never arrives, and the platform records a success', async () => {
  const { server, workspace_id } = await start()
  const { titles } = await consume(server, workspace_id)
  const deliveryFaults = server.webhooks.deliveryFaults.add({ drop: true, match: 'ticket.created' })
  await createTickets(server, workspace_id, ['lost'])
  deliveryFaults.remove()
  await createTickets(server, workspace_id, ['kept'])
  await server.clock.advance('7d')
  expect(titles()).toEqual(['kept'])
  const deliveries = (await server.admin.deliveries.list({ workspace: workspace_id })).data
  expect(deliveries.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
})

test('a bad signature and an old timestamp are rejected by a verifying receiver and retried', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  server.webhooks.deliveryFaults.add({ badSignature: true, times: 1 })
  server.webhooks.deliveryFaults.add({ oldTimestamp: true, times: 1 })
  await createTickets(server, workspace_id, ['one'])
  await server.clock.advance('10m')
  expect(inbox.arrivals().map(({ refused, answer }) => [refused, answer])).toEqual([
    ['no_match', 401],
    ['timestamp_old', 401],
    [undefined, 200],
  ])
  expect((await inbox.next()).attempt).toBe(3)
})

test('a fault affects only matching events, and a share of them with a chance', async () => {
  const { server, workspace_id } = await start()
  const inbox = server.webhooks.capture()
  const deliveryFaults = server.webhooks.deliveryFaults.add({ match: 'ticket.*', drop: 0.5 })
  await createTickets(server, workspace_id, [...six, ...six, ...six])
  const tasks = await Promise.all(six.map((title) => server.admin.tasks.create({ workspace: workspace_id }, { title })))
  await server.settled()
  const count = (name: string) => inbox.all().filter(({ event }) => event.event === name).length
  expect(count('task.created')).toBe(tasks.length)
  expect(count('ticket.created')).toBe(18 - deliveryFaults.hits)
  expect(deliveryFaults.hits).toBeGreaterThan(3)
  expect(deliveryFaults.hits).toBeLessThan(15)
})

test('the same seed affects the same deliveries', async () => {
  const run = async (random: string) => {
    const { server, workspace_id } = await start({ random })
    const { titles } = await consume(server, workspace_id)
    server.webhooks.deliveryFaults.add({ shuffle: 6, duplicate: 0.5 })
    await createTickets(server, workspace_id, six)
    return titles()
  }
  expect(await run('a')).toEqual(await run('a'))
  expect(await run('a')).not.toEqual(await run('b'))
})

test('reset removes delivery faults', async () => {
  const { server } = await start()
  server.webhooks.deliveryFaults.add({ drop: true })
  await server.reset()
  const inbox = server.webhooks.capture()
  await server.trigger('task.created')
  expect((await inbox.next()).event.event).toBe('task.created')
})

test('a delivery fault also applies to real ports', async () => {
  const { server, workspace_id } = await start({ egressAllow: ['127.0.0.1'] })
  const { startReceiver } = await import('../delivery/receiver.ts')
  const receiver = await startReceiver()
  const subscription = await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: `${receiver.url}/hook`, events: ['*'], standard_webhooks: true },
  )
  receiver.expects(subscription)
  server.webhooks.deliveryFaults.add({ duplicate: true })
  await createTickets(server, workspace_id, ['one'])
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array(2).fill(receiver.received[0]?.headers['webhook-id']),
  )
})

test.each([
  [{}, 'A delivery fault needs `duplicate`, `shuffle`, `delay`, `drop`, `badSignature`, or `oldTimestamp`.'],
  [{ match: 'ticket.*', times: 1 }, 'A delivery fault needs `duplicate`'],
  [{ duplicate: -1 }, 'The delivery fault `duplicate` is'],
  [{ shuffle: 0 }, 'The delivery fault `shuffle` is'],
  [{ duplicate: 1.5 }, 'The delivery fault `duplicate` is'],
  [{ duplicate: 1e9 }, 'true, a whole number of at most 1000 copies, or a chance from 0 to 1.'],
  [{ drop: 2 }, 'The delivery fault `drop` is true or a chance from 0 to 1.'],
  [{ shuffle: 1 }, 'The delivery fault `shuffle` is'],
  [{ times: 0, drop: true }, 'The delivery fault `times` is'],
  [{ delay: 'soon' }, '`delay` must be a duration'],
  [{ dorp: true }, 'A delivery fault has no `dorp`; did you mean `drop`?'],
])('an invalid delivery fault is rejected: %o', async (rule, says) => {
  const { server } = await start()
  expect(() => server.webhooks.deliveryFaults.add(rule as DeliveryFault)).toThrow(says) // wrong on purpose
})
