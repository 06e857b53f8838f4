import { expect, inject, onTestFinished, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/system-clock.ts'
import { createServer, type Server, type ServerOptions } from '../../src/index.ts'
import { startServer } from '../../src/server.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { placeOf } from '../on-every-store.ts'
import { newestDelivery } from './log-of.ts'
import { holdingReply, type Reply } from './receiver.ts'
import { addChecklist, checklistEvents, sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

/** A PostgreSQL on which several servers are started; a data directory of SQLite belongs to one. */
async function startCluster(options: ServerOptions, leaseMs?: number) {
  const place = await placeOf('postgres')
  const servers: Server[] = []
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await place.remove()
  })
  return async () => {
    const process = leaseMs === undefined ? {} : { leaseMs }
    const { server } = await startServer({ ...options, ...place.options, databasePool: 4 }, process)
    servers.push(server)
    return server
  }
}

async function startSeveral(count: number, options: ServerOptions): Promise<Server[]> {
  const start = await startCluster(options)
  return Promise.all(Array.from({ length: count }, start))
}

const holdsFirst = () => {
  let letGo: () => void = () => undefined
  const reply: Reply = (response, _, number) => {
    if (number > 1) response.writeHead(204).end()
    else letGo = () => void response.socket?.destroy()
  }
  return { reply, letGo: () => letGo() }
}

test('what a worker has left behind is sent by another when its lease is over, under the same id', async () => {
  const options = sendingOptions()
  // So long that none is renewed while the test runs: a worker that is lost renews nothing.
  const leaseMs = 3_600_000
  const start = await startCluster(options, leaseMs)
  const lost = await start()
  const { reply, letGo } = holdsFirst()
  const { receiver, workspace, createTicket } = await subscribe(lost, { reply })
  await createTicket('A')
  void lost.deliveries.runDue()
  await expect.poll(() => receiver.received.length).toBe(1)
  // Only now, or it might be the first to take the delivery.
  const heir = await start()
  await heir.deliveries.runDue()
  expect(receiver.received).toHaveLength(1)
  options.clock.advance((leaseMs + 1000) * 1000)
  await heir.deliveries.runDue()
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery'])).toEqual(
    Array(2).fill((await newestDelivery(heir, workspace)).uuid),
  )
  // The first worker comes back to life: its late failure must not undo what the second has done.
  letGo()
  await lost.deliveries.runDue()
  const delivery = await newestDelivery(heir, workspace)
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 })
  expect(delivery.log.map(({ outcome }) => outcome).sort()).toEqual(['ok', 'reset'])
  options.clock.advance(60 * microsPerSecond)
  await heir.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
})

test('a worker whose leases have ended begins nothing of what it had fetched', async () => {
  const options = sendingOptions()
  const leaseMs = 3_600_000
  const start = await startCluster(options, leaseMs)
  const away = await start()
  const { reply, answer, answerAll } = holdingReply()
  const { receiver, workspace, createTicket } = await subscribe(away, { reply })
  await addChecklist(away, workspace.id)
  await createTicket('A')
  await expect.poll(() => receiver.received.length).toBe(8)
  const heir = await start()
  options.clock.advance((leaseMs + 1000) * 1000)
  void heir.deliveries.runDue()
  await expect.poll(() => receiver.received.length).toBe(16)
  // The first worker gets an answer, and could send the four that it holds.
  answer(204)
  answerAll()
  await Promise.all([away, heir].map(({ deliveries }) => deliveries.runDue()))
  const times = Object.values(Object.groupBy(receiver.received, ({ headers }) => String(headers['x-service-delivery'])))
  expect(times.map((each) => each?.length).toSorted()).toEqual([
    ...Array(checklistEvents - 8).fill(1),
    ...Array(8).fill(2),
  ])
})

test('four workers on one PostgreSQL share the work and deliver nothing twice', async () => {
  const servers = await startSeveral(4, { ...sendingOptions(), clock: systemClock() })
  const [first] = servers
  if (first === undefined) throw new Error('Four servers were asked for.')
  const { receiver, workspace, place } = await subscribe(first)
  for (let index = 0; index < 7; index += 1)
    await subscribeReceiver(first, receiver, { workspace: workspace.id, url: `${receiver.url}/${index}` })
  await Promise.all(
    Array.from({ length: 80 }, (_, index) =>
      servers[index % 4]?.admin.tickets.create({ workspace: workspace.id }, { title: `Ticket ${index}` }),
    ),
  )
  await expect.poll(() => receiver.received.length).toBe(640)
  await Promise.all(servers.map((server) => server.deliveries.runDue()))
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(640)
  expect(receiver.received).toHaveLength(640)
  expect((await first.admin.deliveries.list({ workspace: workspace.id }, { state: 'pending' })).data).toEqual([])
  expect(await first.admin.webhooks.get(place)).toMatchObject({
    enabled: true,
    failing_since: null,
  })
})

test('a word sent through PostgreSQL reaches other processes, also after the connection was broken', async () => {
  const url = inject('postgresUrl')
  const [here, there] = await Promise.all([1, 2].map(() => openPostgres({ url, poolSize: 2, namedStatements: false })))
  let heard = 0
  const end = await there?.signals?.receive(() => {
    heard += 1
  })
  onTestFinished(async () => {
    await end?.()
    await Promise.all([here?.close(), there?.close()])
  })
  await here?.signals?.send()
  await expect.poll(() => heard).toBe(1)
  await here?.migrateWith(async (run) => {
    await run("select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen service_deliveries'")
  })
  const before = heard
  await expect
    .poll(async () => {
      await here?.signals?.send()
      return heard
    })
    .toBeGreaterThan(before)
})

test('closing a server finishes what is under way, records it and gives the queue back', async () => {
  const options = sendingOptions()
  const place = await placeOf('sqlite')
  onTestFinished(() => place.remove())
  const server = await createServer({ ...options, ...place.options })
  let answer: () => void = () => undefined
  const { receiver, workspace, createTicket } = await subscribe(server, {
    reply: (response, _, number) => {
      if (number > 1) response.writeHead(204).end()
      else answer = () => void response.writeHead(204).end()
    },
  })
  await createTicket('A')
  await expect.poll(() => receiver.received.length).toBe(1)
  const closing = server.close()
  answer()
  await closing
  await using next = await createServer({ ...options, ...place.options })
  expect(await newestDelivery(next, workspace)).toMatchObject({ state: 'succeeded', attempts: 1 })
  await next.admin.tickets.create({ workspace: workspace.id }, { title: 'B' })
  await next.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
})

test('a node that was started before there was a subscription sends as soon as another one commits', async () => {
  const place = await placeOf('postgres')
  const sentBy = { first: 0, second: 0 }
  const start = (name: keyof typeof sentBy) =>
    createServer({
      ...sendingOptions(),
      clock: systemClock(),
      ...place.options,
      lookup: async () => {
        sentBy[name] += 1
        return ['127.0.0.1']
      },
    })
  const first = await start('first')
  const second = await start('second')
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()])
    await place.remove()
  })
  const { receiver, workspace } = await subscribe(first)
  for (let index = 0; index < 60; index += 1) {
    const url = `http://receiver-${index}.test:${new URL(receiver.url).port}`
    await subscribeReceiver(first, receiver, { workspace: workspace.id, url })
  }
  const isShared = async () => {
    await first.admin.tickets.create({ workspace: workspace.id }, { title: 'Shared' })
    return sentBy.second > 0
  }
  await expect.poll(isShared).toBe(true)
})
