import { once as nextEvent } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type DedupeStore, dedupe, memoryStore, redisStore, sqliteStore } from '../src/dedupe.ts'
import { createWebhookHandler, verify, type WebhookEvent } from '../src/index.ts'
import { fakeClock, fixtures, signedDelivery, signedRequest, testSecret } from '../src/testing.ts'
import { fakeRedis } from './fake-redis.ts'
import { gate } from './gate.ts'

type Clock = ReturnType<typeof fakeClock>

const stores: [string, (clock: Clock) => DedupeStore][] = [
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore(new DatabaseSync(':memory:'))],
  ['Redis', (clock) => redisStore(fakeRedis(clock.now))],
]

async function makeEvent(overrides: Parameters<typeof signedDelivery>[1] = {}): Promise<WebhookEvent> {
  return verify({ ...(await signedDelivery('ticket.created', overrides)), secret: testSecret })
}

describe.each(stores)('dedupe with the %s store', (_name, open) => {
  const start = () => {
    const clock = fakeClock()
    const runs: string[] = []
    const store = open(clock)
    return { clock, runs, store, once: dedupe({ store, now: clock.now, leaseMs: 1000, ttlMs: 10_000 }) }
  }

  it('runs once when 100 copies arrive at the same time', async () => {
    const { once, runs } = start()
    const event = await makeEvent()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => once(event, () => runs.push('ran'))))
    expect(runs).toEqual(['ran'])
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1)
  })

  it('reports busy while the first copy runs, and duplicate afterwards', async () => {
    const { once } = start()
    const event = await makeEvent()
    const work = gate()
    const first = once(event, work.run)
    await work.entered
    expect(await once(event, () => undefined)).toBe('busy')
    work.open()
    expect(await first).toBe('handled')
    expect(await once(event, () => undefined)).toBe('duplicate')
  })

  it('releases the event when the handler throws, so that the next attempt runs', async () => {
    const { once, runs } = start()
    const event = await makeEvent()
    await expect(once(event, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
    await expect(
      once(event, () => {
        throw new Error('synchronous')
      }),
    ).rejects.toThrow('synchronous')
    expect(await once(event, () => runs.push('ran'))).toBe('handled')
    expect(runs).toEqual(['ran'])
  })

  it('recognizes a retry by its signed delivery id', async () => {
    const { once } = start()
    const standard = { standard: true, deliveryId: 'one' }
    expect(await once(await makeEvent({ ...standard, attempt: 1 }), () => undefined)).toBe('handled')
    expect(await once(await makeEvent({ ...standard, attempt: 2 }), () => undefined)).toBe('duplicate')
    expect(await once(await makeEvent({ ...standard, deliveryId: 'two' }), () => undefined)).toBe('handled')
  })

  it('compares bodies if the id is not signed, so that a replay cannot block a later event', async () => {
    const { once, runs } = start()
    const genuine = { ...fixtures['task.created'], workspace_id: 1 }
    const deliveryId = 'the id of the genuine delivery'
    expect(await once(await makeEvent({ deliveryId: 'recorded' }), () => runs.push('recorded'))).toBe('handled')
    expect(await once(await makeEvent({ deliveryId }), () => runs.push('replayed'))).toBe('duplicate')
    const event = await verify({ ...(await signedDelivery(genuine, { deliveryId })), secret: testSecret })
    expect(await once(event, () => runs.push('genuine'))).toBe('handled')
    expect(runs).toEqual(['recorded', 'genuine'])
    const nameless = await makeEvent({ headers: { 'x-service-delivery': undefined } })
    expect(await once(nameless, () => runs.push('nameless'))).toBe('duplicate')
  })

  it('lets another copy run after the lease expires, and ignores the late result of the first', async () => {
    const { once, clock } = start()
    const event = await makeEvent()
    const [late, second] = [gate(), gate()]
    const stuck = once(event, late.run)
    await late.entered
    clock.advance(1001)
    const takeover = once(event, second.run)
    await second.entered
    late.fail(new Error('too late'))
    await expect(stuck).rejects.toThrow('too late')
    // If the late failure had released the claim, this copy would run.
    expect(await once(event, () => undefined)).toBe('busy')
    second.open()
    expect(await takeover).toBe('handled')
  })

  it('forgets an event after its TTL', async () => {
    const { once, clock } = start()
    const event = await makeEvent()
    await once(event, () => undefined)
    clock.advance(9999)
    expect(await once(event, () => undefined)).toBe('duplicate')
    clock.advance(2)
    expect(await once(event, () => undefined)).toBe('handled')
  })

  it('runs each event successfully at most once, for any order of copies and failures', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ id: fc.constantFrom('a', 'b'), fails: fc.boolean() })), async (copies) => {
        const { once } = start()
        const done = new Map<string, number>()
        for (const { id, fails } of copies) {
          const run = () => {
            if (fails) throw new Error('failed')
            done.set(id, (done.get(id) ?? 0) + 1)
          }
          await once(await makeEvent({ deliveryId: id, standard: true }), run).catch(() => undefined)
        }
        for (const { id } of copies.filter(({ fails }) => !fails)) expect(done.get(id)).toBe(1)
      }),
      { numRuns: 25 },
    )
  })
})

