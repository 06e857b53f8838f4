import { randomUUID } from 'node:crypto'
import { serviceTest } from '@service/server/vitest'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { createReceiver } from './receiver.ts'
import { connect, type RunningRedis, startRedis } from './start-redis.ts'

const test = serviceTest({ random: 42, clock: '2026-01-01T12:00:00Z' })
const url = 'https://app.test/hooks'

let running: RunningRedis
beforeAll(async () => {
  running = await startRedis()
})
afterAll(() => running.stop())

/** A process of the application: a connection of its own to the Redis of all. */
async function startProcess(options: { secret: string; send: (title: string) => void }) {
  const redis = await connect(running.url)
  onTestFinished(() => redis.destroy())
  return createReceiver({ ...options, redis: { send: (command) => redis.sendCommand(command) } })
}

test('copies that come in disorder, to two processes, are handled once', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.created'] })
  const send = vi.fn<(title: string) => void>()
  const processes = [await startProcess({ secret, send }), await startProcess({ secret, send })]
  let next = 0
  server.webhooks.receive(url, async (request) => (await processes[next++ % 2]?.(request)) ?? new Response())
  server.webhooks.deliveryFaults.add({ duplicate: 2, shuffle: true })
  for (const title of ['one', 'two', 'three']) await server.create.ticket({ title })
  await server.clock.advance('1h') // what was answered 409 comes again
  expect(send.mock.calls.flat().toSorted()).toEqual(['one', 'three', 'two'])
  expect(next).toBeGreaterThanOrEqual(9)
})

test('an event whose handling failed comes again', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.created'] })
  const send = vi.fn<(title: string) => void>().mockImplementationOnce(() => {
    throw new Error('The printer for letters is out of paper.')
  })
  server.webhooks.receive(url, await startProcess({ secret, send }))
  const title = randomUUID()
  await server.create.ticket({ title })
  await server.clock.advance('1h')
  expect(send.mock.calls).toEqual([[title], [title]])
})
