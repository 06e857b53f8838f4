import { expect, it } from 'vitest'
import { clientWith, json, network } from './support/client.ts'
import { createdTicket, ticket } from './support/samples.ts'

/** A platform that takes one token only. */
const only = (valid: string) =>
  network((request) =>
    request.headers.get('authorization') === `Bearer ${valid}`
      ? json({ data: [ticket] })
      : json({ message: 'Unauthenticated.' }, 401),
  )

/** A token function that gives these in turn. */
function tokens(...given: string[]) {
  let asked = 0
  return { token: async () => given[asked++] ?? '', asked: () => asked }
}

it('asks for a token once, and again after a 401', async () => {
  const { fetch, requests } = only('service_new')
  const { token, asked } = tokens('service_old', 'service_new')
  const { client, waits } = clientWith({ fetch, token })
  expect(await client.tickets.list()).toEqual([ticket])
  expect(await client.tickets.list()).toEqual([ticket])
  expect([asked(), requests.length, waits.length]).toEqual([2, 3, 0])
})

it('asks once for fifty calls that are refused together', async () => {
  const { fetch } = only('service_new')
  const { token, asked } = tokens('service_old', 'service_new', 'service_third')
  const { client } = clientWith({ fetch, token })
  const all = await Promise.all(Array.from({ length: 50 }, () => client.tickets.list()))
  expect(all).toHaveLength(50)
  expect(asked()).toBe(2)
})

it('keeps a newer token when a call with the old one is refused late', async () => {
  const late = Promise.withResolvers<void>()
  const { fetch } = network(
    async () => {
      await late.promise
      return json({}, 401)
    },
    (request) =>
      request.headers.get('authorization') === 'Bearer service_new' ? json({ data: [ticket] }) : json({}, 401),
  )
  const { token, asked } = tokens('service_old', 'service_new', 'service_unasked')
  const { client } = clientWith({ fetch, token })
  const slow = client.tickets.list().safe()
  expect(await client.tickets.list()).toEqual([ticket])
  late.resolve()
  expect(await slow).toMatchObject({ ok: true, data: [ticket] })
  expect(asked()).toBe(2)
})

it('replays a creation after a 401, because it was refused', async () => {
  const { fetch, requests } = network(json({}, 401), json({ data: createdTicket }, 201))
  const { client } = clientWith({ fetch, token: tokens('service_a', 'service_b').token })
  expect(await client.tickets.create({ title: 'A title' })).toEqual(createdTicket)
  expect(requests).toHaveLength(2)
})

it('gives up when the new token is refused too, or is the old one', async () => {
  const first = only('service_none')
  const twice = clientWith({ fetch: first.fetch, token: tokens('service_a', 'service_b', 'service_c').token })
  expect(await twice.client.tickets.list().safe()).toMatchObject({
    error: { code: 'authentication', status: 401, attempts: 2 },
  })
  const second = only('service_none')
  const same = clientWith({ fetch: second.fetch, token: () => 'service_a' })
  expect(await same.client.tickets.list().safe()).toMatchObject({
    error: { code: 'authentication', status: 401, attempts: 1 },
  })
  expect([first.requests.length, second.requests.length]).toEqual([2, 1])
})

it('does not replay with a fixed token', async () => {
  const { fetch, requests } = only('service_other')
  expect(await clientWith({ fetch }).client.tickets.list().safe()).toMatchObject({
    error: { code: 'authentication', attempts: 1 },
  })
  expect(requests).toHaveLength(1)
})

it('still retries other faults after a replay', async () => {
  const { fetch, requests } = network(json({}, 401), json({}, 503), json({}, 503), json({ data: [] }))
  const { client, waits } = clientWith({ fetch, token: tokens('service_a', 'service_b').token })
  expect(await client.tickets.list()).toEqual([])
  expect([requests.length, waits.length]).toEqual([4, 2])
})

it.each([
  [
    'throws',
    () => {
      throw new Error('vault password hunter2')
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('vault password hunter2')
    },
  ],
  ['gives nothing', async () => ''],
  ['gives no string', async () => undefined as never],
  ['gives a line break', async () => 'hunter2\r\nx-evil: 1'],
])('fails without a request, and without a word of it, when the token function %s', async (_, token) => {
  const { fetch, requests } = only('service_a')
  const { client } = clientWith({ fetch, token })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'authentication', attempts: 0, delivered: 'no' } })
  if (!result.ok)
    expect(`${result.error.stack}${JSON.stringify(result)}${String(result.error.cause)}`).not.toContain('hunter2')
  expect(requests).toEqual([])
})

it('asks again after the token function failed once', async () => {
  let asked = 0
  const { fetch } = only('service_a')
  const { client } = clientWith({
    fetch,
    token: () => (asked++ === 0 ? Promise.reject(new Error('down')) : 'service_a'),
  })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false })
  expect(await client.tickets.list()).toEqual([ticket])
})
