import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

async function arrived(overrides: Parameters<typeof signedDelivery>[1] = {}): Promise<WebhookEvent> {
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
    const event = await arrived()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => once(event, () => runs.push('ran'))))
    expect(runs).toEqual(['ran'])
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1)
  })

  it('calls a copy busy while the first is at work, and a duplicate afterwards', async () => {
    const { once } = start()
    const event = await arrived()
    const work = gate()
    const first = once(event, work.run)
    await work.entered
    expect(await once(event, () => undefined)).toBe('busy')
    work.open()
    expect(await first).toBe('handled')
    expect(await once(event, () => undefined)).toBe('duplicate')
  })

  it('gives the event back when the function throws, so that the next attempt runs', async () => {
    const { once, runs } = start()
    const event = await arrived()
    await expect(once(event, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
    await expect(
      once(event, () => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
    expect(await once(event, () => runs.push('ran'))).toBe('handled')
    expect(runs).toEqual(['ran'])
  })

  it('knows a retry by its signed delivery id, whatever the attempt', async () => {
    const { once } = start()
    const standard = { standard: true, deliveryId: 'one' }
    expect(await once(await arrived({ ...standard, attempt: 1 }), () => undefined)).toBe('handled')
    expect(await once(await arrived({ ...standard, attempt: 2 }), () => undefined)).toBe('duplicate')
    expect(await once(await arrived({ ...standard, deliveryId: 'two' }), () => undefined)).toBe('handled')
  })

  it('goes by the body where no id is signed, so that a recorded delivery cannot pass for one to come', async () => {
    const { once, runs } = start()
    const genuine = { ...fixtures['task.created'], workspace_id: 1 }
    const deliveryId = 'the id of the genuine one'
    expect(await once(await arrived({ deliveryId: 'recorded' }), () => runs.push('recorded'))).toBe('handled')
    expect(await once(await arrived({ deliveryId }), () => runs.push('replayed'))).toBe('duplicate')
    const event = await verify({ ...(await signedDelivery(genuine, { deliveryId })), secret: testSecret })
    expect(await once(event, () => runs.push('genuine'))).toBe('handled')
    expect(runs).toEqual(['recorded', 'genuine'])
    const nameless = await arrived({ headers: { 'x-service-delivery': undefined } })
    expect(await once(nameless, () => runs.push('nameless'))).toBe('duplicate')
  })

  it('hands over to another copy when the lease has ended, and the late one changes nothing', async () => {
    const { once, clock } = start()
    const event = await arrived()
    const [late, second] = [gate(), gate()]
    const stuck = once(event, late.run)
    await late.entered
    clock.advance(1001)
    const takeover = once(event, second.run)
    await second.entered
    late.fail(new Error('far too late'))
    await expect(stuck).rejects.toThrow('far too late')
    // Had the late failure released the claim, this copy could start.
    expect(await once(event, () => undefined)).toBe('busy')
    second.open()
    expect(await takeover).toBe('handled')
  })

  it('forgets after its time', async () => {
    const { once, clock } = start()
    const event = await arrived()
    await once(event, () => undefined)
    clock.advance(9999)
    expect(await once(event, () => undefined)).toBe('duplicate')
    clock.advance(2)
    expect(await once(event, () => undefined)).toBe('handled')
  })

  it('never runs a successful event twice, in whatever order copies and failures come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ id: fc.constantFrom('a', 'b'), fails: fc.boolean() })), async (copies) => {
        const { once } = start()
        const done = new Map<string, number>()
        for (const { id, fails } of copies) {
          const run = () => {
            if (fails) throw new Error('failed')
            done.set(id, (done.get(id) ?? 0) + 1)
          }
          await once(await arrived({ deliveryId: id, standard: true }), run).catch(() => undefined)
        }
        for (const { id } of copies.filter(({ fails }) => !fails)) expect(done.get(id)).toBe(1)
      }),
      { numRuns: 25 },
    )
  })
})

