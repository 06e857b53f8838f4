import { createdTicket, ticket } from '@service/contract/docs/example-values'
import type { AfterResponseHook, BeforeErrorHook, BeforeRequestHook } from 'ky'
import { expect, expectTypeOf, it } from 'vitest'
import { type ClientHooks, ConflictError, createClient, isServiceError } from '../src/index.ts'
import { inboundWith } from './inbound/inbound-client.ts'
import { clientWith, json, network, reset, token } from './support/client.ts'

it('runs hooks for every attempt, which the client retries', async () => {
  const { fetch, requests } = network(json({}, 503), json({ data: [ticket] }, 200, { 'x-request-id': 'req-1' }))
  const seen: unknown[] = []
  const hooks: ClientHooks = {
    beforeRequest: [({ request }) => request.headers.set('traceparent', `00-${requests.length}`)],
    afterResponse: [
      ({ request, response, retryCount }) => void seen.push([request.method, response.status, retryCount]),
    ],
  }
  const { client, waits } = clientWith({ fetch, hooks })
  const { data, meta } = await client.tickets.list().withMeta()
  expect(data).toEqual([ticket])
  expect(meta).toMatchObject({ attempts: 2, requestId: 'req-1' })
  expect(requests.map((request) => request.headers.get('traceparent'))).toEqual(['00-0', '00-1'])
  const attempts = [
    ['GET', 503, 0],
    ['GET', 200, 1],
  ]
  expect([seen, waits]).toEqual([attempts, [150]])
})

it('lets hooks replace the request and the response', async () => {
  const { fetch, requests } = network(json({}, 500))
  const { client } = clientWith({
    fetch,
    hooks: {
      beforeRequest: [({ request }) => new Request(request, { headers: { 'x-signed': 'yes' } })],
      afterResponse: [() => json({ data: createdTicket })],
    },
  })
  expect(await client.tickets.create({ title: 'A title' })).toEqual(createdTicket)
  expect(requests.map((request) => request.headers.get('x-signed'))).toEqual(['yes'])
})

it('sends nothing if a beforeRequest hook returns a response', async () => {
  const { fetch, requests } = network(json({}, 500))
  const { client } = clientWith({ fetch, hooks: { beforeRequest: [() => json({ data: [ticket] })] } })
  expect(await client.tickets.list()).toEqual([ticket])
  expect(requests).toEqual([])
})

it('passes the final error to beforeError once and throws its result', async () => {
  const told: unknown[] = []
  const beforeError: BeforeErrorHook = ({ request, error, retryCount }) => {
    told.push([request.url, error.name, retryCount])
    error.message += ' (order 17)'
    return error
  }
  const { fetch } = network(json({ message: 'Down.' }, 503))
  const { client } = clientWith({ fetch, maxRetries: 1, hooks: { beforeError: [beforeError, beforeError] } })
  const result = await client.tickets.list().safe()
  const message = 'GET /workspaces/{workspace}/tickets answered 503: Down. (order 17) (order 17)'
  expect(result).toMatchObject({ ok: false, error: { code: 'server_error', message, attempts: 2 } })
  const call = ['http://localhost:9/api/v1/workspaces/42/tickets', 'ServerError', 1]
  expect(told).toEqual([call, call])
})

it('throws and emits another ServiceError that beforeError returns', async () => {
  const told: unknown[] = []
  const conflict = ({ error }: { error: Error }) =>
    isServiceError(error) ? new ConflictError('Taken.', { ...error, status: 409 }) : error
  const { client } = clientWith({
    fetch: network(json({}, 422)).fetch,
    hooks: { beforeError: [conflict] },
    onEvent: (event) => event.type === 'error' && told.push(event.error.name),
  })
  expect(await client.tickets.create({ title: 'A' }).safe()).toMatchObject({ ok: false, error: { status: 409 } })
  expect(told).toEqual(['ConflictError'])
})

it.each([
  ['returns', ({ error }: { error: Error }) => new RangeError('mine', { cause: error })],
  [
    'throws',
    () => {
      throw new RangeError('mine')
    },
  ],
])('keeps its own error if beforeError %s an error of another kind, which becomes the cause', async (_, hook) => {
  const { client } = clientWith({ fetch: network(json({}, 403)).fetch, hooks: { beforeError: [hook] } })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'permission' } })
  if (!result.ok) expect(result.error.cause).toEqual(new RangeError('mine'))
})

it('does not call beforeError for a call that failed before its request', async () => {
  let asked = 0
  const beforeError: BeforeErrorHook = ({ error }) => {
    asked += 1
    return error
  }
  const { client } = clientWith({ hooks: { beforeError: [beforeError] } })
  expect(await client.tickets.create({} as { title: string }).safe()).toMatchObject({
    ok: false,
    error: { code: 'invalid_request' },
  })
  expect(asked).toBe(0)
})

