import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import type { Call, ClientEvent } from '../src/index.ts'
import { clientWith, json, network } from './support/client.ts'

const Invoice = z.object({ id: z.int(), total: z.string() })

it('sends requests to undocumented routes with the same retries, and returns the whole body', async () => {
  const { fetch, requests } = network(json({}, 503), json({ data: [{ id: 1 }] }))
  const { client } = clientWith({ fetch })
  const path = '/workspaces/{workspace}/invoices'
  const call = client.request({ method: 'GET', path }, { extraQuery: { paid: false } })
  expectTypeOf(call).toEqualTypeOf<Call<unknown>>()
  expect(await call).toEqual({ data: [{ id: 1 }] })
  expect(requests.map(({ method, url }) => [method, url])).toEqual([
    ['GET', 'http://localhost:9/api/v1/workspaces/42/invoices?paid=false'],
    ['GET', 'http://localhost:9/api/v1/workspaces/42/invoices?paid=false'],
  ])
})

it('checks and types the response with a schema', async () => {
  const { fetch } = network(json({ id: 1, total: '9.50', more: true }), json({ id: 'one' }))
  const { client } = clientWith({ fetch })
  const input = { method: 'GET', path: '/invoices/1', schema: Invoice } as const
  const invoice = await client.request(input)
  expectTypeOf(invoice).toEqualTypeOf<{ id: number; total: string }>()
  expect(invoice).toEqual({ id: 1, total: '9.50' })
  expect(await client.request(input).safe()).toMatchObject({
    error: { code: 'unexpected_response', issues: [{ path: 'id' }, { path: 'total' }] },
  })
})

it.each([{ amount: 5 }, [1, 2], 'text', null, new Date(0), undefined])('sends the body %j', async (body) => {
  const { fetch, requests } = network(new Response(null, { status: 204 }))
  const { client } = clientWith({ fetch })
  expect(await client.request({ method: 'POST', path: '/invoices', body })).toBeUndefined()
  expect(await requests[0]?.text()).toBe(body === undefined ? '' : JSON.stringify(body))
})

it('sends extra fields without a body, and refuses a body for GET', async () => {
  const { fetch, requests } = network(json({}))
  const { client } = clientWith({ fetch })
  await client.request({ method: 'POST', path: '/invoices' }, { extraBody: { draft: true } })
  expect(await requests[0]?.json()).toEqual({ draft: true })
  await expect(Promise.resolve(client.request({ method: 'GET', path: '/invoices', body: {} }))).rejects.toThrow(
    'A GET request has no body.',
  )
})

it('repeats a POST only if it is safe, as for documented routes', async () => {
  const { fetch, requests } = network(json({}, 500))
  const { client } = clientWith({ fetch, maxRetries: 1 })
  const input = { method: 'POST', path: '/invoices', body: {} } as const
  expect(await client.request(input).safe()).toMatchObject({ ok: false, error: { route: '/invoices', attempts: 1 } })
  expect(await client.request(input, { idempotencyKey: true }).safe()).toMatchObject({ error: { attempts: 2 } })
  expect(requests).toHaveLength(3)
})

it.each(['invoices', '//evil.example/x', '/a/../b', '/a/%2e%2E', '/a?b=1', '/a#b', '/a\\b', '/{unknown}'])(
  'rejects the path %s',
  async (path) => {
    const call = clientWith().client.request({ method: 'GET', path })
    await expect(Promise.resolve(call)).rejects.toThrow(TypeError)
  },
)

it.each([
  [{ idempotencyKey: 'a' }, 'request takes idempotencyKey in its second argument'],
  [{ signal: AbortSignal.abort() }, 'request takes signal in its second argument'],
  [{ extraQuery: { page: 1 } }, 'request takes extraQuery in its second argument'],
  [{ path: '/deals/{id}' }, 'path must have a value instead of {id}. The client fills in only {workspace}.'],
  [{ bdy: {} }, 'request has no bdy. Did you mean body?'],
  [{ zzz: 1 }, 'request has no zzz. It has method, path, body, schema.'],
  [{ method: 'post' }, 'method must be GET, POST, PATCH, or DELETE.'],
  [{ schema: {} }, 'schema must be a Standard Schema'],
  [{ schema: null }, 'schema must be a Standard Schema'],
  [{ schema: { '~standard': {} } }, 'schema must be a Standard Schema'],
])('rejects %o with a TypeError before anything is sent', async (wrong, message) => {
  const { fetch, requests } = network(json({}))
  const input = { method: 'POST', path: '/invoices', ...wrong } as never // the types reject it
  const call = Promise.resolve(clientWith({ fetch }).client.request(input))
  await expect(call).rejects.toThrow(TypeError)
  await expect(call).rejects.toThrow(message)
  expect(requests).toEqual([])
})

const broken = new Error('mine')
const schemaWith = (validate: () => never) => ({ '~standard': { validate } })

it.each([
  [
    'throws',
    schemaWith(() => {
      throw broken
    }),
    'answered 201, but the schema threw an error.',
    broken,
  ],
  ['is asynchronous', schemaWith(() => Promise.reject(broken) as never), 'the schema is asynchronous.', undefined],
])('reports that the request was delivered if its schema %s', async (_, schema, message, cause) => {
  const { fetch, requests } = network(json({ id: 1 }, 201, { 'x-request-id': 'req-9' }))
  const errors: unknown[] = []
  const onEvent = (event: ClientEvent) => void (event.type === 'error' && errors.push(event.error))
  const { client } = clientWith({ fetch, onEvent })
  const input = { method: 'POST', path: '/invoices', body: {}, schema } as const
  const { error } = await client.request(input, { idempotencyKey: true }).safe()
  expect(error).toMatchObject({ name: 'ResponseError', delivered: 'yes', requestId: 'req-9', retryable: false })
  expect(error?.message).toContain(message)
  expect(error?.cause).toBe(cause)
  expect(errors).toEqual([error])
  expect(requests).toHaveLength(1)
})
