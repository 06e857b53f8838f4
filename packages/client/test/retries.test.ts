import { createdTicket, ticket } from '@service/contract/docs/example-values'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ShouldRetry } from '../src/index.ts'
import { clientWith, json, network, refused, reset } from './support/client.ts'

const down = (headers = {}) => json({ message: 'Down.' }, 503, headers)
const busy = (headers = {}) => json({ message: 'Too Many Attempts.' }, 429, headers)

it('waits 150 and 300 ms if the random number is 0.5', async () => {
  const { fetch, requests } = network(down(), down(), json({ data: [ticket] }))
  const { client, waits } = clientWith({ fetch })
  expect(await client.tickets.list()).toEqual([ticket])
  expect(waits).toEqual([150, 300])
  expect(requests).toHaveLength(3)
})

it.each([
  ['retry-after', '2', 2_000],
  ['retry-after', '2, 2', 2_000],
  ['retry-after', '1.25', 1_250],
  ['retry-after-ms', '700', 700],
  ['retry-after', 'Fri, 20 Nov 2026 00:00:05 GMT', 5_000],
  ['ratelimit-reset', '4', 4_000],
  ['x-ratelimit-reset', String(Date.UTC(2026, 10, 20) / 1000 + 6), 6_000],
])('waits at least as long as %s: %s requests, and at most a quarter longer', async (name, value, expected) => {
  const waited = async (random: number) => {
    const { fetch } = network(busy({ [name]: value }), json({ data: [ticket] }))
    const { client, waits } = clientWith({ fetch, random: () => random })
    await client.tickets.list()
    return waits
  }
  expect(await waited(0)).toEqual([expected])
  expect(await waited(1)).toEqual([expected + Math.max(300, expected / 4)])
})

it('waits for the next window of the rate limit by default', async () => {
  const { fetch, requests } = network(busy({ 'retry-after': '60' }), json({ data: [ticket] }))
  const { client } = clientWith({ fetch })
  expect(await client.tickets.list()).toEqual([ticket])
  expect(requests).toHaveLength(2)
})

it('does not retry if shouldRetry forbids it, and passes it the error and the attempt', async () => {
  const { fetch, requests } = network(down())
  const seen: unknown[] = []
  const shouldRetry: ShouldRetry = ({ status }, state) => {
    seen.push([status, state])
    return state.attempt < 2
  }
  const { client } = clientWith({ fetch, shouldRetry })
  expect(await client.tickets.list().safe()).toMatchObject({ error: { code: 'server_error', attempts: 2 } })
  expect(requests).toHaveLength(2)
  expect(seen).toEqual([
    [503, { attempt: 1, isSafe: true }],
    [503, { attempt: 2, isSafe: true }],
  ])
  expect(await client.tickets.list({ shouldRetry: () => false }).safe()).toMatchObject({ error: { attempts: 1 } })
})

it('lets shouldRetry allow a retry only if another attempt cannot act twice', async () => {
  const { fetch, requests } = network(json({}, 404))
  const { client } = clientWith({ fetch, shouldRetry: () => true })
  expect(await client.tickets.list().safe()).toMatchObject({ error: { attempts: 3 } })
  const title = 'A title'
  expect(await client.tickets.create({ title }, { idempotencyKey: true }).safe()).toMatchObject({
    error: { attempts: 3 },
  })
  const { error } = await client.tickets.create({ title }).safe()
  expect(error?.attempts).toBe(1)
  expect(error?.message).toContain('Another attempt, as shouldRetry asked, needs an idempotencyKey.')
  expect(requests).toHaveLength(7)
})

it('does not retry if shouldRetry returns a promise, and names the mistake as the cause', async () => {
  const { fetch, requests } = network(down())
  const shouldRetry = (async () => false) as never // the types reject it
  const { error } = await clientWith({ fetch, shouldRetry }).client.tickets.list().safe()
  expect(error).toMatchObject({ code: 'server_error', attempts: 1 })
  expect(error?.cause).toEqual(new TypeError('shouldRetry must return a boolean.'))
  expect(requests).toHaveLength(1)
})

it('fails with the error of the call if shouldRetry throws, and sets the cause', async () => {
  const broken = new Error('broken')
  const shouldRetry = () => {
    throw broken
  }
  const { error } = await clientWith({ fetch: network(down()).fetch, shouldRetry })
    .client.tickets.list()
    .safe()
  expect(error).toMatchObject({ code: 'server_error', attempts: 1 })
  expect(error?.cause).toBe(broken)
})

it('never retries before the requested time, nor more often than allowed', async () => {
  const wait = fc.record({ status: fc.constantFrom(429, 503, 500), seconds: fc.integer({ min: 0, max: 80 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(wait, { maxLength: 6 }),
      fc.nat(4),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      async (plan, maxRetries, randomNumber) => {
        const sentAt: number[] = []
        const { client, now } = clientWith({
          maxRetries,
          random: () => randomNumber,
          fetch: () => {
            sentAt.push(now())
            const turn = plan[sentAt.length - 1]
            return turn ? json({}, turn.status, { 'retry-after': String(turn.seconds) }) : json({ data: [] })
          },
        })
        const result = await client.tickets.list().safe()
        expect(sentAt.length).toBeLessThanOrEqual(maxRetries + 1)
        for (let turn = 1; turn < sentAt.length; turn++) {
          const asked = (plan[turn - 1]?.seconds ?? 0) * 1000
          expect((sentAt[turn] ?? 0) - (sentAt[turn - 1] ?? 0)).toBeGreaterThanOrEqual(asked)
          expect(asked).toBeLessThanOrEqual(60_000)
        }
        if (result.ok) expect(sentAt.length).toBe(plan.length + 1)
        else expect(result.error.attempts).toBe(sentAt.length)
      },
    ),
  )
})

it('fails immediately with the requested wait if it is longer than maxRetryAfterMs', async () => {
  const { fetch, requests } = network(busy({ 'retry-after': '61' }))
  const { client, waits } = clientWith({ fetch })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'rate_limited', retryAfterMs: 61_000, attempts: 1, retryable: true },
  })
  expect([requests.length, waits.length]).toEqual([1, 0])
})

