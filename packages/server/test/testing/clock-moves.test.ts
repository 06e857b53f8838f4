import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer } from '../../src/testing/entries/testing.ts'

const noon = '2026-01-01T12:00:00Z'

async function start() {
  const server = await createTestServer({ seed: 'demo', clock: noon })
  onTestFinished(() => server.close())
  return server
}

const ended = { code: 'conflict', message: expect.stringContaining('the server was reset or has closed') }

const moves: readonly (readonly [string, (server: TestServer) => Promise<void>])[] = [
  ['advance', ({ clock }) => clock.advance('30d')],
  ['set', ({ clock }) => clock.set('2026-01-31T12:00:00Z')],
  ['set to the past', ({ clock }) => clock.set('2025-01-31T12:00:00Z')],
  ['freeze', ({ clock }) => clock.freeze('2026-01-31T12:00:00Z')],
]

test.each(moves)('clock.%s is rejected if the server closes meanwhile', async (_, move) => {
  const server = await start()
  const moving = expect(move(server)).rejects.toMatchObject(ended)
  const waiting = expect(server.clock.advance('1h')).rejects.toMatchObject(ended)
  await server.close()
  await moving
  await waiting
})

test.each(moves)('clock.%s is rejected by a reset, which restores the time', async (_, move) => {
  const server = await start()
  const moving = expect(move(server)).rejects.toMatchObject(ended)
  const waiting = expect(server.clock.advance('1h')).rejects.toMatchObject(ended)
  await server.reset()
  await moving
  await waiting
  expect([server.clock.now(), server.clock.isFrozen]).toEqual([new Date(noon), true])
  await server.clock.advance('1h')
  expect(server.clock.now()).toEqual(new Date('2026-01-01T13:00:00Z'))
})

test('a move that begins during a reset starts from the restored time', async () => {
  const server = await start()
  await server.clock.advance('2d')
  const reset = server.reset()
  await server.clock.advance('1h')
  await reset
  expect(server.clock.now()).toEqual(new Date('2026-01-01T13:00:00Z'))
})

test('parallel moves of the clock are added', async () => {
  const server = await start()
  await Promise.all([server.clock.advance('1h'), server.clock.advance('30m'), server.clock.advance('1h')])
  expect(server.clock.now()).toEqual(new Date('2026-01-01T14:30:00Z'))
  await Promise.all([server.clock.set('2026-02-01T00:00:00Z'), server.clock.advance('1h')])
  expect(server.clock.now()).toEqual(new Date('2026-02-01T01:00:00Z'))
})

const waitingCalls: readonly (readonly [string, (server: TestServer) => Promise<unknown>])[] = [
  ['clock.advance', ({ clock }) => clock.advance('1h')],
  ['clock.freeze', ({ clock }) => clock.freeze()],
  ['settled', (server) => server.settled()],
  ['reset', (server) => server.reset()],
  ['snapshot', (server) => server.snapshot()],
  ['fork', (server) => server.fork()],
]

test.each(waitingCalls)('%s is rejected in a webhook receiver, for whose response it would wait', async (_, call) => {
  const server = await start()
  const url = 'https://app.test/hooks'
  await server.create.subscription({ workspace: 1, url, events: ['ticket.created'] })
  const refusals: unknown[] = []
  server.webhooks.receive(url, async () => {
    await call(server).catch((refusal: unknown) => refusals.push(refusal))
    return new Response(null, { status: 204 })
  })
  await server.create.ticket({ workspace: 1 })
  await server.settled()
  expect(refusals).toEqual([expect.any(TypeError)])
  expect(String(refusals[0])).toContain('Make the call in the test, after the receiver has responded.')
})

test('the delivery log shows a rejection that the receiver does not catch', async () => {
  const server = await start()
  const url = 'https://app.test/hooks'
  await server.create.subscription({ workspace: 1, url, events: ['ticket.created'] })
  server.webhooks.receive(url, async () => {
    await server.settled()
    return new Response(null, { status: 204 })
  })
  await server.create.ticket({ workspace: 1 })
  await server.settled()
  const [delivery] = (await server.admin.deliveries.list({ workspace: 1 })).data
  const [attempt] = (await server.admin.deliveries.attempts({ workspace: 1, id: delivery?.id ?? 0 })).data
  expect(attempt).toMatchObject({ status: 500, response: expect.stringContaining('A webhook receiver cannot') })
})

test.each<[string, (server: TestServer, state: Uint8Array) => Promise<void>]>([
  ['reset', (server) => server.reset()],
  ['restore', (server, state) => server.restore(state)],
  ['states.load', (server) => server.states.load('saved')],
])('%s does not end a move of the clock if it is rejected in a webhook receiver', async (_, call) => {
  const server = await start()
  const state = await server.snapshot()
  await server.states.save('saved')
  const url = 'https://app.test/hooks'
  await server.create.subscription({ workspace: 1, url, events: ['ticket.created'] })
  const calls: unknown[] = []
  server.webhooks.receive(url, async () => {
    calls.push(await call(server, state).catch((error: unknown) => String(error)))
    return new Response(null, { status: 204 })
  })
  await server.create.ticket({ workspace: 1 })
  await server.clock.advance('1h')
  expect(calls).toEqual([expect.stringContaining('A webhook receiver cannot')])
})

test('work that a receiver leaves behind may wait for the server', async () => {
  const server = await start()
  const url = 'https://app.test/hooks'
  await server.create.subscription({ workspace: 1, url, events: ['ticket.created'] })
  const responded = Promise.withResolvers<void>()
  const later = Promise.withResolvers<void>()
  server.webhooks.receive(url, () => {
    responded.promise.then(() => server.settled()).then(later.resolve, later.reject)
    return new Response(null, { status: 204 })
  })
  await server.create.ticket({ workspace: 1 })
  await server.settled()
  responded.resolve()
  await expect(later.promise).resolves.toBeUndefined()
})