it('separates workspaces and scopes that share a store', async () => {
  const store = memoryStore()
  const run = () => undefined
  const sameId = { deliveryId: 'shared', standard: true }
  const other = { ...fixtures['ticket.created'], workspace_id: 2 }
  const elsewhere = await verify({ ...(await signedDelivery(other, sameId)), secret: testSecret })
  expect(await dedupe({ store })(await makeEvent(sameId), run)).toBe('handled')
  expect(await dedupe({ store })(elsewhere, run)).toBe('handled')
  expect(await dedupe({ store, scope: 'billing' })(await makeEvent(sameId), run)).toBe('handled')
  expect(await dedupe({ store, scope: ({ type }) => type })(await makeEvent(sameId), run)).toBe('handled')
  expect(await dedupe({ store })(await makeEvent(sameId), run)).toBe('duplicate')
})

it('identifies copies by the configured key', async () => {
  const run = () => undefined
  const byBody = dedupe({ store: memoryStore(), by: 'body' })
  expect(await byBody(await makeEvent({ deliveryId: 'one', standard: true }), run)).toBe('handled')
  expect(await byBody(await makeEvent({ deliveryId: 'two', standard: true }), run)).toBe('duplicate')
  const byDelivery = dedupe({ store: memoryStore(), by: 'delivery' })
  expect(await byDelivery(await makeEvent({ deliveryId: 'one' }), run)).toBe('handled')
  expect(await byDelivery(await makeEvent({ deliveryId: 'one' }), run)).toBe('duplicate')
  expect(await byDelivery(await makeEvent({ deliveryId: 'two' }), run)).toBe('handled')
})

it('prefers the signed id to the unsigned header', async () => {
  const once = dedupe({ store: memoryStore() })
  const standard = { standard: true, deliveryId: 'signed' } as const
  expect(await once(await makeEvent(standard), () => undefined)).toBe('handled')
  expect(
    await once(await makeEvent({ ...standard, headers: { 'x-service-delivery': 'other' } }), () => undefined),
  ).toBe('duplicate')
})

it('throws the error of the handler even if the store cannot release the claim', async () => {
  const store: DedupeStore = { ...memoryStore(), release: () => Promise.reject(new Error('store is down')) }
  await expect(dedupe({ store })(await makeEvent(), () => Promise.reject(new Error('no disk')))).rejects.toThrow(
    'no disk',
  )
})

it('evicts the oldest entries of a full memory store', async () => {
  const once = dedupe({ store: memoryStore({ maxEntries: 2 }) })
  const standard = true
  for (const deliveryId of ['a', 'b', 'c']) await once(await makeEvent({ deliveryId, standard }), () => undefined)
  expect(await once(await makeEvent({ deliveryId: 'c', standard }), () => undefined)).toBe('duplicate')
  expect(await once(await makeEvent({ deliveryId: 'a', standard }), () => undefined)).toBe('handled')
})

