import { expect, test } from 'vitest'
import { microsPerHour, microsPerSecond } from '../../src/core/clock.ts'
import { createServer } from '../../src/index.ts'
import { signedInVisitor } from '../dashboard-person.ts'
import { createStorage, onEveryStore } from '../on-every-store.ts'
import { onDisk } from '../tables.ts'
import { newestDelivery } from './newest-delivery.ts'
import { type Reply, startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const longAgo = { since: '2020-01-01T00:00:00Z' }

onEveryStore('redelivery', (start) => {
  test('resends a succeeded delivery with the same id and bytes and the next attempt number', async () => {
    const server = await start(sendingOptions())
    const { receiver, workspace, createTicket } = await subscribe(server)
    await createTicket('A')
    await server.deliveries.runDue()
    const { id } = await newestDelivery(server, workspace)
    await server.admin.deliveries.resend({ workspace: workspace.id, id })
    await server.deliveries.runDue()
    const [first, second] = receiver.received
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery'])
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2'])
  })

  test('restarts the schedule of a delivery that was given up', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, createTicket } = await subscribe(server, { reply: status(500) })
    await createTicket('A')
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await server.deliveries.runDue()
      options.clock.advance(30 * microsPerHour)
    }
    // Ten attempts over twelve days have disabled the receiver as well.
    const delivery = await newestDelivery(server, workspace)
    const place = { workspace: workspace.id, id: delivery.subscription_id }
    await server.admin.webhooks.enable(place)
    await server.admin.deliveries.resend({ workspace: workspace.id, id: delivery.id })
    const before = receiver.received.length
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await server.deliveries.runDue()
      options.clock.advance(microsPerHour)
    }
    expect(receiver.received).toHaveLength(before + 3)
    expect((await newestDelivery(server, workspace)).state).toBe('pending')
  })

  test('retrying deliveries, with their errors, are listed apart from those that wait for their first attempt', async () => {
    const server = await start(sendingOptions())
    const { workspace, subscription, createTicket } = await subscribe(server, { reply: status(500), fifo: true })
    for (const title of ['First', 'Second', 'Third']) await createTicket(title)
    await server.deliveries.runDue()
    const listed = async (state: 'pending' | 'retrying') =>
      (
        await server.admin.deliveries.list({ workspace: workspace.id }, { subscription_id: subscription.id, state })
      ).data.map(({ attempts, error }) => [attempts, error])
    const tried = [1, 'The receiver answered 500.']
    expect(await listed('pending')).toEqual([[0, null], [0, null], tried])
    expect(await listed('retrying')).toEqual([tried])
  })

  test('a recovery sends retrying, failed, and held deliveries now, although their receiver was paused', async () => {
    const options = sendingOptions()
    const server = await start(options)
    let code = 500
    const reply: Reply = (response) => void response.writeHead(code).end()
    const { receiver, workspace, place, createTicket } = await subscribe(server, { reply, schedule: [3600] })
    const at = { workspace: workspace.id }
    await createTicket('Failed')
    await server.deliveries.runDue()
    options.clock.advance(2 * microsPerHour)
    await server.deliveries.runDue()
    await server.admin.webhooks.disable(place)
    await createTicket('Held')
    await server.admin.webhooks.enable(place)
    // Enough failures in a row for a pause. Each is sent after the pause of the one before.
    for (let index = 0; index < 6; index += 1) {
      options.clock.advance(5 * microsPerSecond)
      await createTicket('Retrying')
      await server.deliveries.runDue()
    }
    const states = async () => (await server.admin.deliveries.list(at)).data.map(({ state }) => state)
    expect(await states()).toEqual([...Array(6).fill('pending'), 'held', 'failed'])
    expect(await server.admin.webhooks.recover(place, { ...longAgo, dry_run: true })).toEqual({
      count: 8,
      retrying: 6,
      failed: 1,
      held: 1,
    })
    code = 204
    const before = receiver.received.length
    await server.admin.webhooks.recover(place, longAgo)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(before + 8)
    expect(await states()).toEqual(Array(8).fill('succeeded'))
    expect(await server.admin.webhooks.recover(place, { ...longAgo, dry_run: true })).toMatchObject({ count: 0 })
  })

  test('answers 404 for a delivery of another workspace', async () => {
    const server = await start(sendingOptions())
    const { workspace, createTicket } = await subscribe(server)
    await createTicket('A')
    const { id } = await newestDelivery(server, workspace)
    const elsewhere = await server.admin.workspaces.create({ name: 'Elsewhere' })
    await expect(server.admin.deliveries.resend({ workspace: elsewhere.id, id })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      server.admin.deliveries.attempts({ workspace: elsewhere.id, id }).then(({ data }) => data),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('is refused after the subscription was deleted, and no page offers it', async () => {
    const server = await start(sendingOptions())
    let code = 204
    const reply: Reply = (response) => void response.writeHead(code).end()
    const { workspace, place, createTicket } = await subscribe(server, { reply, schedule: [3600] })
    await createTicket('Sent')
    await server.deliveries.runDue()
    code = 500
    await createTicket('Retrying')
    await server.deliveries.runDue()
    await server.admin.webhooks.disable(place)
    await createTicket('Late')
    await server.admin.webhooks.delete(place)
    const person = await signedInVisitor(server, { workspace: workspace.id, role: 'admin', name: 'Wes' })
    const board = `/dashboard/w/${workspace.id}`
    const { data } = await server.admin.deliveries.list({ workspace: workspace.id })
    const words = await Promise.all(
      data.map(async ({ id }) => {
        await expect(server.admin.deliveries.resend({ workspace: workspace.id, id })).rejects.toMatchObject({
          status: 409,
          message: expect.stringContaining(`its subscription ${place.id} was deleted.`),
        })
        const html = await (await person.get(`${board}/deliveries/${id}`)).text()
        expect(html).not.toMatch(/>\s*Resend/)
        expect(html).not.toContain('Held')
        expect(await (await person.get(`${board}/search?q=${id}`)).text()).toMatch(/, (?:given up|delivered)/)
        return /It was given up, because its subscription was deleted\.|Delivered/.exec(html)?.[0]
      }),
    )
    const givenUp = 'It was given up, because its subscription was deleted.'
    expect(words).toEqual([givenUp, givenUp, 'Delivered'])
    expect(data.map(({ error }) => error)).toEqual([givenUp, givenUp, null])
  })

  test('replays matching events from before the subscription existed, once each', async () => {
    const server = await start(sendingOptions())
    const { workspace, createTicket } = await subscribe(server)
    for (const title of ['A', 'B']) await createTicket(title)
    await server.admin.tasks.create({ workspace: workspace.id }, { title: 'A task' })
    const late = await startReceiver()
    const { id } = await subscribeReceiver(server, late, { workspace: workspace.id, events: ['ticket.*'] })
    const place = { workspace: workspace.id, id }
    await server.deliveries.runDue()
    expect(late.received).toEqual([])
    expect(await server.admin.webhooks.replayMissing(place, { ...longAgo, dry_run: true })).toEqual({ count: 2 })
    expect(await server.admin.webhooks.replayMissing(place, { since: '2030-01-01T00:00:00Z', dry_run: true })).toEqual({
      count: 0,
    })
    await server.admin.webhooks.replayMissing(place, longAgo)
    await server.admin.webhooks.replayMissing(place, longAgo)
    await server.deliveries.runDue()
    expect(late.received.map(({ body }) => JSON.parse(body.toString()).ticket.title).sort()).toEqual(['A', 'B'])
    expect((await server.admin.webhooks.jobs({ workspace: workspace.id })).data).toMatchObject([
      { kind: 'replay', state: 'finished', done: 0 },
      { kind: 'replay', state: 'finished', done: 2 },
    ])
  })

  test('requires a date-time with an offset', async () => {
    const server = await start(sendingOptions())
    const { place } = await subscribe(server)
    await expect(server.admin.webhooks.recover(place, { since: '2026-11-20T00:00:00' })).rejects.toMatchObject({
      code: 'validation',
      errors: {
        since: ['The since field must be a valid date and time with a UTC offset, such as 2026-01-31T09:00:00Z.'],
      },
    })
  })
})

test.each(onDisk)(
  'a job of more than a thousand deliveries runs in steps, continues after a restart, and keeps the order on %s',
  async (store) => {
    const options = sendingOptions()
    const place = await createStorage(store)
    const { workspace, subscription } = await (async () => {
      await using server = await createServer({ ...options, ...place.options })
      const {
        workspace,
        createTickets,
        subscription,
        place: at,
      } = await subscribe(server, { events: ['message.created'], fifo: true })
      await createTickets(1200)
      await server.admin.webhooks.update(at, { events: ['ticket.*'] })
      await server.admin.webhooks.replayMissing(at, longAgo)
      return { workspace, subscription }
    })()
    await using server = await createServer({ ...options, ...place.options })
    const receiver = await startReceiver()
    const { id, secret } = subscription
    const moved = await server.admin.webhooks.update({ workspace: workspace.id, id }, { url: receiver.url })
    receiver.expects({ ...moved, secret })
    await server.deliveries.runDue()
    expect((await server.admin.webhooks.jobs({ workspace: workspace.id })).data).toMatchObject([
      { kind: 'replay', state: 'finished', done: 1200 },
    ])
    const ids = new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))
    const order = receiver.received.map(({ headers }) => Number(headers['x-service-sequence']))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    const deliveries = (await server.admin.deliveries.list({ workspace: workspace.id }, { state: 'pending' })).data
    expect(deliveries).toEqual([])
    expect(ids.size).toBeGreaterThan(1000)
    await server.close()
    await place.remove()
  },
)
