import { expect, inject, onTestFinished, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/system-clock.ts'
import { createServer, type Server, type ServerOptions } from '../../src/index.ts'
import { startServer } from '../../src/server.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { createStorage } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { holdingReply, type Reply } from './receiver.ts'
import { addChecklist, checklistEvents, sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

/** Starts several servers on one PostgreSQL database. A SQLite data directory belongs to one server. */
async function startCluster(options: ServerOptions, leaseMs?: number) {
  const place = await createStorage('postgres')
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

test('deliveries of a lost worker are sent by another once the lease expires, with the same id', async () => {
  const options = sendingOptions()
  // Long enough that no lease is renewed during the test: a lost worker renews nothing.
  const leaseMs = 3_600_000
  const start = await startCluster(options, leaseMs)
  const lost = await start()
  const { reply, letGo } = holdsFirst()
  const { receiver, workspace, createTicket } = await subscribe(lost, { reply })
  await createTicket('A')
  void lost.deliveries.runDue()
  await expect.poll(() => receiver.received.length).toBe(1)
  // Started only now, because it might otherwise take the delivery first.
  const heir = await start()
  await heir.deliveries.runDue()
  expect(receiver.received).toHaveLength(1)
  options.clock.advance((leaseMs + 1000) * 1000)
  await heir.deliveries.runDue()
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery'])).toEqual(
    Array(2).fill((await newestDelivery(heir, workspace)).uuid),
  )
  // The first worker resumes. Its late failure must not overwrite the second worker's result.
  letGo()
  await lost.deliveries.runDue()
  const delivery = await newestDelivery(heir, workspace)
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 })
  expect(delivery.log.map(({ outcome }) => outcome).sort()).toEqual(['ok', 'reset'])
  options.clock.advance(60 * microsPerSecond)
  await heir.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
})

test('a worker whose leases have expired sends none of its prefetched deliveries', async () => {
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
  // The first worker gets a response and could send its four prefetched deliveries.
  answer(204)
  answerAll()
  await Promise.all([away, heir].map(({ deliveries }) => deliveries.runDue()))
  const times = Object.values(Object.groupBy(receiver.received, ({ headers }) => String(headers['x-service-delivery'])))
  expect(times.map((each) => each?.length).toSorted()).toEqual([
    ...Array(checklistEvents - 8).fill(1),
    ...Array(8).fill(2),
  ])
})

test('an event that a worker with an expired lease finds first is sent by another worker', async () => {
  const options = sendingOptions()
  const leaseMs = 3_600_000
  const start = await startCluster(options, leaseMs)
  const away = await start()
  const { reply, letGo } = holdsFirst()
  const { receiver, createTicket } = await subscribe(away, { reply })
  await createTicket('A')
  await expect.poll(() => receiver.received.length).toBe(1)
  const heir = await start()
  options.clock.advance((leaseMs + 1000) * 1000)
  await heir.deliveries.runDue()
  expect(receiver.received).toHaveLength(2)
  // The first worker still waits for its response, so it does not know yet that the queue was taken over and released.
  await createTicket('B')
  letGo()
  await away.deliveries.runDue()
  await heir.deliveries.runDue()
  expect(receiver.received.map(({ body }) => JSON.parse(String(body)).ticket.title)).toEqual(['A', 'A', 'B'])
})

test('four workers on one PostgreSQL share the work and deliver nothing twice', async () => {
  const servers = await startSeveral(4, { ...sendingOptions(), clock: systemClock() })
  const [first] = servers
  if (first === undefined) throw new Error('No server was started.')
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

test('a signal sent through PostgreSQL reaches other processes, also after the connection broke', async () => {
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

test('closing a server finishes in-flight requests, records them, and releases the queue', async () => {
  const options = sendingOptions()
  const place = await createStorage('sqlite')
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

test('a node that started before the first subscription sends as soon as another node commits', async () => {
  const place = await createStorage('postgres')
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
