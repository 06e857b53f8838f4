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

/** Simulates an application process with its own connection to the shared Redis. */
async function startProcess(options: { secret: string; send: (title: string) => void }) {
  const redis = await connect(running.url)
  onTestFinished(() => redis.destroy())
  return createReceiver({ ...options, redis: { send: (command) => redis.sendCommand(command) } })
}

test('handles duplicate and reordered deliveries to two processes once', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.created'] })
  const send = vi.fn<(title: string) => void>()
  const processes = [await startProcess({ secret, send }), await startProcess({ secret, send })]
  let next = 0
  server.webhooks.receive(url, async (request) => (await processes[next++ % 2]?.(request)) ?? new Response())
  server.webhooks.deliveryFaults.add({ duplicate: 2, shuffle: true })
  for (const title of ['one', 'two', 'three']) await server.create.ticket({ title })
  await server.clock.advance('1h') // retries the deliveries that got 409
  expect(send.mock.calls.flat().toSorted()).toEqual(['one', 'three', 'two'])
  expect(next).toBeGreaterThanOrEqual(9)
})

test('handles a retry after a failure', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.created'] })
  const send = vi.fn<(title: string) => void>().mockImplementationOnce(() => {
    throw new Error('The letter printer is out of paper.')
  })
  server.webhooks.receive(url, await startProcess({ secret, send }))
  const title = randomUUID()
  await server.create.ticket({ title })
  await server.clock.advance('1h')
  expect(send.mock.calls).toEqual([[title], [title]])
})
