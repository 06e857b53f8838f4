import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { createClient } from '../src/create-client.ts'
import { AbortedError } from '../src/index.ts'
import { clientWith, json, network, token } from './support/client.ts'
import { answers, faultServer } from './support/fault-server.ts'

const never = () => new Promise<never>(() => {})

/** A body that never arrives. */
const stalledBody = () => new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } })

it.each([
  ['fetch', { fetch: never }, 'maybe'],
  ['the body', { fetch: stalledBody }, 'yes'],
  ['the token function', { token: never, fetch: never }, 'no'],
] as const)('times out although %s never settles and ignores its signal', async (_, options, delivered) => {
  const { client } = clientWith({ ...options, timeoutMs: 250, maxRetries: 0 })
  expect(await client.tickets.list().safe()).toMatchObject({ error: { code: 'timeout', scope: 'attempt', delivered } })
})

it('reports the scope deadline if the deadline ended the call', async () => {
  const { client } = clientWith({ fetch: never, timeoutMs: 5_000, deadlineMs: 20 })
  expect(await client.tickets.list().safe()).toMatchObject({
    error: { code: 'timeout', scope: 'deadline', attempts: 1 },
  })
})

it('applies the deadline between attempts, even if sleep never resolves', async () => {
  const { client } = clientWith({ fetch: network(json({}, 500)).fetch, sleep: never, deadlineMs: 400, random: () => 0 })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({ error: { code: 'timeout', scope: 'deadline', attempts: 1, delivered: 'yes' } })
})

it('retries a GET after a timeout', async () => {
  let turn = 0
  const { client, waits } = clientWith({ fetch: () => (turn++ === 0 ? never() : json({ data: [] })), timeoutMs: 250 })
  expect((await client.tickets.list().withMeta()).meta.attempts).toBe(2)
  expect(waits).toEqual([150])
})

it('sends nothing if the time ran out before the token arrived', async () => {
  const { fetch, requests } = network(json({ data: [] }))
  let resolve = (_token: string) => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  const { client } = clientWith({ fetch, token: () => promise, timeoutMs: 20, maxRetries: 0 })
  expect(await client.tickets.list().safe()).toMatchObject({ error: { code: 'timeout' } })
  resolve('service_late')
  await promise
  await new Promise(setImmediate)
  expect(requests).toEqual([])
})

it.each([
  ['before it starts', {}, 0],
  ['while the token is fetched', { token: never }, 0],
  ['while it waits for headers', { fetch: never }, 1],
  ['while it reads the body', { fetch: stalledBody }, 1],
  ['while it waits for the next attempt', { fetch: () => json({}, 500), sleep: never }, 1],
])('rejects immediately if the caller aborts %s', async (stage, options, attempts) => {
  const reason = new Error('changed my mind')
  const controller = new AbortController()
  const sent: string[] = []
  const { client } = clientWith({ fetch: never, onEvent: ({ type }) => sent.push(type), ...options })
  if (stage === 'before it starts') controller.abort(reason)
  const call = client.tickets.list({ signal: controller.signal }).safe()
  await new Promise(setImmediate)
  controller.abort(reason)
  const result = await call
  expect(result).toMatchObject({ ok: false, error: { code: 'aborted', attempts, retryable: false } })
  if (!result.ok) expect(result.error.cause).toBe(reason)
  if (!result.ok) expect(result.error).toBeInstanceOf(AbortedError)
  expect(sent.filter((type) => type === 'request')).toHaveLength(attempts)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})

it('closes the connection if the caller aborts', async () => {
  let noteCut = () => {}
  const cut = new Promise<void>((resolve) => {
    noteCut = resolve
  })
  const controller = new AbortController()
  const { baseUrl } = await faultServer((response, request) => {
    request.socket.once('close', () => noteCut())
    answers.stallInBody()(response, request)
    controller.abort()
  })
  const client = createClient({ baseUrl, token, workspace: 42 })
  expect(await client.tickets.list({ signal: controller.signal }).safe()).toMatchObject({ error: { code: 'aborted' } })
  await cut
})

it('leaves no listener on a signal shared by a thousand calls', async () => {
  const { signal } = new AbortController()
  const { client } = clientWith({ fetch: network(json({}, 500), json({ data: [] })).fetch })
  await Promise.all(Array.from({ length: 1000 }, () => client.tickets.list({ signal })))
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
