import { createdTicket, ticket } from '@service/contract/docs/example-values'
import { expect, expectTypeOf, it } from 'vitest'
import { createAdminClient } from '../src/admin.ts'
import { createInboundClient } from '../src/inbound.ts'
import { type ClientOptions, createClient } from '../src/index.ts'
import { clientWith, json, network, refused, token } from './support/client.ts'

/** Records the arguments of each call of `fetch`. */
function recorder(answer: () => Response = () => json({ data: [ticket] })) {
  const calls: [url: string, init: RequestInit & Record<string, unknown>][] = []
  const fetch: ClientOptions['fetch'] = async (url, init) => {
    calls.push([url, { ...init }])
    return answer()
  }
  return { fetch, calls }
}

const refusedCall = await clientWith({ fetch: network(refused()).fetch, maxRetries: 0 })
  .client.tickets.list()
  .catch((error: unknown) => error)

const changed = { beforeRequest: [({ request }: { request: Request }) => request.headers.set('x-signed', 'yes')] }

it.each([
  ['a custom fetch', {}],
  ['hooks', { hooks: changed }],
])('sends plain values, with the signal of the attempt, with %s', async (_, options) => {
  const { fetch, calls } = recorder(() => json({ data: createdTicket }, 201))
  const { client } = clientWith({ fetch, ...options })
  await client.tickets.create({ title: 'Grüße' })
  const [url, init] = calls[0] ?? []
  expect(url).toBe('http://localhost:9/api/v1/workspaces/42/tickets')
  expect(init).toMatchObject({ method: 'POST', body: '{"title":"Grüße"}', redirect: 'manual' })
  expect(init?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    ...('hooks' in options && { 'x-signed': 'yes' }),
  })
  expect(init?.signal).toBeInstanceOf(AbortSignal)
})

it('sends the bytes that a hook put into the request', async () => {
  const { fetch, calls } = recorder(() => json({ data: createdTicket }, 201))
  const compressed = new Uint8Array([31, 139, 255])
  const hook = ({ request }: { request: Request }) => {
    const headers = new Headers(request.headers)
    headers.set('content-encoding', 'gzip')
    return new Request(request, { body: compressed, headers })
  }
  await clientWith({ fetch, hooks: { beforeRequest: [hook] } }).client.tickets.create({ title: 'A' })
  expect(new Uint8Array(calls[0]?.[1].body as ArrayBuffer)).toEqual(compressed)
})

it.each([undefined, changed])('ends the request if the caller aborts (hooks: %o)', async (hooks) => {
  const controller = new AbortController()
  let ended: Promise<void> | undefined
  const fetch: ClientOptions['fetch'] = (_, { signal }) => {
    ended = new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
    controller.abort()
    return new Promise(() => undefined)
  }
  const { error } = await clientWith({ fetch, hooks }).client.tickets.list({ signal: controller.signal }).safe()
  await ended
  expect(error).toMatchObject({ code: 'aborted', delivered: 'maybe' })
})

it('passes fetchOptions of the client and of the call to fetch, of every kind of client', async () => {
  const { fetch, calls } = recorder()
  const dispatcher = {}
  const fetchOptions = { dispatcher, cache: 'no-store', next: { revalidate: 60 } } as const
  const { client } = clientWith({ fetch, fetchOptions })
  await client.tickets.list({ fetchOptions: { cache: 'default' } })
  await clientWith({ fetch, fetchOptions, hooks: changed }).client.tickets.list()
  await createAdminClient({ baseUrl: 'https://example.com/admin/v1', token, fetch, fetchOptions })
    .workspaces.list()
    .safe()
  await createInboundClient({ webhookBaseUrl: 'https://example.com/api', workspace: 1, fetch, fetchOptions })
    .errors.ping()
    .safe()
  expect(calls.map(([, { cache }]) => cache)).toEqual(['default', 'no-store', 'no-store', 'no-store'])
  expect(calls.every(([, init]) => init['dispatcher'] === dispatcher && init['next'] === fetchOptions.next)).toBe(true)
})

it.each(['method', 'headers', 'body', 'signal', 'redirect'])('refuses fetchOptions with %s', async (name) => {
  const fetchOptions = { [name]: undefined } as object
  const message = `fetchOptions must not set ${name}, which the client sets.`
  expect(() => clientWith({ fetchOptions })).toThrow(message)
  expect(() => clientWith().client.tickets.list({ fetchOptions })).toThrow(message)
})

it('merges headers of the client and of the call, whatever their case', async () => {
  const { fetch, calls } = recorder()
  const { client } = clientWith({ fetch, headers: { 'X-Tenant': 'a', 'X-Trace': 'client' } })
  await client.tickets.list({ headers: { 'x-trace': 'call' } })
  await client.withOptions({ headers: { 'x-tenant': 'b' } }).tickets.list()
  const headers = calls.map(([, init]) => init.headers as Record<string, string>)
  expect(headers[0]).toMatchObject({ 'x-tenant': 'a', 'x-trace': 'call', accept: 'application/json' })
  expect(headers[1]).toMatchObject({ 'x-tenant': 'b' })
  expect(Object.keys(headers[0] ?? {}).filter((name) => name.toLowerCase() === 'x-trace')).toEqual(['x-trace'])
})

it('replaces its own headers only if overrideHeaders names them', async () => {
  expect(() => clientWith({ headers: { Authorization: 'Basic eA==' } })).toThrow(
    'headers must not set Authorization, which the client sets. Use token, or allow it with overrideHeaders.',
  )
  const { fetch, calls } = recorder()
  const { client } = clientWith({ fetch, headers: { Authorization: 'Basic eA==' }, overrideHeaders: ['authorization'] })
  await client.tickets.list()
  expect(calls[0]?.[1].headers).toMatchObject({ authorization: 'Basic eA==' })
  expect(() => client.tickets.list({ headers: { 'user-agent': 'me' } })).toThrow('headers must not set user-agent')
})

