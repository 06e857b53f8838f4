import { serviceTest } from '@service/server/vitest'
import type { Queue } from 'bullmq'
import { expect, expectTypeOf } from 'vitest'
import { createMemoryQueue } from './memory-queue.ts'
import { createReceiver } from './receiver.ts'

const test = serviceTest({ random: 42, clock: '2026-01-01T12:00:00Z' })
const url = 'https://app.test/hooks'
const subscription = { url, events: ['ticket.created' as const] }

test('stores each event once, even if deliveries are duplicated and reordered', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, subscription)
  const queue = createMemoryQueue()
  const receive = createReceiver({ secret, queue })
  server.webhooks.receive(url, receive)
  server.webhooks.deliveryFaults.add({ duplicate: 2, shuffle: true })
  for (const title of ['one', 'two', 'three']) await server.create.ticket({ title })
  await server.settled()
  expect(queue.jobs()).toHaveLength(3)
})

test('loses no event while the queue is unavailable', async ({ server, service }) => {
  const { secret } = await server.admin.webhooks.create(service, subscription)
  const queue = createMemoryQueue()
  server.webhooks.receive(url, createReceiver({ secret, queue }))
  queue.setDown(true)
  await server.create.ticket({ title: 'one' })
  await server.clock.advance('1m')
  expect(queue.jobs()).toEqual([])
  queue.setDown(false)
  await server.clock.advance('1h')
  expect(queue.jobs()).toEqual([{ name: 'ticket.created', data: expect.objectContaining({ event: 'ticket.created' }) }])
})

test('accepts a BullMQ queue', () => {
  expectTypeOf<Queue>().toExtend<Parameters<typeof createReceiver>[0]['queue']>()
})
