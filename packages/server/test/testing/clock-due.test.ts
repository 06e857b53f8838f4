import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { startReceiver, status } from '../delivery/receiver.ts'
import { createStorage, type StoreName } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'

const encryptionKey = 'a key that is only used in tests, of enough characters'
const noon = '2026-01-01T12:00:00Z'
const at = (server: TestServer) => server.clock.now().toISOString()

/** A server whose clock is frozen at noon, with a subscribed inbox. */
function starter(store: StoreName) {
  return async (options: TestServerOptions = {}) => {
    const place = await createStorage(store)
    const server = await createTestServer({ clock: noon, encryptionKey, ...place.options, ...options })
    onTestFinished(async () => {
      await server.close()
      await place.remove()
    })
    const seeded = await seedWorkspace(server)
    const inbox = server.webhooks.capture()
    await inbox.ready
    const createTicket = (title = 'A') => server.admin.tickets.create({ workspace: seeded.workspace.id }, { title })
    return { server, inbox, createTicket, workspace_id: seeded.workspace.id, ...seeded }
  }
}

for (const store of ['memory', 'sqlite', 'postgres'] as const) onClock(store)

function onClock(store: StoreName) {
  const start = starter(store)

  test(`advancing the clock runs four days of retries, each at its own time, on ${store}`, async () => {
    const { server, inbox, createTicket } = await start()
    inbox.respondWith(...Array(10).fill(500))
    await createTicket()
    await server.clock.advance('96h')
    const [delivery] = await inbox.deliveries()
    expect(delivery).toMatchObject({ state: 'failed' })
    expect(delivery?.attempts).toHaveLength(10)
    const hours =
      delivery?.attempts.map(({ started_at }) => (Date.parse(started_at) - Date.parse(noon)) / 3_600_000) ?? []
    const waits = hours.slice(1).map((hour, index) => hour - (hours[index] ?? 0))
    const nominal = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24]
    for (const [index, wait] of waits.entries()) {
      expect(Math.abs(wait / (nominal[index] ?? 0) - 1)).toBeLessThanOrEqual(0.21)
    }
    expect(at(server)).toBe('2026-01-05T12:00:00.000Z')
  })

  test(`due work of all kinds runs in order, on ${store}`, async () => {
    const { server, inbox, createTicket, workspace_id } = await start()
    const targets = { first_response_minutes: 30, resolution_minutes: 90 } as const
    await server.admin.slaPolicies.update({ workspace: workspace_id, priority: 'medium' }, targets)
    await server.admin.rules.create(
      { workspace: workspace_id },
      { name: 'Late', trigger: 'sla_breached', conditions: [], actions: [{ type: 'create_task', title: 'Hurry' }] },
    )
    inbox.respondWith(500, 500, 500)
    await createTicket()
    await server.clock.advance('2h')
    // Retries follow after about 5 s, 5 min, and 30 min. The SLA targets are 12:30 and 13:30.
    const sentAt = inbox.arrivals().map(({ headers }) => Number(headers.get('webhook-timestamp')))
    expect(sentAt).toEqual(sentAt.toSorted())
    expect(inbox.arrivals()).toHaveLength(6)
    const tasksAt = inbox.arrivals().flatMap(({ type }, index) => (type === 'task.created' ? [sentAt[index]] : []))
    expect(tasksAt.slice(0, 1)).toEqual([Date.parse('2026-01-01T12:30:00Z') / 1000])
    expect(
      new Set(
        (await server.admin.tasks.list({ workspace: workspace_id })).data.map(({ created_at }) =>
          created_at.slice(0, 16),
        ),
      ),
    ).toEqual(new Set(['2026-01-01T12:30', '2026-01-01T13:30']))
  })

  test(`advancing the clock disables a receiver that fails for five days, on ${store}`, async () => {
    const { server, inbox, createTicket, workspace_id } = await start()
    const respond = Array(200).fill(500)
    inbox.respondWith(...respond)
    for (let day = 0; day < 7; day += 1) {
      await createTicket(`Day ${day}`)
      await server.clock.advance('1d')
    }
    const [subscription] = (await server.admin.webhooks.list({ workspace: workspace_id })).data
    expect(subscription).toMatchObject({ enabled: false, disabled_reason: 'failing' })
    const failingFor = Date.parse(subscription?.disabled_at ?? '') - Date.parse(subscription?.failing_since ?? '')
    expect(failingFor).toBeGreaterThanOrEqual(5 * 86_400_000)
    expect(failingFor).toBeLessThan(6 * 86_400_000)
  })

  test(`tokens, idempotency keys, and rate windows expire by the clock, on ${store}`, async () => {
    const { server, workspace, member } = await start({ rateLimit: 2 })
    const { token } = await server.admin.tokens.create(
      { workspace: workspace.id },
      { user_id: member.id, scopes: ['tickets:read', 'tickets:write'], expires_at: '2026-01-03T12:00:00Z' },
    )
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const post = async () => {
      const headers = { 'idempotency-key': 'one' }
      const answer = await call(server, { method: 'POST', path, token, body: { title: 'A' }, headers })
      return [answer.status, answer.headers.get('idempotency-replayed')]
    }
    expect([await post(), await post(), await post()]).toEqual([
      [201, null],
      [201, 'true'],
      [429, null],
    ])
    await server.clock.advance('59s')
    expect(await post()).toEqual([429, null])
    await server.clock.advance('1s')
    expect(await post()).toEqual([201, 'true'])
    await server.clock.advance('24h')
    expect(await post()).toEqual([201, null])
    await server.clock.set('2026-01-03T11:59:59Z')
    expect(await post()).toEqual([201, 'true'])
    await server.clock.advance('1s')
    expect(await post()).toEqual([401, null])
  })

  test(`an old secret also signs until its overlap ends, on ${store}`, async () => {
    const { server, inbox, createTicket, workspace_id } = await start()
    const [subscription] = (await server.admin.webhooks.list({ workspace: workspace_id })).data
    await server.admin.webhooks.rotateSecret(
      { workspace: workspace_id, id: subscription?.id ?? 0 },
      { overlap_hours: 2 },
    )
    await server.clock.advance('119m')
    await createTicket()
    await server.settled()
    expect(inbox.arrivals().map(({ headers }) => headers.get('webhook-signature')?.split(' ').length)).toEqual([2])
    await server.clock.advance('1m')
    await createTicket()
    await server.settled()
    expect(inbox.arrivals().map(({ headers }) => headers.get('webhook-signature')?.split(' ').length)).toEqual([2, 1])
  })

  test(`events are sent after the clock is set back, on ${store}`, async () => {
    const { server, inbox, createTicket } = await start()
    await server.clock.advance('30d')
    await createTicket('Later')
    await server.clock.set('2025-06-01T00:00:00Z')
    expect(at(server)).toBe('2025-06-01T00:00:00.000Z')
    await createTicket('Earlier')
    await server.settled()
    expect(inbox.all().map(({ event }) => event.timestamp.slice(0, 10))).toEqual(['2026-01-31', '2025-06-01'])
    inbox.respondWith(500)
    await createTicket('Once more')
    await server.clock.advance('10s')
    expect(inbox.all()).toHaveLength(3)
  })

  test(`with fake timers nothing hangs and nothing runs twice, on ${store}`, async () => {
    const { server, inbox, createTicket } = await start({ egressAllow: ['127.0.0.1'] })
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    inbox.respondWith(500, 500, 500)
    await createTicket()
    await server.clock.advance('1h')
    vi.advanceTimersByTime(10 * 86_400_000)
    await server.settled()
    const [delivery] = await inbox.deliveries()
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 200])
    expect(at(server)).toBe('2026-01-01T13:00:00.000Z')
  })
}

test('with fake timers, deliveries to a port are sent over one kept connection', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const server = await createTestServer({ clock: noon, egressAllow: ['127.0.0.1'] })
  onTestFinished(() => server.close())
  const { workspace } = await seedWorkspace(server)
  const receiver = await startReceiver((response, received, number) =>
    status(number < 4 ? 500 : 204)(response, received, number),
  )
  const subscription = await server.admin.webhooks.create(
    { workspace: workspace.id },
    { url: `${receiver.url}/hook`, events: ['*'], standard_webhooks: true },
  )
  receiver.expects(subscription)
  await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
  await server.clock.advance('2h')
  await server.admin.tickets.create({ workspace: workspace.id }, { title: 'B' })
  await server.settled()
  expect(receiver.received).toHaveLength(5)
})