it('does not repeat a header of the client that the platform echoes', async () => {
  const { fetch } = network(json({ message: 'Unknown key hunter2-secret.' }, 403))
  const { error } = await clientWith({ fetch, headers: { 'x-gateway-key': 'hunter2-secret' } })
    .client.tickets.list()
    .safe()
  expect(error?.message).toContain('Unknown key [redacted].')
})

it('returns all response headers except those that may contain secrets', async () => {
  const { fetch } = network(
    json({ data: [ticket] }, 200, {
      'x-served-by': 'node-3',
      'set-cookie': 'session=1',
      'x-auth-token': 'a',
      server: 'nginx',
    }),
  )
  const { meta } = await clientWith({ fetch }).client.tickets.list().withMeta()
  expect(meta.headers).toEqual({ 'content-type': 'application/json', 'x-served-by': 'node-3', server: 'nginx' })
})

class VaultError extends Error {
  override readonly name = 'VaultError'
}

it.each([
  ['a mistake', new ReferenceError('sign is not defined: hunter2')],
  ['an error', new Error('my gateway bug: hunter2')],
  ['an error of its own', new VaultError('could not fetch hunter2', { cause: 'sealed' })],
  ['an error of another call', refusedCall],
  ['a text', 'vault sealed: hunter2'],
  ['nothing', undefined],
])('names the fetch option if it throws %s, which is the cause, without a retry', async (_, thrown) => {
  const throwing = () => {
    throw thrown
  }
  for (const options of [{}, { hooks: changed }])
    for (const fetch of [throwing, async () => throwing()]) {
      const { error } = await clientWith({ fetch, ...options })
        .client.tickets.list()
        .safe()
      expect(error).toMatchObject({ code: 'network', reason: 'fetch', delivered: 'no', retryable: false, attempts: 0 })
      expect(error?.message).toMatch(/was not sent: the fetch option threw an error\.$/)
      expect(error).toHaveProperty('cause', thrown)
      expect(JSON.stringify(error)).not.toContain('hunter2')
    }
})

it('does not retry if a hook or the fetch option has read or locked the response', async () => {
  const read = json({ data: [ticket] })
  await read.text()
  const locked = json({ data: [ticket] })
  locked.body?.getReader()
  for (const response of [read, locked]) {
    const { fetch, calls } = recorder(() => response)
    const { error } = await clientWith({ fetch }).client.tickets.list().safe()
    expect(error).toMatchObject({ code: 'unexpected_response', delivered: 'yes', status: 200, retryable: false })
    expect(error?.message).toContain('answered 200, but the body was already read by the fetch option or a hook.')
    expect(calls).toHaveLength(1)
  }
})

it('names a port that fetch blocks, without a retry', async () => {
  const client = createClient({ baseUrl: 'http://localhost:1/api/v1', token, workspace: 42 })
  const { error } = await client.tickets.create({ title: 'A' }).safe()
  expect(error).toMatchObject({ code: 'network', reason: 'fetch', delivered: 'no', retryable: false, attempts: 0 })
  expect(error?.message).toContain('was not sent: fetch blocks this port. Correct the base URL.')
})

it('does not claim that nothing was sent if the fetch option fails later', async () => {
  const fetch = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    throw new TypeError('answer.foo is undefined')
  }
  const { error } = await clientWith({ fetch }).client.tickets.create({ title: 'A' }).safe()
  expect(error).toMatchObject({ reason: 'fetch', delivered: 'maybe', retryable: false, attempts: 1 })
})

it('names a proxy that refused the connection, and its status', async () => {
  const refusal = Object.assign(new Error('Proxy response (502) !== 200 when HTTP Tunneling'), {
    code: 'UND_ERR_ABORTED',
  })
  const { fetch, requests } = network(new TypeError('fetch failed', { cause: refusal }))
  const { error } = await clientWith({ fetch, maxRetries: 1 }).client.tickets.create({ title: 'A' }).safe()
  expect(error).toMatchObject({ code: 'network', reason: 'proxy', status: 502, delivered: 'no' })
  expect(error?.message).toContain('the proxy refused the connection to localhost:9 with 502.')
  expect(requests).toHaveLength(2)
})

it('reports that a response arrived if an afterResponse hook never returns', async () => {
  const hooks = { afterResponse: [() => new Promise<undefined>(() => undefined)] }
  const { client } = clientWith({ fetch: network(json({}, 201)).fetch, hooks, timeoutMs: 20, maxRetries: 0 })
  expect(await client.tickets.create({ title: 'A' }).safe()).toMatchObject({
    error: { code: 'timeout', delivered: 'yes', status: 201 },
  })
})

it('retries if a hook returns the retry marker of another copy of ky', async () => {
  class RetryMarker {}
  const { fetch, requests } = network(json({ data: [] }), json({ data: [ticket] }))
  const hooks = { afterResponse: [() => (requests.length === 1 ? (new RetryMarker() as never) : undefined)] }
  expect(await clientWith({ fetch, hooks }).client.tickets.list()).toEqual([ticket])
})

it('accepts the functions that applications pass as fetch', () => {
  expectTypeOf(globalThis.fetch).toExtend<NonNullable<ClientOptions['fetch']>>()
  expectTypeOf(createClient).parameter(0).toExtend<ClientOptions | undefined>()
})
