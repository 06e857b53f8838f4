import { createHmac } from 'node:crypto'
import type { EventPattern } from '@service/client/admin'
import { eventNames } from '@service/contract'
import { expect, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { collectedLog } from '../collected-log.ts'
import { manualClock } from '../manual-clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

onEveryStore('an event', (start) => {
  test('is sent with the documented headers and the exact bytes that were signed and stored', async () => {
    const server = await start(sendingOptions())
    const { receiver, subscription, workspace, createTicket } = await subscribe(server, { standard_webhooks: false })
    await createTicket('Größe „ß“ 🎉')
    await server.deliveries.runDue()
    const [request, ...others] = receiver.received
    expect(others).toEqual([])
    expect(request?.path).toBe('/hook')
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'ticket.created',
      'x-service-signature': createHmac('sha256', subscription.secret)
        .update(request?.body ?? '')
        .digest('hex'),
      'x-service-delivery': expect.stringMatching(uuid),
      'x-service-attempt': '1',
    })
    expect(request?.rawHeaders).toEqual(
      expect.arrayContaining(['Content-Type', 'X-Service-Event', 'X-Service-Signature']),
    )
    const [recorded] = (await server.admin.events.list({ workspace: workspace.id })).data.toReversed()
    expect(request?.body.toString()).toBe(recorded?.body)
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([])
  })

  test('is signed with the encoding of the subscription, Standard Webhooks headers, and extra headers', async () => {
    const server = await start(sendingOptions())
    const { receiver, subscription, createTicket } = await subscribe(server, {
      encoding: 'sha256=hex',
      standard_webhooks: true,
      headers: { Authorization: 'Basic abc' },
    })
    await createTicket('A')
    await server.deliveries.runDue()
    const [request] = receiver.received
    if (request === undefined) throw new Error('Nothing was received.')
    const { headers, body } = request
    const hex = createHmac('sha256', subscription.secret).update(body).digest('hex')
    const key = Buffer.from(subscription.secret.replace('whsec_', ''), 'base64')
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
    const standard = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    expect(headers).toMatchObject({
      authorization: 'Basic abc',
      'x-service-signature': `sha256=${hex}`,
      'webhook-id': headers['x-service-delivery'],
      'webhook-timestamp': '1795200713',
      'webhook-signature': `v1,${standard}`,
    })
  })

  test('is sent once to each subscription that matches its name, its wildcard, or everything, and to no other', async () => {
    const server = await start(sendingOptions())
    const {
      workspace,
      receiver: everything,
      createTicket,
    } = await subscribe(server, { events: ['*', 'ticket.*', 'ticket.created'] })
    const receivers = await Promise.all(
      (
        [['ticket.created'], ['ticket.*'], ['task.created'], ['ticket.updated', 'project.*']] satisfies EventPattern[][]
      ).map(async (events) => {
        const receiver = await startReceiver()
        await subscribeReceiver(server, receiver, { workspace: workspace.id, events })
        return receiver
      }),
    )
    const elsewhere = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const stranger = await startReceiver()
    await subscribeReceiver(server, stranger, { workspace: elsewhere.id })
    await createTicket('A')
    await server.deliveries.runDue()
    expect([everything, ...receivers, stranger].map(({ received }) => received.length)).toEqual([1, 1, 1, 0, 0, 0])
  })

  test('has one delivery id per subscription and an increasing sequence', async () => {
    const server = await start(sendingOptions())
    const { workspace, receiver, createTicket } = await subscribe(server)
    const second = await startReceiver()
    await subscribeReceiver(server, second, { workspace: workspace.id })
    for (const title of ['A', 'B', 'C']) await createTicket(title)
    await server.deliveries.runDue()
    const of = (name: string) => [...receiver.received, ...second.received].map(({ headers }) => String(headers[name]))
    expect(new Set(of('x-service-delivery')).size).toBe(6)
    const inOrder = receiver.received
      .map(({ headers, body }) => [Number(headers['x-service-sequence']), JSON.parse(body.toString()).ticket.title])
      .sort(([a], [b]) => a - b)
    expect(inOrder.map(([, title]) => title)).toEqual(['A', 'B', 'C'])
  })

  test('continues the trace of its request, on every attempt', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { workspace, token, receiver } = await subscribe(server, { reply: status(500) })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const create = (headers: Record<string, string>) =>
      call(server, { method: 'POST', path, token, headers, body: { title: 'A' } })
    await create({ traceparent, baggage: 'user=ada' })
    await server.deliveries.runDue()
    options.clock.advance(60 * microsPerSecond)
    await server.deliveries.runDue()
    expect(receiver.received.map(({ headers }) => [headers['traceparent'], headers['baggage']])).toEqual([
      [traceparent, undefined],
      [traceparent, undefined],
    ])
  })

  test.each([
    ['no trace', {}],
    ['an invalid trace', { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` }],
    ['an invalid trace id', { traceparent: '00-abc-b7ad6b7169203331-01' }],
  ])('of a request with %s has none', async (_, headers) => {
    const server = await start(sendingOptions())
    const { workspace, token, receiver } = await subscribe(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    await call(server, { method: 'POST', path, token, headers, body: { title: 'A' } })
    await server.deliveries.runDue()
    expect(receiver.received.map((request) => request.headers['traceparent'])).toEqual([undefined])
  })

  test('of a change that was rolled back is not sent', async () => {
    let fail = true
    const server = await start({
      ...sendingOptions(),
      log: collectedLog(),
      hooks: {
        ticketCreated() {
          if (fail) throw new Error('undone')
        },
      },
    })
    const { receiver, createTicket, workspace } = await subscribe(server)
    await expect(createTicket('Undone')).rejects.toMatchObject({ name: 'ServerError', status: 500 })
    fail = false
    await createTicket('Done')
    await server.deliveries.runDue()
    expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).ticket.title)).toEqual(['Done'])
    expect((await server.admin.deliveries.list({ workspace: workspace.id })).data).toHaveLength(1)
  })

  test('of any record within the limits of its fields is sent, in at most 1 MiB', async () => {
    const server = await start(sendingOptions())
    const { workspace, receiver } = await subscribe(server)
    const at = { workspace: workspace.id }
    const { tickets, tasks, projects, members, channels, messages } = server.admin
    const { ticket, task, project, text } = largest('\u0001')
    const changed = largest('\u0002')
    const { id } = await tickets.create(at, { title: text })
    await tickets.update({ ...at, id }, ticket)
    await tickets.update({ ...at, id }, changed.ticket)
    await tickets.update({ ...at, id }, { status: 'closed' })
    const created = await tasks.create(at, task)
    await tasks.update({ ...at, id: created.id }, changed.task)
    await projects.update({ ...at, id: (await projects.create(at, project)).id }, changed.project)
    const author = await members.create(at, { name: text, email: 'author@example.com' })
    const channel = await channels.create(at, { name: text })
    await messages.create(at, { channel_id: channel.id, author_id: author.id, body: task.description })
    await server.deliveries.runDue()
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event']))).toEqual(new Set(eventNames))
    const { data } = await server.admin.deliveries.list(at)
    expect(data.map(({ state }) => state)).toEqual(receiver.received.map(() => 'succeeded'))
    // The default limit of receivers.
    expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThanOrEqual(1_048_576)
  })

  test('is sent when its change commits, without polling, and so is a test event', async () => {
    // Timers never fire, so polling cannot find the event.
    const clock = { ...manualClock(), after: () => () => undefined }
    const server = await start({ ...sendingOptions(), clock })
    const { receiver, place, createTicket } = await subscribe(server)
    await createTicket('A')
    await expect.poll(() => receiver.received.length).toBe(1)
    await server.deliveries.runDue() // the worker is idle again
    await server.admin.webhooks.sendTest(place, { event: 'task.created' })
    await expect.poll(() => receiver.received.length).toBe(2)
  })

  test('can be sent as a test for each event type, is marked as a test, and is not listed among the events', async () => {
    const server = await start(sendingOptions())
    const { workspace, receiver, place } = await subscribe(server)
    for (const event of eventNames) await server.admin.webhooks.sendTest(place, { event })
    await server.deliveries.runDue()
    expect(receiver.received.map(({ headers }) => headers['x-service-event']).sort()).toEqual([...eventNames].sort())
    for (const { headers, body } of receiver.received) {
      expect(headers['x-service-test']).toBe('true')
      expect(JSON.parse(body.toString())).toMatchObject({
        event: headers['x-service-event'],
        workspace_id: workspace.id,
        test: true,
      })
    }
    expect((await server.admin.events.list({ workspace: workspace.id })).data.toReversed()).toEqual([])
  })
})

/** Records whose texts consist of a character and are as long as possible. In JSON, a control character takes six bytes. */
function largest(character: string) {
  const ofLength = (length: number) => character.repeat(length - 1).padEnd(length, 'a') // one shows, so it is not blank
  const text = ofLength(255)
  const word = ofLength(64)
  const task = { title: text, description: ofLength(65_535), status: word, priority: word }
  const tags = Array.from({ length: 50 }, (_, index) => String(index).padEnd(64, character))
  return { text, task, ticket: { ...task, category: word, tags }, project: { name: text, status: word } }
}
