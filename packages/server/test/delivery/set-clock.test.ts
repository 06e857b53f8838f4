import { expect, onTestFinished, test } from 'vitest'
import { microsPerDay, microsPerHour } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/system-clock.ts'
import { createServer, type ServerOptions } from '../../src/index.ts'
import type { TestServerOptions } from '../../src/testing/entries/testing.ts'
import { machine } from '../machine.ts'
import { createStorage, onEveryStore, onEveryTestStore } from '../on-every-store.ts'
import { startWithTables } from '../tables.ts'
import { clientOf, seedWorkspace } from '../workspace.ts'
import { newestDelivery } from './newest-delivery.ts'
import { status } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

const hour = microsPerHour / 1000
const day = microsPerDay / 1000
const steps = [hour, -hour, 6 * day, -6 * day]
/** The first retry comes after 5 s, at most a fifth later. */
const untilRetry = 6001

const plain = { standard_webhooks: false }

onEveryStore(
  'when the machine’s clock is set',
  (start) => {
    test.each(steps)('by %d ms, a retry is sent after its wait has elapsed, and not earlier', async (step) => {
      const { pass, set, clock } = machine()
      const server = await start({ ...sendingOptions(), clock: clock() })
      const { receiver, place, createTicket } = await subscribe(server, { reply: status(500), ...plain })
      await createTicket('A')
      await server.deliveries.runDue()
      set(step)
      await server.deliveries.runDue()
      expect(receiver.received).toHaveLength(1)
      pass(untilRetry)
      await server.deliveries.runDue()
      expect(receiver.received).toHaveLength(2)
      expect(await server.admin.webhooks.get(place)).toMatchObject({
        enabled: true,
      })
    })

    test.each(steps)('by %d ms, later events are sent immediately and later tickets are listed first', async (step) => {
      const { pass, set, clock } = machine()
      const server = await start({ ...sendingOptions(), clock: clock() })
      const { receiver, workspace, createTicket, token } = await subscribe(server, plain)
      await createTicket('before')
      await server.deliveries.runDue()
      set(step)
      pass(1000)
      await createTicket('after')
      await server.deliveries.runDue()
      expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).ticket.title)).toEqual(['before', 'after'])
      const listed = await clientOf(server, { workspace, token }).tickets.list()
      expect(listed.map(({ title }) => title)).toEqual(['after', 'before'])
    })
  },
  ['memory', 'sqlite'],
)

test.each(steps)('a retry keeps its wait when the clock was set by %d ms before a restart', async (step) => {
  const { pass, set, clock } = machine()
  const place = await createStorage('sqlite')
  onTestFinished(() => place.remove())
  const options = { ...sendingOptions(), ...place.options }
  const first = await createServer({ ...options, clock: clock() })
  const { receiver, createTicket } = await subscribe(first, { reply: status(500), ...plain })
  await createTicket('A')
  await first.deliveries.runDue()
  set(step)
  await first.deliveries.runDue()
  await first.close()
  await using next = await createServer({ ...options, clock: clock() })
  await next.deliveries.runDue()
  expect(receiver.received).toHaveLength(1)
  pass(untilRetry)
  await next.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
})

test.each([-hour, -6 * day])(
  'a retry is sent when the clock was set by %d ms while no process was running',
  async (step) => {
    const { pass, set, clock } = machine()
    const place = await createStorage('sqlite')
    onTestFinished(() => place.remove())
    const options = { ...sendingOptions(), ...place.options }
    const first = await createServer({ ...options, clock: clock() })
    const { receiver, createTicket } = await subscribe(first, { reply: status(500), ...plain })
    await createTicket('A')
    await first.deliveries.runDue()
    await first.close()
    set(step)
    await using next = await createServer({ ...options, clock: clock() })
    pass(untilRetry)
    await next.deliveries.runDue()
    expect(receiver.received).toHaveLength(2)
  },
)

test('setting the clock forward by six days while no process is running disables no subscription', async () => {
  const { set, clock } = machine()
  const place = await createStorage('sqlite')
  onTestFinished(() => place.remove())
  const options = { ...sendingOptions(), ...place.options }
  const first = await createServer({ ...options, clock: clock() })
  const { receiver, place: at, createTicket } = await subscribe(first, { reply: status(500), ...plain })
  await createTicket('A')
  await first.deliveries.runDue()
  await first.close()
  set(6 * day)
  await using next = await createServer({ ...options, clock: clock() })
  await next.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
  expect(await next.admin.webhooks.get(at)).toMatchObject({ enabled: true })
})

