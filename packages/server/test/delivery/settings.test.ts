import { expect, test } from 'vitest'
import { microsPerHour, microsPerMinute, microsPerSecond } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { type Reply, status } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

onEveryStore('a subscription', (start) => {
  test('with its own schedule is attempted exactly that often', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, createTicket } = await subscribe(server, { reply: status(500), schedule: [10, 100] })
    await createTicket('A')
    await server.deliveries.runDue()
    const counts: number[] = []
    for (const seconds of [7, 6, 70, 60, 24 * 3600]) {
      options.clock.advance(seconds * microsPerSecond)
      await server.deliveries.runDue()
      counts.push(receiver.received.length)
    }
    // Jitter changes the waits by up to a fifth: 8–12 s, then 80–120 s.
    expect(counts).toEqual([1, 2, 2, 3, 3])
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: 'failed', attempts: 3 })
  })

  test('follows a new schedule immediately, and the default one when it is removed', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, place, createTicket } = await subscribe(server, { reply: status(500) })
    await createTicket('A')
    await server.deliveries.runDue()
    await server.admin.webhooks.update(place, { schedule: [1] })
    options.clock.advance(microsPerMinute)
    await server.deliveries.runDue()
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: 'failed', attempts: 2 })
    await server.admin.webhooks.update(place, { schedule: null })
    await createTicket('B')
    options.clock.advance(microsPerMinute)
    await server.deliveries.runDue()
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: 'pending', attempts: 1 })
    expect(receiver.received).toHaveLength(3)
  })

  test('whose receiver answers `webhook-delivery: abort-message` gives up that delivery and continues with the next', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, place, createTicket } = await subscribe(server, {
      reply: (response, { body }) =>
        void response.writeHead(body.includes('bad') ? 422 : 204, { 'webhook-delivery': 'abort-message' }).end(),
    })
    await createTicket('bad')
    await server.deliveries.runDue()
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: 'failed', attempts: 1 })
    await createTicket('good')
    options.clock.advance(microsPerHour)
    await server.deliveries.runDue()
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: 'succeeded', attempts: 1 })
    expect(receiver.received).toHaveLength(2)
    expect(await server.admin.webhooks.get(place)).toMatchObject({
      enabled: true,
    })
  })

  test.each([500, 204])('whose receiver answers %d with `webhook-delivery: disable` is disabled', async (code) => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, place, createTicket } = await subscribe(server, {
      reply: status(code, { 'webhook-delivery': 'Disable' }),
    })
    await createTicket('A')
    await server.deliveries.runDue()
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: code === 204 ? 'succeeded' : 'failed' })
    expect(await server.admin.webhooks.get(place)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    })
    await createTicket('B')
    options.clock.advance(microsPerHour)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(1)
    expect(await newestDelivery(server, workspace)).toMatchObject({ state: 'held' })
  })
})

const titlesOf = (received: readonly { readonly body: Buffer }[]): string[] =>
  received.map(({ body }) => JSON.parse(body.toString()).ticket.title)

/** Fails the first attempts of some tickets. */
function failing(failures: Readonly<Record<string, number>>): Reply {
  const left = new Map(Object.entries(failures))
  return (response, { body }) => {
    const { title } = JSON.parse(body.toString()).ticket
    const times = left.get(title) ?? 0
    left.set(title, times - 1)
    response.writeHead(times > 0 ? 500 : 204).end()
  }
}

onEveryStore('a FIFO subscription', (start) => {
  test('gets events one at a time, and none after a failed one until it succeeds', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, createTicket } = await subscribe(server, {
      events: ['ticket.created'],
      fifo: true,
      reply: failing({ '03': 2, '07': 5, '08': 1 }),
    })
    const titles = Array.from({ length: 12 }, (_, index) => String(index).padStart(2, '0'))
    for (const title of titles) await createTicket(title)
    await server.deliveries.runDue()
    expect(titlesOf(receiver.received)).toEqual(['00', '01', '02', '03'])
    for (let hour = 0; hour < 20; hour += 1) {
      options.clock.advance(microsPerHour)
      await server.deliveries.runDue()
      if (hour === 0) await createTicket('12')
    }
    expect(titlesOf(receiver.received)).toEqual([
      ...['00', '01', '02', '03', '03', '03', '04', '05', '06'],
      ...['07', '07', '07', '07', '07', '07', '08', '08', '09', '10', '11', '12'],
    ])
    const sequence = receiver.received.map(({ headers }) => Number(headers['x-service-sequence']))
    expect(sequence).toEqual([...sequence].sort((one, other) => one - other))
  })

  test('gets the next events after one is given up', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, createTicket } = await subscribe(server, {
      fifo: true,
      schedule: [1],
      reply: failing({ A: 9 }),
    })
    await createTicket('A')
    await createTicket('B')
    await server.deliveries.runDue()
    options.clock.advance(microsPerMinute)
    await server.deliveries.runDue()
    expect(titlesOf(receiver.received)).toEqual(['A', 'A', 'B'])
  })

  test('never has two requests in flight', async () => {
    const server = await start(sendingOptions())
    let open = 0
    const seen: number[] = []
    const { createTickets } = await subscribe(server, {
      fifo: true,
      reply: (response) => {
        open += 1
        seen.push(open)
        setImmediate(() => {
          open -= 1
          response.writeHead(204).end()
        })
      },
    })
    await createTickets(150)
    await server.deliveries.runDue()
    expect(seen).toEqual(Array(150).fill(1))
  })

  test('sends pending deliveries in order once it is switched to FIFO', async () => {
    const options = sendingOptions()
    const server = await start(options)
    let code = 500
    const { receiver, place, createTicket } = await subscribe(server, {
      reply: (response) => void response.writeHead(code).end(),
    })
    for (const title of ['A', 'B', 'C']) await createTicket(title)
    await server.deliveries.runDue()
    await server.admin.webhooks.update(place, { fifo: true })
    await createTicket('D')
    code = 204
    options.clock.advance(microsPerHour)
    await server.deliveries.runDue()
    expect(titlesOf(receiver.received).slice(3)).toEqual(['A', 'B', 'C', 'D'])
  })
})

onEveryStore('large events', (start) => {
  test('all arrive complete, although a worker holds only some of them in memory', async () => {
    const server = await start(sendingOptions())
    const { receiver, workspace } = await subscribe(server, { events: ['message.created'] })
    const channel = await server.admin.channels.create({ workspace: workspace.id }, { name: 'ops' })
    const body = 'ü'.repeat(30_000)
    const count = 20
    for (let index = 0; index < count; index += 1)
      await server.admin.messages.create(
        { workspace: workspace.id },
        { channel_id: channel.id, body: `${index} ${body}` },
      )
    await server.deliveries.runDue()
    const came = receiver.received.map((one) => JSON.parse(one.body.toString()).message.body)
    expect(new Set(came)).toEqual(new Set(Array.from({ length: count }, (_, index) => `${index} ${body}`)))
  })
})
