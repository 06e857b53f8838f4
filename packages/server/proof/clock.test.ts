import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import type { ServerOptions } from '../src/index.ts'
import { createStorage } from '../test/on-every-store.ts'
import { createDatabase } from '../test/postgres-databases.ts'
import { type Arrival, closeNode, startNode, startTimingReceiver } from './clock-nodes.ts'

/** Slow enough that the holder has not sent everything before the other node starts. */
const answerAfterMs = 200

/** The messages of the failed checks. */
const broken = (promises: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(promises).flatMap(([sentence, isKept]) => (isKept ? [] : [sentence]))

/** Checks a retry after 2 s, a rate window, and an event before and after the machine's clock is set. */
async function proveStep(place: ServerOptions, stepMs: number): Promise<string[]> {
  const receiver = await startTimingReceiver((number) => (number === 1 ? 500 : 204))
  const node = await startNode({ place, receiver, subscription: { schedule: [2] } })
  await node.ask({ do: 'ticket', count: 1 })
  await receiver.came(1)
  await node.ask({ do: 'rate' })
  const before = (await node.ask({ do: 'rate' })).retryAfter ?? 0
  node.setClock(stepMs)
  await sleep(1100)
  const after = (await node.ask({ do: 'rate' })).retryAfter ?? 0
  const hasRetried = await receiver.came(2, 10_000)
  const [first, retry] = receiver.arrivals
  const waited = (retry?.atMs ?? Number.NaN) - (first?.atMs ?? 0)
  await node.ask({ do: 'ticket', count: 1 })
  const hasSent = await receiver.came(3, 10_000)
  const { isEnabled, listed = [] } = await node.ask({ do: 'state' })
  await closeNode(node)
  receiver.close()
  return broken({
    'The retry was not sent.': hasRetried,
    'The retry did not wait for 2 s ± 20 %.': waited > 1500 && waited < 3500,
    'A new event was not sent.': hasSent,
    'The rate window did not count down.': after < before && after >= before - 4,
    'The subscription was disabled.': isEnabled === true,
    'The newest ticket is not listed first.': listed[0]?.endsWith('-2') === true,
  })
}

/** The number of requests for deliveries that had already succeeded. */
const repeated = (arrivals: readonly Arrival[]): number => {
  const succeeded = new Set<string>()
  let count = 0
  for (const { delivery, status } of arrivals) {
    if (succeeded.has(delivery)) count += 1
    if (status < 300) succeeded.add(delivery)
  }
  return count
}

/** Two nodes on one PostgreSQL whose clocks are an hour apart. */
async function proveApart(place: ServerOptions): Promise<string[]> {
  const receiver = await startTimingReceiver((number) => (number % 10 === 0 ? 500 : 204))
  const subscription = { schedule: [1] }
  const here = await startNode({ place, receiver, subscription })
  const there = await startNode({ place, receiver, subscription, offMs: 3_600_000 })
  const startedAt = performance.now()
  await Promise.all([here, there].map((node) => node.ask({ do: 'ticket', count: 100 })))
  const isQuiet = async () => (await here.ask({ do: 'state' })).pending === 0
  while (!(await isQuiet()) && performance.now() - startedAt < 30_000) await sleep(50)
  const { pending } = await here.ask({ do: 'state' })
  const deliveries = new Set(receiver.arrivals.map(({ delivery }) => delivery)).size
  await Promise.all([closeNode(here), closeNode(there)])
  receiver.close()
  return broken({
    'Deliveries are still pending.': pending === 0,
    'Some deliveries are missing.': deliveries === 200,
    'A delivery was sent twice.': repeated(receiver.arrivals) === 0,
  })
}

/** Measures how long the other node needs to take over the queue of a killed node. */
async function proveTakeOver(place: ServerOptions): Promise<string[]> {
  const receiver = await startTimingReceiver(() => 204, answerAfterMs)
  const subscription = { fifo: true }
  const holder = await startNode({ place, receiver, subscription })
  await holder.ask({ do: 'ticket', count: 200 })
  await receiver.came(10)
  const heir = await startNode({ place, receiver, subscription })
  await sleep(500)
  await holder.signal('SIGKILL')
  const count = receiver.arrivals.length
  const killedAt = performance.now()
  await receiver.came(count + 1, 20_000)
  const took = (receiver.arrivals[count]?.atMs ?? Number.NaN) - killedAt
  await receiver.came(200 + repeated(receiver.arrivals), 60_000)
  await closeNode(heir)
  receiver.close()
  return broken({
    'The queue was not taken over within 5 s.': took <= 5000,
    'More than the request in flight was sent twice.': repeated(receiver.arrivals) <= 1,
  })
}

/** Suspends the node that holds a queue for 8 s. */
async function proveStopped(place: ServerOptions): Promise<string[]> {
  const receiver = await startTimingReceiver(() => 204, answerAfterMs)
  const subscription = { fifo: true }
  const holder = await startNode({ place, receiver, subscription })
  await holder.ask({ do: 'ticket', count: 200 })
  await receiver.came(10)
  const heir = await startNode({ place, receiver, subscription })
  await sleep(500)
  await holder.signal('SIGSTOP')
  await sleep(100)
  const count = receiver.arrivals.length
  const stoppedAt = performance.now()
  await receiver.came(count + 1, 20_000)
  const took = (receiver.arrivals[count]?.atMs ?? Number.NaN) - stoppedAt
  await sleep(Math.max(0, 8000 - (performance.now() - stoppedAt)))
  const before = repeated(receiver.arrivals)
  await holder.signal('SIGCONT')
  await receiver.came(200 + before, 60_000)
  await sleep(1000)
  const after = repeated(receiver.arrivals)
  await Promise.all([closeNode(holder), closeNode(heir)])
  receiver.close()
  return broken({
    'The queue was not taken over within 5 s.': took <= 5000,
    'More than the request in flight was sent twice.': before <= 1,
    'The suspended node sent deliveries of a queue that it had lost.': after === before,
  })
}

/** Measures how long the next process on a data directory needs to send what a killed one had leased. */
async function proveRestart(place: ServerOptions): Promise<string[]> {
  const receiver = await startTimingReceiver(() => 204, answerAfterMs)
  const subscription = { fifo: true }
  const first = await startNode({ place, receiver, subscription })
  await first.ask({ do: 'ticket', count: 100 })
  await receiver.came(10)
  await first.signal('SIGKILL')
  const count = receiver.arrivals.length
  const next = await startNode({ place, receiver, subscription })
  const readyAt = performance.now()
  await receiver.came(count + 1, 40_000)
  const took = Math.max(0, (receiver.arrivals[count]?.atMs ?? Number.NaN) - readyAt)
  await receiver.came(100 + repeated(receiver.arrivals), 30_000)
  await closeNode(next)
  receiver.close()
  return broken({ 'The next process did not continue immediately.': took <= 1000 })
}

async function onPostgres(prove: (place: ServerOptions) => Promise<string[]>): Promise<string[]> {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  return prove({ databaseUrl: url }).finally(drop)
}

async function onSqlite(prove: (place: ServerOptions) => Promise<string[]>): Promise<string[]> {
  const { options, remove } = await createStorage('sqlite')
  return prove(options).finally(remove)
}

const hours = [1, -1, 144, -144]

test.each(hours)('setting the clock by %i hours neither delays nor advances deliveries on SQLite', async (step) => {
  expect(await onSqlite((place) => proveStep(place, step * 3_600_000))).toEqual([])
})

test.each(hours)('setting the clock by %i hours neither delays nor advances deliveries on PostgreSQL', async (step) => {
  expect(await onPostgres((place) => proveStep(place, step * 3_600_000))).toEqual([])
})

test('two nodes whose clocks differ by an hour deliver every event once', async () => {
  expect(await onPostgres(proveApart)).toEqual([])
})

test('the queue of a killed node is taken over within five seconds', async () => {
  expect(await onPostgres(proveTakeOver)).toEqual([])
})

test('a node suspended for eight seconds does not send what another node has taken over', async () => {
  expect(await onPostgres(proveStopped)).toEqual([])
})

test('a new process continues immediately after a kill on SQLite', async () => {
  expect(await onSqlite(proveRestart)).toEqual([])
})
