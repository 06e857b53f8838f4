import { createdTicket, ticket } from '@service/contract/docs/example-values'
import { expect, it } from 'vitest'
import { clientWith, json, network } from './support/client.ts'

/** A platform that accepts only one token. */
const only = (valid: string) =>
  network((request) =>
    request.headers.get('authorization') === `Bearer ${valid}`
      ? json({ data: [ticket] })
      : json({ message: 'Unauthenticated.' }, 401),
  )

/** A token function that returns these in order. */
function tokens(...given: string[]) {
  let asked = 0
  return { token: async () => given[asked++] ?? '', asked: () => asked }
}

it('fetches a token once, and again after a 401', async () => {
  const { fetch, requests } = only('service_new')
  const { token, asked } = tokens('service_old', 'service_new')
  const { client, waits } = clientWith({ fetch, token })
  expect(await client.tickets.list()).toEqual([ticket])
  expect(await client.tickets.list()).toEqual([ticket])
  expect([asked(), requests.length, waits.length]).toEqual([2, 3, 0])
})

it('fetches one new token for fifty calls that are rejected together', async () => {
  const { fetch } = only('service_new')
  const { token, asked } = tokens('service_old', 'service_new', 'service_third')
  const { client } = clientWith({ fetch, token })
  const all = await Promise.all(Array.from({ length: 50 }, () => client.tickets.list()))
  expect(all).toHaveLength(50)
  expect(asked()).toBe(2)
})

it('keeps a newer token if a call with the old one is rejected late', async () => {
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

it('repeats a creation with a new token after a 401', async () => {
  const { fetch, requests } = network(json({}, 401), json({ data: createdTicket }, 201))
  const { client } = clientWith({ fetch, token: tokens('service_a', 'service_b').token })
  expect(await client.tickets.create({ title: 'A title' })).toEqual(createdTicket)
  expect(requests).toHaveLength(2)
})

it('gives up if the new token is rejected too, or equals the old one', async () => {
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

it('does not repeat a call with a fixed token', async () => {
  const { fetch, requests } = only('service_other')
  expect(await clientWith({ fetch }).client.tickets.list().safe()).toMatchObject({
    error: { code: 'authentication', attempts: 1 },
  })
  expect(requests).toHaveLength(1)
})

it('still retries other failures after a new token', async () => {
  const { fetch, requests } = network(json({}, 401), json({}, 503), json({}, 503), json({ data: [] }))
  const { client, waits } = clientWith({ fetch, token: tokens('service_a', 'service_b').token })
  expect(await client.tickets.list()).toEqual([])
  expect([requests.length, waits.length]).toEqual([4, 2])
})

const vaultError = new Error('vault password hunter2')
const threw = 'the token function threw an error.'
const returned = 'the result of the token function must be a token of visible ASCII characters, not'

it.each([
  [
    'throws',
    () => {
      throw vaultError
    },
    threw,
  ],
  [
    'rejects',
    async () => {
      throw vaultError
    },
    threw,
  ],
  ['returns an empty string', async () => '', `${returned} an empty string.`],
  ['returns undefined', async () => undefined as never, `${returned} undefined.`],
  ['returns a line break', async () => 'hunter2\r\nx-evil: 1', `${returned} one with other characters.`],
])(
  'names the cause without a request and without quoting the result if the token function %s',
  async (_, token, message) => {
    const { fetch, requests } = only('service_a')
    const { client } = clientWith({ fetch, token })
    const { error } = await client.tickets.list().safe()
    expect(error).toMatchObject({ code: 'authentication', attempts: 0, delivered: 'no' })
    expect(error?.message).toContain(`was not sent: ${message}`)
    expect(`${error?.stack}${JSON.stringify(error)}`).not.toContain('hunter2')
    expect(error?.cause).toBe(message === threw ? vaultError : undefined)
    expect(Object.keys(error ?? {})).not.toContain('cause')
    expect(requests).toEqual([])
  },
)

it('calls the token function again after it failed', async () => {
  let asked = 0
  const { fetch } = only('service_a')
  const { client } = clientWith({
    fetch,
    token: () => (asked++ === 0 ? Promise.reject(new Error('down')) : 'service_a'),
  })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false })
  expect(await client.tickets.list()).toEqual([ticket])
})