it.each([
  ['a broken connection', network(reset()).fetch, { code: 'network', reason: 'reset' }],
  ['a refusal', network(json({}, 403)).fetch, { code: 'permission' }],
  ['a redirect', network(new Response(null, { status: 302 })).fetch, { code: 'redirect' }],
])('throws its own errors, not those of ky, after %s', async (_, fetch, expected) => {
  const { client } = clientWith({ fetch, hooks: {}, maxRetries: 0 })
  const result = await client.tickets.create({ title: 'A title' }).safe()
  expect(result).toMatchObject({ ok: false, error: { ...expected, attempts: 1 } })
  if (!result.ok) expect(result.error.cause).toBeUndefined()
})

it('sends nothing and does not retry if beforeRequest throws, and sets the cause', async () => {
  const { fetch, requests } = network(json({ data: [] }))
  const noKey = new Error('no key')
  const hook: BeforeRequestHook = () => {
    throw noKey
  }
  const { client } = clientWith({ fetch, hooks: { beforeRequest: [hook] } })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_request', delivered: 'no', attempts: 0 } })
  if (!result.ok) expect(result.error.cause).toBe(noKey)
  expect(requests).toEqual([])
})

it('does not retry if afterResponse throws, and sets the cause', async () => {
  const { fetch, requests } = network(json({ data: [] }))
  const broken = new Error('broken')
  const hook: AfterResponseHook = async () => {
    throw broken
  }
  const { client } = clientWith({ fetch, hooks: { afterResponse: [hook] } })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'unexpected_response', delivered: 'yes', status: 200 } })
  if (!result.ok) expect(result.error.cause).toBe(broken)
  expect(requests).toHaveLength(1)
})

it.each([7, null, 'text'])('ignores %o as the result of afterResponse, as ky does', async (result) => {
  const { fetch } = network(json({ data: [ticket] }))
  const { client } = clientWith({ fetch, hooks: { afterResponse: [() => result as never] } })
  expect(await client.tickets.list()).toEqual([ticket])
})

it('applies the time limit to hooks', async () => {
  const hooks = { beforeRequest: [() => new Promise<undefined>(() => undefined)] }
  const { client } = clientWith({ hooks, timeoutMs: 20, maxRetries: 0 })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: false, error: { code: 'timeout', scope: 'attempt' } })
})

it('supports the same hooks in the inbound client', async () => {
  const { fetch, requests } = network(
    json({ received: true, ticket_created: false, ticket_number: null, ticket_id: null }),
  )
  const { inbound } = inboundWith({
    fetch,
    hooks: { beforeRequest: [({ request }) => request.headers.set('x-gateway', 'internal')] },
  })
  await inbound.errors.report(new Error('broken'))
  expect(requests.map((request) => request.headers.get('x-gateway'))).toEqual(['internal'])
})

it.each([
  ['reads the body', async ({ request }) => void (await request.text())],
  [
    'returns a request whose body it has read',
    async ({ request }) => {
      const copy = new Request(request)
      await copy.arrayBuffer()
      return copy
    },
  ],
] satisfies [string, BeforeRequestHook][])('names a beforeRequest hook that %s, and sends nothing', async (_, hook) => {
  const { fetch, requests } = network(json({ data: createdTicket }))
  const { client } = clientWith({ fetch, idempotency: 'auto', hooks: { beforeRequest: [hook] } })
  expect(await client.tickets.create({ title: 'A' }).safe()).toMatchObject({
    error: {
      code: 'invalid_request',
      message: expect.stringContaining('A beforeRequest hook read the body. Let it read request.clone().'),
      delivered: 'no',
      attempts: 0,
    },
  })
  expect(requests).toEqual([])
})

it('sends the request that a beforeRequest hook makes of the body that it read', async () => {
  const { fetch, requests } = network(json({ data: createdTicket }))
  const sign: BeforeRequestHook = async ({ request }) =>
    new Request(request.url, { method: 'POST', headers: request.headers, body: `${await request.text()} ` })
  await clientWith({ fetch, hooks: { beforeRequest: [sign] } }).client.tickets.create({ title: 'A' })
  expect(await requests[0]?.text()).toBe('{"title":"A"} ')
})

it.each([
  [{ beforeRetry: [] }, 'hooks has no beforeRetry'],
  [{ beforeRequest: () => undefined }, 'hooks.beforeRequest'],
  [{ afterResponse: ['x'] }, 'hooks.afterResponse'],
])('rejects %o when the client is created, naming %s', (hooks, name) => {
  const make = () => createClient({ baseUrl: 'https://example.com/api/v1', token, workspace: 1, hooks: hooks as never })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(name)
})

it('accepts hooks written for ky', () => {
  expectTypeOf<ClientHooks['beforeRequest']>().toEqualTypeOf<BeforeRequestHook[] | undefined>()
  expectTypeOf<ClientHooks['afterResponse']>().toEqualTypeOf<AfterResponseHook[] | undefined>()
  expectTypeOf<ClientHooks['beforeError']>().toEqualTypeOf<BeforeErrorHook[] | undefined>()
})
