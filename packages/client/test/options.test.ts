import { expect, it, vi } from 'vitest'
import type { CreateOptions } from '../src/call-options.ts'
import type { ClientOptions } from '../src/client-options.ts'
import { createClient } from '../src/create-client.ts'
import { clientWith, json, network, token } from './support/client.ts'

const valid: ClientOptions = { baseUrl: 'https://example.com/api/v1', token, workspace: 1 }

it.each([
  [{ baseUrl: 'example.com' }, 'baseUrl'],
  [{ baseUrl: undefined }, 'baseUrl'],
  [{ token: '' }, 'token'],
  [{ token: undefined }, 'token'],
  [{ token: 'two words' }, 'token'],
  [{ token: 'señal' }, 'token must be a token of visible ASCII characters'],
  [{ workspace: 0 }, 'workspace'],
  [{ workspace: 1.5 }, 'workspace'],
  [{ workspace: '1' }, 'workspace'],
  [{ timeoutMs: 0 }, 'timeoutMs'],
  [{ timeoutMs: Number.NaN }, 'timeoutMs'],
  [{ timeoutMs: '5' }, 'timeoutMs'],
  [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
  [{ deadlineMs: -1 }, 'deadlineMs'],
  [{ maxRetries: -1 }, 'maxRetries'],
  [{ maxRetries: 1.5 }, 'maxRetries'],
  [{ maxRetryAfterMs: -1 }, 'maxRetryAfterMs'],
  [{ fetch: 'x' }, 'fetch'],
  [{ onEvent: 'x' }, 'onEvent'],
  [{ idempotency: 'on' }, 'idempotency'],
  [{ onUnexpectedResponse: 'log' }, 'onUnexpectedResponse'],
  [{ appInfo: { name: 'a\r\nb' } }, 'appInfo'],
  [{ appInfo: 'billing' }, 'appInfo'],
])('rejects %o when the client is created, naming %s', (wrong, option) => {
  const options = { ...valid, ...wrong } as unknown as ClientOptions // the types reject it
  expect(() => createClient(options)).toThrow(TypeError)
  expect(() => createClient(options)).toThrow(option)
})

it.each([
  [{ timeoutMs: 0 }, 'timeoutMs'],
  [{ deadlineMs: Number.POSITIVE_INFINITY }, 'deadlineMs'],
  [{ maxRetries: -1 }, 'maxRetries'],
  [{ signal: {} }, 'signal must be an AbortSignal.'],
  [{ signal: new AbortController() }, 'signal must be an AbortSignal.'],
  [{ idempotencyKey: '' }, 'idempotencyKey'],
  [{ idempotencyKey: 'a b' }, 'idempotencyKey'],
  [{ headers: { Authorization: 'Bearer x' } }, 'Authorization'],
  [{ headers: { 'Idempotency-Key': 'x' } }, 'Idempotency-Key'],
  [{ headers: { 'a b': 'x' } }, 'headers'],
  [{ headers: { a: 'x\r\nb: y' } }, 'headers.a'],
])('rejects %o when a call is made, naming %s, and sends nothing', (wrong, option) => {
  const { fetch, requests } = network(json({ data: [] }))
  const { client } = clientWith({ fetch })
  expect(() => client.tickets.create({ title: 'A' }, wrong as CreateOptions)).toThrow(TypeError)
  expect(() => client.tickets.create({ title: 'A' }, wrong as CreateOptions)).toThrow(option)
  expect(requests).toEqual([])
})

it('does not repeat an invalid token or header value', () => {
  expect(() => createClient({ ...valid, token: 'hunter2 x' })).toThrow(/^(?!.*hunter2)/)
  const { client } = clientWith()
  expect(() => client.tickets.list({ headers: { a: 'hunter2\n' } })).toThrow(/^(?!.*hunter2)/)
})

it('refuses to run in a browser unless dangerouslyAllowBrowser is set', async () => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {})
  try {
    expect(() => createClient(valid)).toThrow('dangerouslyAllowBrowser')
    const { fetch, requests } = network(json({ data: [] }))
    await createClient({ ...valid, fetch, dangerouslyAllowBrowser: true }).tickets.list()
    expect([...(requests[0]?.headers.keys() ?? [])].sort()).toEqual(['accept', 'authorization'])
  } finally {
    vi.unstubAllGlobals()
  }
})

it('emits events in order, and no listener can fail or delay a call', async () => {
  const told: unknown[] = []
  const { fetch } = network(json({}, 503), json({ data: [] }, 200, { 'x-request-id': 'req-1' }))
  const { client } = clientWith({
    fetch,
    onEvent: (event) => {
      told.push(event)
      if (told.length % 2) throw new Error('a bad listener')
      return Promise.reject(new Error('a bad listener, later'))
    },
  })
  expect(await client.tickets.list()).toEqual([])
  const about = { operation: 'tickets.list', method: 'GET', route: '/workspaces/{workspace}/tickets' }
  expect(told).toEqual([
    { ...about, attempt: 1, type: 'request' },
    { ...about, attempt: 1, type: 'response', status: 503, durationMs: 0 },
    { ...about, attempt: 1, type: 'retry', delayMs: 150, code: 'server_error', status: 503 },
    { ...about, attempt: 2, type: 'request' },
    { ...about, attempt: 2, type: 'response', status: 200, durationMs: 0, requestId: 'req-1' },
  ])
})