test('deliveries leased by a dead process in a data directory are sent immediately by the next one', async () => {
  const options = sendingOptions()
  const { server, tables, place } = await startWithTables('sqlite', options)
  const { receiver, workspace, createTicket } = await subscribe(server, { reply: status(500) })
  await createTicket('A')
  await server.deliveries.runDue()
  await server.close()
  const later = options.clock.now() + microsPerDay
  await tables.rows(`update delivery_queues set lease_token = 'dead', lease_until = ${later}, due_at = ${later}`)
  options.clock.advance(untilRetry * 1000)
  await using next = await createServer({ ...options, ...place })
  await next.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
  expect(await newestDelivery(next, workspace)).toMatchObject({ attempts: 2 })
})

test('two nodes on one PostgreSQL whose clocks differ by an hour send each event and retry once', async () => {
  const place = await createStorage('postgres')
  const clockAhead = systemClock({
    wallMs: () => performance.timeOrigin + performance.now() + hour,
    elapsedMs: () => performance.now(),
  })
  const options: ServerOptions = { ...sendingOptions(), ...place.options, databasePool: 4 }
  const here = await createServer({ ...options, clock: systemClock() })
  const there = await createServer({ ...options, clock: clockAhead })
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()])
    await place.remove()
  })
  const { receiver, workspace } = await subscribe(here, {
    reply: (response, _, number) => void response.writeHead(number <= 4 ? 500 : 204).end(),
    schedule: [1],
    ...plain,
  })
  for (const server of [here, there, here, there])
    await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
  await expect.poll(() => receiver.received.length).toBe(8)
  await expect
    .poll(() => here.admin.deliveries.list({ workspace: workspace.id }, { state: 'pending' }).then(({ data }) => data))
    .toEqual([])
  expect(receiver.received).toHaveLength(8)
})

onEveryTestStore('a subscription that fails', (start) => {
  const noon = { ...sendingOptions(), clock: '2026-01-01T12:00:00Z' }
  const failing = async (options: TestServerOptions = {}) => {
    const server = await start({ ...noon, ...options })
    const { workspace } = await seedWorkspace(server)
    const inbox = server.webhooks.capture('*', { respond: () => new Response(null, { status: 500 }) })
    await inbox.ready
    await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
    const get = async () => (await server.admin.webhooks.list({ workspace: workspace.id })).data[0]
    return { server, inbox, get }
  }

  test('is disabled after five days, although its last attempt was a day before', async () => {
    const { server, inbox, get } = await failing()
    await server.clock.advance('119h 59m')
    expect([inbox.arrivals().length, (await get())?.enabled]).toEqual([10, true])
    await server.clock.advance('1m')
    expect(await get()).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: '2026-01-06T12:00:00.000000Z',
    })
    expect(inbox.arrivals()).toHaveLength(10)
  })

  test('on only one day is never disabled', async () => {
    const server = await start(noon)
    const { workspace } = await seedWorkspace(server)
    const url = 'https://app.test/hooks'
    const { id } = await server.admin.webhooks.create(
      { workspace: workspace.id },
      { url, events: ['*'], schedule: [1] },
    )
    server.webhooks.receive(url, () => new Response(null, { status: 500 }))
    await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
    await server.clock.advance('10d')
    expect(await server.admin.webhooks.get({ workspace: workspace.id, id })).toMatchObject({ enabled: true })
  })

  test('is retried every five seconds during its first minute, and after longer pauses later', async () => {
    const server = await start(noon)
    const { workspace } = await seedWorkspace(server)
    const inbox = server.webhooks.capture('*', { respond: () => new Response(null, { status: 500 }) })
    await inbox.ready
    for (let count = 0; count < 30; count += 1)
      await server.admin.tickets.create({ workspace: workspace.id }, { title: `Ticket ${count}` })
    await server.settled()
    const seen: number[] = []
    for (let second = 0; second < 120; second += 1) {
      seen.push(inbox.arrivals().length)
      await server.clock.advance('1s')
    }
    const quietest = (from: number, to: number) =>
      Math.min(...seen.slice(from, to - 5).map((count, index) => (seen[from + index + 5] ?? 0) - count))
    expect(quietest(0, 60)).toBeGreaterThan(0)
    expect(quietest(60, 120)).toBe(0)
  })
})