/** Locks a SQLite file in another thread, and writes so many rows that the lock outlasts the message about it. */
async function whileLocked(file: string, work: () => unknown): Promise<void> {
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const database = new (require('node:sqlite').DatabaseSync)(workerData)
    database.exec('create table if not exists other (value); begin immediate')
    parentPort.postMessage('locked')
    database.exec('insert into other with recursive n(i) as (select 1 union all select i + 1 from n where i < 1e6) select i from n')
    database.exec('commit')`,
    { eval: true, workerData: file },
  )
  const ended = nextEvent(worker, 'exit')
  await nextEvent(worker, 'message')
  try {
    await work()
  } finally {
    await ended
  }
}

it('waits while another process writes to the SQLite file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dedupe-'))
  const file = join(folder, 'deliveries.db')
  const [starting, running] = [new DatabaseSync(file), new DatabaseSync(file)]
  try {
    let store = sqliteStore(running)
    await whileLocked(file, async () => expect(await dedupe({ store })(await makeEvent(), () => {})).toBe('handled'))
    await whileLocked(file, () => {
      store = sqliteStore(starting, { table: 'others' })
    })
    expect(await dedupe({ store })(await makeEvent(), () => {})).toBe('handled')
  } finally {
    starting.close()
    running.close()
    rmSync(folder, { recursive: true })
  }
})

it('deletes expired rows from the SQLite table', async () => {
  const database = new DatabaseSync(':memory:')
  const clock = fakeClock()
  const once = dedupe({ store: sqliteStore(database, { table: 'seen' }), now: clock.now, ttlMs: 1000 })
  const event = await makeEvent({ standard: true })
  const claims = 1000
  for (let number = 1; number <= claims; number++) {
    if (number === claims) clock.advance(1001)
    await once({ ...event, delivery: { ...event.delivery, id: String(number) } }, () => undefined)
  }
  expect(database.prepare('select count(*) as rows from seen').get()).toEqual({ rows: 1 })
})

it('accepts a keyword as the name of the SQLite table', async () => {
  const once = dedupe({ store: sqliteStore(new DatabaseSync(':memory:'), { table: 'order' }) })
  expect(await once(await makeEvent(), () => undefined)).toBe('handled')
  expect(await once(await makeEvent(), () => undefined)).toBe('duplicate')
})

it('remembers an event for longer than a timer can run', async () => {
  const [clock, dayMs] = [fakeClock(), 86_400_000]
  const once = dedupe({ store: memoryStore(), now: clock.now, ttlMs: 30 * dayMs })
  const event = await makeEvent()
  expect(await once(event, () => undefined)).toBe('handled')
  clock.advance(29 * dayMs)
  expect(await once(event, () => undefined)).toBe('duplicate')
})

it('refuses an invalid table name', () => {
  expect(() => sqliteStore(new DatabaseSync(':memory:'), { table: 'x; drop table y' })).toThrow(TypeError)
})

it('responds to a copy with 409 while the first runs, and with 204 afterwards', async () => {
  const work = gate()
  const handler = createWebhookHandler({
    secret: testSecret,
    dedupe: dedupe({ store: memoryStore() }),
    on: { 'ticket.created': work.run },
  })
  const request = () => signedRequest('ticket.created', { deliveryId: 'one' })
  const first = handler(await request())
  await work.entered
  const busy = await handler(await request())
  expect(busy.status).toBe(409)
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
  work.open()
  expect((await first).status).toBe(204)
  expect((await handler(await request())).status).toBe(204)
})

it.each([true, 'OK', undefined, null])(
  'handles nothing if a store returns %o for a claim, and names it',
  async (result) => {
    const run = vi.fn()
    const once = dedupe({ store: { ...memoryStore(), claim: () => result as never } })
    await expect(once(await makeEvent(), run)).rejects.toThrow(
      new TypeError('dedupe: claim must return claimed, busy, or done'),
    )
    expect(run).not.toHaveBeenCalled()
  },
)

it.each([
  [() => dedupe(undefined as never), 'dedupe requires a store with claim, commit, and release, such as memoryStore()'],
  [() => dedupe({} as never), 'dedupe requires a store with claim'],
  [() => dedupe({ store: { ...memoryStore(), release: undefined } as never }), 'dedupe requires a store with claim'],
  [() => dedupe(memoryStore() as never), 'unknown dedupe option claim; known: store,'],
  [() => dedupe({ store: memoryStore(), ttlMs: '7d' as never }), 'dedupe option ttlMs must be a number'],
  [() => dedupe({ store: memoryStore(), leaseMs: Number.NaN }), 'leaseMs must be above 0'],
  [() => dedupe({ store: memoryStore(), by: 'delivry' as never }), 'unknown dedupe by delivry; known: body, delivery'],
  [() => dedupe({ store: memoryStore(), now: 5 as never }), 'dedupe option now must be a function'],
  [() => memoryStore({ maxEntries: Number.NaN }), 'maxEntries must be above 0'],
  [() => memoryStore({ max: 1 } as never), 'unknown memoryStore option max, did you mean maxEntries?'],
  [() => redisStore({} as never), 'redisStore requires a client with send'],
  [() => redisStore(fakeRedis(Date.now), { prefx: 'a' } as never), 'unknown redisStore option prefx; known: prefix'],
  [() => sqliteStore('deliveries.db' as never), 'sqliteStore requires a database with exec and prepare'],
  [() => sqliteStore(undefined as never), 'sqliteStore requires a database with exec and prepare'],
  [
    () => sqliteStore(new DatabaseSync(':memory:'), { name: 'a' } as never),
    'unknown sqliteStore option name; known: table',
  ],
])('throws when created by %s', (create, message) => {
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

it('handles nothing if the clock does not return a number', async () => {
  const once = dedupe({ store: memoryStore(), now: () => Number.NaN })
  await expect(once(await makeEvent(), () => undefined)).rejects.toThrow('dedupe: now must return a number')
})
