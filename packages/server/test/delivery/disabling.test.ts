import { expect, test } from 'vitest'
import { microsPerDay, microsPerHour } from '../../src/core/clock.ts'
import { createServer, type Server } from '../../src/index.ts'
import { createTestServer } from '../../src/testing/entries/testing.ts'
import { collectedLog } from '../collected-log.ts'
import { onEveryStore } from '../on-every-store.ts'
import { startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const longAgo = { since: '2020-01-01T00:00:00Z' }

const statesOf = async (server: Server, workspace: { readonly id: number }) =>
  (await server.admin.deliveries.list({ workspace: workspace.id })).data.map(({ state }) => state)

onEveryStore('a subscription', (start) => {
  test('without a success for five days is disabled with a warning, and its events are held for recovery', async () => {
    const options = sendingOptions()
    const log = collectedLog()
    const server = await start({ ...options, log })
    let code = 500
    const { receiver, workspace, place, createTicket } = await subscribe(server, {
      reply: (response) => void response.writeHead(code).end(),
    })
    for (let day = 0; day < 5; day += 1) {
      await createTicket(`Day ${day}`)
      for (let hour = 0; hour < 24; hour += 2) {
        await server.deliveries.runDue()
        options.clock.advance(2 * microsPerHour)
      }
      expect(await server.admin.webhooks.get(place)).toMatchObject({
        enabled: true,
      })
    }
    options.clock.advance(microsPerDay / 2)
    await server.deliveries.runDue()
    expect(await server.admin.webhooks.get(place)).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
    })
    const warnings = log.lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence)
    expect(warnings.filter((sentence) => sentence.includes('keeps failing'))).toHaveLength(2)
    expect(warnings.filter((sentence) => sentence.includes('is disabled (failing)'))).toHaveLength(1)

    const before = receiver.received.length
    await createTicket('While disabled')
    options.clock.advance(microsPerDay)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(before)
    const states = await statesOf(server, workspace)
    expect(states).toHaveLength(6)
    expect(new Set(states)).toEqual(new Set(['held', 'failed']))

    code = 204
    expect(await server.admin.webhooks.enable(place)).toMatchObject({
      enabled: true,
      failing_since: null,
      disabled_at: null,
    })
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(before)
    expect(await server.admin.webhooks.recover(place, { ...longAgo, dry_run: true })).toMatchObject({ count: 6 })
    await server.admin.webhooks.recover(place, longAgo)
    await server.deliveries.runDue()
    expect(await statesOf(server, workspace)).toEqual(Array(6).fill('succeeded'))
    expect(await server.admin.webhooks.recover(place, { ...longAgo, dry_run: true })).toMatchObject({ count: 0 })
  })

  test('that succeeds occasionally is never disabled', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { place, createTicket } = await subscribe(server, {
      reply: (response, { body }) => void response.writeHead(body.includes('good') ? 204 : 500).end(),
    })
    for (let day = 0; day < 12; day += 1) {
      await createTicket(day % 4 === 0 ? 'good' : 'bad')
      await server.deliveries.runDue()
      options.clock.advance(microsPerDay)
    }
    expect(await server.admin.webhooks.get(place)).toMatchObject({
      enabled: true,
    })
  })

  test('that is disabled manually holds its pending deliveries and sends nothing', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, place, createTicket } = await subscribe(server, { reply: status(503) })
    await createTicket('A')
    await server.deliveries.runDue()
    await server.admin.webhooks.disable(place)
    options.clock.advance(microsPerHour)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(1)
    expect(await statesOf(server, workspace)).toEqual(['held'])
    expect(await server.admin.webhooks.get(place)).toMatchObject({
      enabled: false,
      disabled_reason: 'manual',
    })
    await expect(server.admin.webhooks.recover(place, longAgo)).rejects.toMatchObject({ code: 'conflict' })
    await expect(server.admin.webhooks.sendTest(place, { event: 'task.created' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('that is deleted gets no more deliveries and is not listed, but its log remains', async () => {
    const server = await start(sendingOptions())
    const { receiver, workspace, place, createTicket } = await subscribe(server)
    await createTicket('A')
    await server.deliveries.runDue()
    await server.admin.webhooks.delete(place)
    await createTicket('B')
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(1)
    expect((await server.admin.webhooks.list({ workspace: workspace.id })).data).toEqual([])
    await expect(server.admin.webhooks.get(place)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await statesOf(server, workspace)).toEqual(['succeeded'])
  })

  test('that changes while deliveries are pending receives them with the new settings', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, subscription, place, createTicket } = await subscribe(server, { reply: status(500) })
    await createTicket('A')
    await server.deliveries.runDue()
    const changed = await server.admin.webhooks.update(place, {
      url: `${receiver.url}/new`,
      headers: { 'X-Mine': '1' },
      encoding: 'base64',
    })
    receiver.expects({ ...subscription, ...changed })
    options.clock.advance(microsPerHour)
    await server.deliveries.runDue()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new'])
    expect(receiver.received[1]?.headers).toMatchObject({
      'x-mine': '1',
      'x-service-signature': expect.stringMatching(/^[\w+/]{43}=$/),
    })
  })
})

