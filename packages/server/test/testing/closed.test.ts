import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../src/testing/entries/testing.ts'

const closed = 'This server is closed'

/** Every function of a server by its path, with what came out of it before it was closed. */
function functionsOf(group: object, path = ''): [string, (...given: unknown[]) => unknown][] {
  return Object.entries(group).flatMap(([name, value]): [string, (...given: unknown[]) => unknown][] => {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof value === 'function') return name === 'close' ? [] : [[at, value]]
    return typeof value === 'object' && value !== null && name !== 'seeded' ? functionsOf(value, at) : []
  })
}

/** What calling it comes to: thrown, rejected, or what it gave. */
async function outcomeOf(act: (...given: unknown[]) => unknown): Promise<unknown> {
  try {
    return await act()
  } catch (thrown) {
    return thrown
  }
}

test('whatever is called after close is a TypeError, also what was taken out before, and nothing revives it', async () => {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z' })
  const functions = functionsOf(server)
  expect(functions.length).toBeGreaterThan(100)
  const snapshot = await server.snapshot()
  await server.close()
  for (const [path, act] of functions) {
    const outcome = await outcomeOf(act)
    expect(outcome, path).toBeInstanceOf(TypeError)
    expect(outcome, path).toHaveProperty('message', expect.stringContaining(closed))
  }
  expect(() => server.quirks.current).toThrow(closed)
  await expect(server.restore(snapshot)).rejects.toThrow(closed)
  await expect(server.fetch('/livez')).rejects.toThrow(closed)
})

const promising: readonly [string, (server: TestServer) => Promise<unknown>][] = [
  ['fetch', (server) => server.fetch('/livez')],
  ['listen', (server) => server.listen()],
  ['fork', (server) => server.fork()],
  ['reset', (server) => server.reset()],
  ['clock.advance', (server) => server.clock.advance('1h')],
  ['clock.set', (server) => server.clock.set('2027-01-01T00:00:00Z')],
  ['states.save', (server) => server.states.save('x')],
  ['create', (server) => server.create.ticket()],
  ['tokens.issue', (server) => server.tokens.issue()],
  ['admin', (server) => server.admin.workspaces.list().then(({ data }) => data.toReversed())],
  ['waitFor', (server) => server.waitFor({})],
]

test.for(promising)('%s rejects after close, so that a catch hears of it', async ([, ask]) => {
  const server = await createTestServer()
  await server.close()
  const outcome = ask(server)
  expect(outcome).toBeInstanceOf(Promise)
  await expect(outcome).rejects.toThrow(closed)
})

test('what an inbox has taken can be read after close, and asking it for more is refused', async () => {
  const server = await createTestServer()
  const inbox = server.webhooks.capture()
  await server.create.ticket()
  await inbox.next('ticket.created')
  await server.close()
  expect(inbox.all()).toHaveLength(1)
  await expect(inbox.next()).rejects.toThrow(closed)
  await expect(inbox.deliveries()).rejects.toThrow(closed)
  expect(() => inbox.respondWith(500)).toThrow(closed)
})

test('closing again, or disposing of what is closed, is no mistake', async () => {
  await using server = await createTestServer()
  const inbox = server.webhooks.capture()
  const fault = server.faults.add({ respond: 500 })
  const interception = server.intercept('https://api.example.com')
  await server.close()
  await server.close()
  await inbox.close()
  fault.remove()
  interception.restore()
})
