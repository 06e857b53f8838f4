import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { seedWorkspace } from '../workspace.ts'

const noon = '2026-01-01T12:00:00Z'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer(options)
  onTestFinished(() => server.close())
  const { workspace } = await seedWorkspace(server)
  return { server, workspace_id: workspace.id, at: () => server.clock.now().toISOString() }
}

test('a clock set to an instant is frozen until it is moved', async () => {
  const { server, at } = await start({ clock: noon })
  expect([server.clock.isFrozen, at()]).toEqual([true, '2026-01-01T12:00:00.000Z'])
  await server.clock.advance('1h 30m')
  expect(at()).toBe('2026-01-01T13:30:00.000Z')
  await server.clock.advance(250)
  expect(at()).toBe('2026-01-01T13:30:00.250Z')
  await server.clock.set(new Date('2027-01-01T00:00:00+02:00'))
  expect([server.clock.isFrozen, at()]).toEqual([true, '2026-12-31T22:00:00.000Z'])
})

test('a running clock can be frozen now or at an instant, and continues from there', async () => {
  const { server, at } = await start()
  expect(server.clock.isFrozen).toBe(false)
  await server.clock.freeze()
  const here = at()
  expect([server.clock.isFrozen, at()]).toEqual([true, here])
  await server.clock.freeze(noon)
  expect(at()).toBe('2026-01-01T12:00:00.000Z')
  server.clock.unfreeze()
  expect(server.clock.isFrozen).toBe(false)
  expect(server.clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse(noon))
  expect(at().slice(0, 10)).toBe('2026-01-01')
  await server.clock.advance('1d')
  expect([server.clock.isFrozen, at().slice(0, 10)]).toEqual([false, '2026-01-02'])
})

test('retries run by themselves after the clock is unfrozen', async () => {
  const { server, workspace_id } = await start({ clock: noon })
  await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: 'https://app.test', events: ['*'], schedule: [1] },
  )
  const secondAttempt = Promise.withResolvers<string | null>()
  let count = 0
  server.webhooks.receive('https://app.test', ({ headers }) => {
    count += 1
    if (count === 2) secondAttempt.resolve(headers.get('x-service-attempt'))
    return new Response(null, { status: count === 1 ? 500 : 204 })
  })
  await server.admin.tickets.create({ workspace: workspace_id }, { title: 'A' })
  await server.settled()
  server.clock.unfreeze()
  expect(await secondAttempt.promise).toBe('2')
})

test('with fake timers, a running clock continues and runs due work', async () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const { server, workspace_id } = await start()
  expect(server.clock.now().getTime()).toBeGreaterThan(Date.parse(noon))
  await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: 'https://app.test', events: ['*'], schedule: [1] },
  )
  const secondAttempt = Promise.withResolvers<void>()
  let count = 0
  server.webhooks.receive('https://app.test', () => {
    count += 1
    if (count === 2) secondAttempt.resolve()
    return new Response(null, { status: count === 1 ? 500 : 204 })
  })
  await server.admin.tickets.create({ workspace: workspace_id }, { title: 'A' })
  await secondAttempt.promise
  await server.settled()
  expect(count).toBe(2)
})

test('each attempt to a receiver that hangs ends after the delivery timeout in real time', async () => {
  const { server, workspace_id, at } = await start({ clock: noon, deliveryTimeoutMs: 10 })
  const inbox = server.webhooks.capture('*', { respond: () => new Promise(() => undefined) })
  await server.admin.tickets.create({ workspace: workspace_id }, { title: 'A' })
  await server.clock.advance('96h')
  const [delivery] = await inbox.deliveries()
  expect(delivery?.attempts.map(({ outcome }) => outcome)).toEqual(Array(10).fill('timeout'))
  expect(at()).toBe('2026-01-05T12:00:00.000Z')
})

test('setting the clock back and forward sends each retry once', async () => {
  const { server, workspace_id } = await start({ clock: noon })
  const inbox = server.webhooks.capture()
  inbox.respondWith(500, 500, 500)
  await server.admin.tickets.create({ workspace: workspace_id }, { title: 'A' })
  await server.clock.advance('1m')
  await server.clock.set('2025-12-01T00:00:00Z')
  await server.clock.set('2026-01-01T12:00:30Z')
  expect(inbox.arrivals()).toHaveLength(2)
  await server.clock.advance('2h')
  expect(inbox.arrivals().map(({ attempt, answer }) => [attempt, answer])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 200],
  ])
})

test.each([
  [
    'soon',
    "`by` must be a duration: a number of milliseconds, or text such as '90s', '1h 30m', or '7d'; it was 'soon'.",
  ],
  [-1, 'it was -1.'],
  [Number.NaN, 'it was NaN.'],
  [undefined as never, 'it was undefined.'],
])('advance by %s is rejected', async (by, says) => {
  const { server } = await start({ clock: noon })
  await expect(server.clock.advance(by)).rejects.toThrow(says)
})

test('rejects an instant without an offset, and moving a custom clock', async () => {
  const { server } = await start({ clock: noon })
  await expect(server.clock.set('2026-01-01 12:00')).rejects.toThrow(
    "`at` must be an instant: text such as '2026-01-01T00:00:00Z', a Date, or milliseconds since 1970; it was '2026-01-01 12:00'.",
  )
  const own = await start({ clock: { now: () => 1_795_200_713_123_456 } })
  await expect(own.server.clock.advance('1h')).rejects.toThrow('This server uses the clock passed in the option')
})

test.each([1e300, Number.POSITIVE_INFINITY, '99999999999d', '190y', 250 * 365 * 86_400_000])(
  'advance by %s, beyond the supported range, is a TypeError and does not move the clock',
  async (by) => {
    const { server, at } = await start({ clock: noon })
    await expect(server.clock.advance(by)).rejects.toThrow(TypeError)
    await server.clock.advance('36500d')
    await expect(server.clock.advance('73000d')).rejects.toThrow(TypeError)
    expect(at()).toBe('2125-12-08T12:00:00.000Z')
  },
)

test.each([8.64e15 + 1, 8.64e15, '9999-12-31T00:00:00Z', '1969-12-31T00:00:00Z'])(
  'set and freeze at %s are rejected and do not move the clock',
  async (instant) => {
    const { server, at } = await start({ clock: noon })
    await expect(server.clock.set(instant)).rejects.toThrow(TypeError)
    await expect(server.clock.freeze(instant)).rejects.toThrow(TypeError)
    await expect(createTestServer({ clock: new Date(instant) })).rejects.toThrow(TypeError)
    expect(at()).toBe('2026-01-01T12:00:00.000Z')
  },
)

test('setting the clock back by decades creates no timer beyond the limit of Node', async () => {
  const warn = vi.spyOn(process, 'emitWarning')
  onTestFinished(() => warn.mockRestore())
  const server = await createTestServer({ seed: 'demo' })
  await server.clock.set('1980-01-01T00:00:00Z')
  await server.close()
  expect(warn.mock.calls).toEqual([])
})