test('a subscription that is disabled and re-enabled during a request stays enabled with fresh health', async () => {
  const options = sendingOptions()
  await using server = await createServer(options)
  let answer: () => void = () => undefined
  const { receiver, place, createTicket } = await subscribe(server, {
    reply: (response, _, number) => {
      if (number === 1) response.writeHead(500).end()
      else answer = () => void response.writeHead(500).end()
    },
  })
  await createTicket('A')
  await server.deliveries.runDue()
  options.clock.advance(6 * microsPerDay)
  const sending = server.deliveries.runDue()
  await expect.poll(() => receiver.received.length).toBe(2)
  await server.admin.webhooks.disable(place)
  await server.admin.webhooks.enable(place)
  await expect
    .poll(async () => (await server.admin.webhooks.jobs({ workspace: place.workspace })).data[0]?.state)
    .toBe('finished')
  answer()
  await sending
  expect(await server.admin.webhooks.get(place)).toMatchObject({
    enabled: true,
    failing_since: expect.stringMatching(/^2026-11-26/),
  })
})

onEveryStore('the list of subscriptions', (start) => {
  test('has the failing ones first, the longest failing on top, then active and disabled ones', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { workspace, place, createTicket } = await subscribe(server, {
      reply: status(500),
      events: ['ticket.created'],
      description: 'Order desk',
    })
    const at = { workspace: workspace.id }
    const add = async (event: 'task.created' | 'project.updated', description: string) => {
      const receiver = await startReceiver(status(500))
      return (await subscribeReceiver(server, receiver, { ...at, events: [event], description })).id
    }
    const failing = await add('task.created', 'Analytics')
    const active = [await add('project.updated', 'Intranet'), await add('project.updated', 'Archive')]
    const off = await add('project.updated', 'Old intranet')
    const deleted = await add('project.updated', 'Gone')
    await server.admin.webhooks.disable({ ...at, id: off })
    await server.admin.webhooks.delete({ ...at, id: deleted })
    await createTicket('First')
    await server.deliveries.runDue()
    options.clock.advance(microsPerHour)
    await server.admin.tasks.create(at, { title: 'Second' })
    await server.deliveries.runDue()

    const idsOf = ({ data }: { data: readonly { id: number }[] }) => data.map(({ id }) => id)
    const inOrder = [place.id, failing, ...active.toReversed(), off]
    expect(idsOf(await server.admin.webhooks.list(at, { sort: 'state' }))).toEqual(inOrder)
    expect(idsOf(await server.admin.webhooks.list(at))).toEqual(inOrder.toSorted((a, b) => b - a))
    const paged: number[] = []
    let cursor: string | null | undefined
    do {
      const page = await server.admin.webhooks.list(at, { sort: 'state', limit: 2, cursor: cursor ?? undefined })
      paged.push(...idsOf(page))
      cursor = page.next_cursor
    } while (cursor)
    expect(paged).toEqual(inOrder)

    const states = ['failing', 'active', 'off'] as const
    const byState = await Promise.all(
      states.map(async (state) => idsOf(await server.admin.webhooks.list(at, { state }))),
    )
    expect(byState).toEqual([inOrder.slice(0, 2), active.toReversed(), [off]])
    expect(await server.admin.webhooks.count(at)).toEqual({ failing: 2, active: 2, off: 1 })
    const find = async (search: string) => idsOf(await server.admin.webhooks.list(at, { sort: 'state', search }))
    expect(await find('INTRANET')).toEqual([active[0], off])
    expect(await find('127.0.0.1')).toEqual(inOrder)
    expect(await find('elsewhere')).toEqual([])
  })
})

test('a search finds a subscription behind hundreds of others', async () => {
  await using server = await createTestServer({ encryptionKey: 'k'.repeat(40) })
  const { id: workspace_id } = await server.create.workspace()
  const { id } = await server.create.subscription({ workspace_id, url: 'https://hidden.test/webhooks' })
  await server.createMany.subscription(499, () => ({ workspace_id }))
  const found = await server.admin.webhooks.list({ workspace: workspace_id }, { search: 'hidden' })
  expect(found.data.map((row) => row.id)).toEqual([id])
})
