import { expect, it } from 'vitest'
import { createTransport } from '../src/transport.ts'
import { clientWith, json, network, reset } from './support/client.ts'
import { createdTicket, ticket } from './support/samples.ts'

it('lets hooks see and change every attempt, and leaves the retries to the client', async () => {
  const { fetch, requests } = network(json({}, 503), json({ data: [ticket] }, 200, { 'x-request-id': 'req-1' }))
  const seen: number[] = []
  const transport = createTransport({
    fetch,
    beforeRequest: (request) => {
      request.headers.set('traceparent', `00-${requests.length}`)
      return undefined
    },
    afterResponse: (response) => {
      seen.push(response.status)
      return undefined
    },
  })
  const { client, waits } = clientWith({ fetch: transport })
  const { data, meta } = await client.tickets.list().withMeta()
  expect(data).toEqual([ticket])
  expect(meta).toMatchObject({ attempts: 2, requestId: 'req-1' })
  expect(requests.map((request) => request.headers.get('traceparent'))).toEqual(['00-0', '00-1'])
  expect([seen, waits]).toEqual([[503, 200], [150]])
})

it('sends what a hook gives in place of the request, and takes what one gives in place of the response', async () => {
  const { fetch, requests } = network(json({}, 500))
  const transport = createTransport({
    fetch,
    beforeRequest: (request) => new Request(request, { headers: { 'x-signed': 'yes' } }),
    afterResponse: () => json({ data: createdTicket }),
  })
  const { client } = clientWith({ fetch: transport })
  expect(await client.tickets.create({ title: 'A title' })).toEqual(createdTicket)
  expect(requests.map((request) => request.headers.get('x-signed'))).toEqual(['yes'])
})

it.each([
  ['a broken connection', network(reset()).fetch, { code: 'network', reason: 'reset' }],
  ['a refusal', network(json({}, 403)).fetch, { code: 'permission' }],
  ['a redirect', network(new Response(null, { status: 302 })).fetch, { code: 'redirect' }],
])('keeps the errors of the client, and none of its own, after %s', async (_, fetch, expected) => {
  const { client } = clientWith({ fetch: createTransport({ fetch }), maxRetries: 0 })
  const result = await client.tickets.create({ title: 'A title' }).safe()
  expect(result).toMatchObject({ ok: false, error: { ...expected, attempts: 1 } })
  if (!result.ok) expect(result.error.cause).toBeUndefined()
})

it('fails as the network does when a hook throws', async () => {
  const transport = createTransport({
    fetch: network(json({ data: [] })).fetch,
    beforeRequest: () => {
      throw new Error('no key')
    },
  })
  const { client } = clientWith({ fetch: transport, maxRetries: 0 })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false, error: { code: 'network', reason: 'unknown' } })
})

it('keeps the time limit of the client', async () => {
  const transport = createTransport({ fetch: () => new Promise(() => undefined) })
  const { client } = clientWith({ fetch: transport, timeoutMs: 20, maxRetries: 0 })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false, error: { code: 'timeout', scope: 'attempt' } })
})