it('fails immediately if the wait would exceed the deadline', async () => {
  const { fetch, requests } = network(busy({ 'retry-after': '10' }))
  const { client, waits } = clientWith({ fetch, deadlineMs: 9_000 })
  expect(await client.tickets.list().safe()).toMatchObject({ error: { code: 'rate_limited', retryAfterMs: 10_000 } })
  expect([requests.length, waits.length]).toEqual([1, 0])
})

it.each([
  ['a refused connection', refused()],
  ['429', busy()],
  ['503 with Retry-After', down({ 'retry-after': '1' })],
])('retries a POST after %s', async (_, fault) => {
  const { fetch, requests } = network(fault, json({ data: createdTicket }, 201))
  const { client } = clientWith({ fetch })
  expect(await client.tickets.create({ title: 'A title' })).toEqual(createdTicket)
  expect(requests).toHaveLength(2)
  expect(await requests[1]?.text()).toBe('{"title":"A title"}')
})

it.each([
  ['a broken connection', reset()],
  ['an unknown error', new TypeError('Load failed')],
  ['a bare 503', down()],
  ['500', json({}, 500)],
  ['504', json({}, 504)],
  ['408', json({}, 408)],
])('does not retry a POST after %s', async (_, fault) => {
  const { fetch, requests } = network(fault, json({ data: createdTicket }, 201))
  const { client } = clientWith({ fetch })
  const result = await client.tickets.create({ title: 'A title' }).safe()
  expect(result).toMatchObject({ ok: false, error: { attempts: 1, retryable: false } })
  expect(requests).toHaveLength(1)
})

it.each([
  ['a broken connection', reset()],
  ['a bare 503', down()],
  ['500', json({}, 500)],
])('retries a POST with an idempotency key after %s, with the same key', async (_, fault) => {
  const { fetch, requests } = network(fault, fault, json({ data: createdTicket }, 201))
  const { client } = clientWith({ fetch })
  const { meta } = await client.tickets.create({ title: 'A title' }, { idempotencyKey: true }).withMeta()
  const keys = requests.map((request) => request.headers.get('idempotency-key'))
  expect(meta.idempotencyKey).toMatch(/^[\da-f-]{36}$/)
  expect(keys).toEqual([meta.idempotencyKey, meta.idempotencyKey, meta.idempotencyKey])
})

it('sends the key of the caller and includes it in the error', async () => {
  const { fetch, requests } = network(json({}, 500))
  const { client } = clientWith({ fetch, maxRetries: 1 })
  const result = await client.tickets.create({ title: 'A title' }, { idempotencyKey: 'order-17' }).safe()
  expect(requests.map((request) => request.headers.get('idempotency-key'))).toEqual(['order-17', 'order-17'])
  expect(result).toMatchObject({
    ok: false,
    error: { idempotencyKey: 'order-17', retryable: true },
    meta: { idempotencyKey: 'order-17' },
  })
})

it('sends a new key with every creation, and none with a list, if idempotency is auto', async () => {
  const { fetch, requests } = network(json({ data: createdTicket }), json({ data: createdTicket }), json({ data: [] }))
  const { client } = clientWith({ fetch, idempotency: 'auto' })
  await client.tickets.create({ title: 'A title' })
  await client.tickets.create({ title: 'A title' })
  await client.tickets.list()
  const keys = requests.map((request) => request.headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBeNull()
})

it.each([reset(), refused(), down(), busy({ 'retry-after': '0' }), json({}, 401)])(
  'sends exactly one request if maxRetries is 0',
  async (fault) => {
    const { fetch, requests } = network(fault)
    const { client } = clientWith({ fetch, token: () => 'service_abc' })
    expect(await client.tickets.list({ maxRetries: 0 }).safe()).toMatchObject({ ok: false, error: { attempts: 1 } })
    expect(requests).toHaveLength(1)
  },
)

it('does not repeat a call with a new token if maxRetries is 0', async () => {
  let asked = 0
  const { fetch, requests } = network(json({}, 401))
  const { client } = clientWith({ fetch, maxRetries: 0, token: () => `service_${asked++}` })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false, error: { status: 401, attempts: 1 } })
  expect(requests).toHaveLength(1)
})

it.each([
  ['502', [json({}, 502)], 'maybe'],
  ['504', [json({}, 504)], 'maybe'],
  ['500', [json({}, 500)], 'yes'],
  ['500 and then 502', [json({}, 500), json({}, 502)], 'yes'],
])('reports after %s whether the platform received the call', async (_, answers, delivered) => {
  for (const hooks of [undefined, { afterResponse: [() => undefined] }]) {
    const { client } = clientWith({ fetch: network(...answers).fetch, hooks, maxRetries: answers.length - 1 })
    expect(await client.tickets.list().safe()).toMatchObject({ error: { attempts: answers.length, delivered } })
  }
})

it('reports the least certain delivery over all attempts', async () => {
  const { fetch } = network(reset(), refused())
  const { client } = clientWith({ fetch })
  expect(await client.tickets.list().safe()).toMatchObject({
    error: { reason: 'refused', attempts: 3, delivered: 'maybe' },
  })
})
