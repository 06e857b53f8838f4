import { DatabaseSync } from 'node:sqlite'
import { serviceTest } from '@service/server/vitest'
import { expect, vi } from 'vitest'
import { createReceiver } from './receiver.ts'

const test = serviceTest({ random: 42, clock: '2026-01-01T12:00:00Z' })
const url = 'https://app.test/hooks'

test('handles duplicate and reordered deliveries to two processes once', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.created'] })
  const database = new DatabaseSync(':memory:')
  const send = vi.fn<(title: string) => void>()
  const processes = [1, 2].map(() => createReceiver({ secret, database, send }))
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
  server.webhooks.receive(url, createReceiver({ secret, database: new DatabaseSync(':memory:'), send }))
  await server.create.ticket({ title: 'one' })
  await server.clock.advance('1h')
  expect(send.mock.calls).toEqual([['one'], ['one']])
})
