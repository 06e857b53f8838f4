import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { type Reply, startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

onEveryStore('many deliveries', (start) => {
  test('to a receiver that hangs take at most eight slots and do not delay other receivers', async () => {
    const server = await start(sendingOptions())
    const held: ServerResponse[] = []
    let hangs = true
    const {
      receiver: hanging,
      workspace,
      createTicket,
    } = await subscribe(server, {
      reply: (response) => void (hangs ? held.push(response) : response.destroy()),
    })
    const healthy = await startReceiver()
    await subscribeReceiver(server, healthy, { workspace: workspace.id })
    await Promise.all(Array.from({ length: 100 }, (_, index) => createTicket(`Ticket ${index}`)))
    const sending = server.deliveries.runDue()
    await expect.poll(() => healthy.received.length).toBe(100)
    expect(hanging.received.length).toBeLessThanOrEqual(8)
    expect(held).toHaveLength(hanging.received.length)
    hangs = false
    for (const response of held) response.destroy()
    await sending
    expect(hanging.received.length).toBeLessThanOrEqual(16)
  })

  test('to a failing receiver are sent one at a time with pauses, and all arrive once it recovers', async () => {
    const options = sendingOptions()
    const server = await start(options)
    let well = false
    const { receiver, workspace, createTicket } = await subscribe(server, {
      reply: (response) => void response.writeHead(well ? 204 : 500).end(),
    })
    await Promise.all(Array.from({ length: 60 }, (_, index) => createTicket(`Ticket ${index}`)))
    await server.deliveries.runDue()
    const atFirst = receiver.received.length
    expect(atFirst).toBeLessThanOrEqual(16)
    options.clock.advance(70 * microsPerSecond)
    await server.deliveries.runDue()
    expect(receiver.received.length).toBe(atFirst + 1)
    well = true
    for (let minute = 0; minute < 45; minute += 1) {
      options.clock.advance(60 * microsPerSecond)
      await server.deliveries.runDue()
    }
    const open = (await server.admin.deliveries.list({ workspace: workspace.id }, { state: 'pending' })).data
    expect(open).toEqual([])
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(60)
  })

  test('respect the rate limit of their subscription, and none is dropped', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, createTicket } = await subscribe(server, { rate_per_minute: 120 })
    await Promise.all(Array.from({ length: 30 }, (_, index) => createTicket(`Ticket ${index}`)))
    const counts: number[] = []
    for (let second = 0; second < 16; second += 1) {
      await server.deliveries.runDue()
      counts.push(receiver.received.length)
      options.clock.advance(microsPerSecond)
    }
    expect(counts.slice(0, 5)).toEqual([2, 4, 6, 8, 10])
    expect(receiver.received).toHaveLength(30)
  })

  test('start with eight concurrent requests and grow to 64 as they succeed', async () => {
    const server = await start(sendingOptions())
    const seen: number[] = []
    let open = 0
    const slow: Reply = (response) => {
      open += 1
      seen.push(open)
      setImmediate(() =>
        setImmediate(() =>
          setImmediate(() => {
            open -= 1
            response.writeHead(204).end()
          }),
        ),
      )
    }
    const { createTickets } = await subscribe(server, { reply: slow })
    await createTickets(300)
    await server.deliveries.runDue()
    expect(Math.max(...seen.slice(0, 8))).toBeLessThanOrEqual(8)
    expect(seen).toHaveLength(300)
    expect(Math.max(...seen)).toBeLessThanOrEqual(64)
  })

  test('that are new are sent before retries', async () => {
    const options = sendingOptions()
    const server = await start(options)
    let reply: Reply = status(500)
    const { receiver, createTicket } = await subscribe(server, {
      rate_per_minute: 60,
      reply: (...all) => reply(...all),
    })
    const titles = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).ticket.title)
    for (const title of ['old 1', 'old 2', 'old 3']) {
      await createTicket(title)
      await server.deliveries.runDue()
      options.clock.advance(2 * microsPerSecond)
    }
    reply = status(204)
    options.clock.advance(20 * microsPerSecond)
    await createTicket('new')
    await server.deliveries.runDue()
    expect(titles().at(3)).toBe('new')
    for (let second = 0; second < 5; second += 1) {
      options.clock.advance(microsPerSecond)
      await server.deliveries.runDue()
    }
    expect(titles().slice(4).sort()).toEqual(['old 1', 'old 2', 'old 3'])
  })
})