it('keeps workspaces apart, and subscriptions that have a scope of their own', async () => {
  const store = memoryStore()
  const run = () => undefined
  const sameId = { deliveryId: 'shared', standard: true }
  const other = { ...fixtures['ticket.created'], workspace_id: 2 }
  const elsewhere = await verify({ ...(await signedDelivery(other, sameId)), secret: testSecret })
  expect(await dedupe({ store })(await arrived(sameId), run)).toBe('handled')
  expect(await dedupe({ store })(elsewhere, run)).toBe('handled')
  expect(await dedupe({ store, scope: 'billing' })(await arrived(sameId), run)).toBe('handled')
  expect(await dedupe({ store, scope: ({ type }) => type })(await arrived(sameId), run)).toBe('handled')
  expect(await dedupe({ store })(await arrived(sameId), run)).toBe('duplicate')
})

it('goes by what it is told to go by, signed or not', async () => {
  const run = () => undefined
  const byBody = dedupe({ store: memoryStore(), by: 'body' })
  expect(await byBody(await arrived({ deliveryId: 'one', standard: true }), run)).toBe('handled')
  expect(await byBody(await arrived({ deliveryId: 'two', standard: true }), run)).toBe('duplicate')
  const byDelivery = dedupe({ store: memoryStore(), by: 'delivery' })
  expect(await byDelivery(await arrived({ deliveryId: 'one' }), run)).toBe('handled')
  expect(await byDelivery(await arrived({ deliveryId: 'one' }), run)).toBe('duplicate')
  expect(await byDelivery(await arrived({ deliveryId: 'two' }), run)).toBe('handled')
})

it('prefers the signed id to the header that anybody can write', async () => {
  const once = dedupe({ store: memoryStore() })
  const standard = { standard: true, deliveryId: 'signed' } as const
  expect(await once(await arrived(standard), () => undefined)).toBe('handled')
  expect(await once(await arrived({ ...standard, headers: { 'x-service-delivery': 'other' } }), () => undefined)).toBe(
    'duplicate',
  )
})

it('reports the failure of the function even when the store fails to give the claim back', async () => {
  const store: DedupeStore = { ...memoryStore(), release: () => Promise.reject(new Error('store is down')) }
  await expect(dedupe({ store })(await arrived(), () => Promise.reject(new Error('no disk')))).rejects.toThrow(
    'no disk',
  )
})

it('drops the oldest entries of a full memory store', async () => {
  const once = dedupe({ store: memoryStore({ maxEntries: 2 }) })
  const standard = true
  for (const deliveryId of ['a', 'b', 'c']) await once(await arrived({ deliveryId, standard }), () => undefined)
  expect(await once(await arrived({ deliveryId: 'c', standard }), () => undefined)).toBe('duplicate')
  expect(await once(await arrived({ deliveryId: 'a', standard }), () => undefined)).toBe('handled')
})

it('sweeps expired rows out of the SQLite table', async () => {
  const database = new DatabaseSync(':memory:')
  const clock = fakeClock()
  const once = dedupe({ store: sqliteStore(database, { table: 'seen' }), now: clock.now, ttlMs: 1000 })
  const event = await arrived({ standard: true })
  const claims = 1000
  for (let number = 1; number <= claims; number++) {
    if (number === claims) clock.advance(1001)
    await once({ ...event, delivery: { ...event.delivery, id: String(number) } }, () => undefined)
  }
  expect(database.prepare('select count(*) as rows from seen').get()).toEqual({ rows: 1 })
})

it('refuses a table name that is no name', () => {
  expect(() => sqliteStore(new DatabaseSync(':memory:'), { table: 'x; drop table y' })).toThrow(TypeError)
})

it('answers a copy with 409 while the first is at work, and with success when it is done', async () => {
  const work = gate()
  const handler = createWebhookHandler({
    secret: testSecret,
    once: dedupe({ store: memoryStore() }),
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
