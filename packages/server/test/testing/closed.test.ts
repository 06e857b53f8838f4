import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../src/testing/entries/testing.ts'

const closed = 'This server is closed'

/** All functions of a server by path. */
function functionsOf(group: object, path = ''): [string, (...given: unknown[]) => unknown][] {
  return Object.entries(group).flatMap(([name, value]): [string, (...given: unknown[]) => unknown][] => {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof value === 'function') return name === 'close' ? [] : [[at, value]]
    return typeof value === 'object' && value !== null && name !== 'seeded' ? functionsOf(value, at) : []
  })
}

/** The error of a call, thrown or rejected, or else its result. */
async function outcomeOf(act: (...given: unknown[]) => unknown): Promise<unknown> {
  try {
    return await act()
  } catch (thrown) {
    return thrown
  }
}

test('every call after close is a TypeError, including functions taken out before', async () => {
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

const asyncCalls: readonly [string, (server: TestServer) => Promise<unknown>][] = [
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

test.for(asyncCalls)('%s rejects after close instead of throwing', async ([, call]) => {
  const server = await createTestServer()
  await server.close()
  const outcome = call(server)
  expect(outcome).toBeInstanceOf(Promise)
  await expect(outcome).rejects.toThrow(closed)
})

test('captured events can be read after close, and other calls are rejected', async () => {
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

test('closing and disposing are idempotent', async () => {
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
