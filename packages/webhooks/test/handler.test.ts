import { expect, it, onTestFinished, vi } from 'vitest'
import { memoryStore } from '../src/dedupe.ts'
import { createWebhookHandler, type EventOf, verify, verifyRequest, WebhookVerificationError } from '../src/index.ts'
import { fixtures, signedDelivery, signedRequest, testSecret } from '../src/testing.ts'
import { gate } from './gate.ts'

const secret = testSecret

it('runs the function of the event and answers 204', async () => {
  const created = vi.fn()
  const updated = vi.fn()
  const handler = createWebhookHandler({ secret, on: { 'ticket.created': created, 'ticket.updated': updated } })
  const request = await signedRequest('ticket.created')
  expect((await handler(request)).status).toBe(204)
  expect(created).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ type: 'ticket.created', payload: fixtures['ticket.created'] }),
    request,
  )
  expect(updated).not.toHaveBeenCalled()
})

it('awaits the function before it responds', async () => {
  const work = gate()
  const handler = createWebhookHandler({ secret, on: { 'task.created': work.run } })
  const answer = handler(await signedRequest('task.created'))
  const first = await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'pending'))])
  expect(first).toBe('pending')
  work.open()
  expect((await answer).status).toBe(204)
})

it('responds with 204 to events without a function, known or unknown', async () => {
  const handler = createWebhookHandler({ secret, on: {} })
  expect((await handler(await signedRequest('message.created'))).status).toBe(204)
  expect((await handler(await signedRequest({ event: 'ticket.merged' }))).status).toBe(204)
})

it('passes unknown events to `unknown`', async () => {
  const names: (string | undefined)[] = []
  const handler = createWebhookHandler({ secret, on: { unknown: ({ name }) => names.push(name) } })
  await handler(await signedRequest({ event: 'ticket.merged' }))
  expect(names).toEqual(['ticket.merged'])
})

it('passes every event to `*`, after the function of the event, once with dedupe', async () => {
  const seen: string[] = []
  const dedupe = vi.fn(async (_event: unknown, run: () => unknown) => {
    await run()
    return 'handled' as const
  })
  const handler = createWebhookHandler({
    secret,
    dedupe,
    on: {
      'ticket.created': async () => {
        await new Promise(setImmediate)
        seen.push('first')
      },
      '*': ({ name, type }) => seen.push(`${type} ${name}`),
    },
  })
  await handler(await signedRequest('ticket.created'))
  await handler(await signedRequest({ event: 'ticket.merged' }))
  expect(seen).toEqual(['first', 'ticket.created ticket.created', 'unknown ticket.merged'])
  expect(dedupe).toHaveBeenCalledTimes(2)
})

it('recognizes errors of another copy of the package', () => {
  class WebhookVerificationErrorOfAnotherCopy extends Error {
    override readonly name = 'WebhookVerificationError'
  }
  expect(new WebhookVerificationErrorOfAnotherCopy()).toBeInstanceOf(WebhookVerificationError)
  expect(new Error('WebhookVerificationError')).not.toBeInstanceOf(WebhookVerificationError)
})

it('types the payload by the event name', () => {
  createWebhookHandler({
    secret,
    on: {
      'ticket.updated': (event: EventOf<'ticket.updated'>) => event.payload.changes,
      'message.created': ({ payload }) => payload.message.channel.name.toUpperCase(),
      // @ts-expect-error a message has no ticket
      'project.updated': ({ payload }) => payload.ticket,
    },
  })
})

it('throws when created with an unknown event name', () => {
  // @ts-expect-error a typo does not compile; JavaScript callers get this error
  expect(() => createWebhookHandler({ secret, on: { 'ticket.creatd': () => undefined } })).toThrow(
    'unknown event ticket.creatd, did you mean ticket.created?',
  )
})

it.each(['', ' ', `${testSecret}\n`])('throws when created with the secret %j', (given) => {
  expect(() => createWebhookHandler({ secret: given, on: {} })).toThrow(expect.objectContaining({ code: 'bad_secret' }))
})

it.each<[Record<string, unknown>, string]>([
  [{ requireTimeStamp: true }, 'unknown option requireTimeStamp, did you mean requireTimestamp?'],
  [{ maxBytes: 9 }, 'unknown option maxBytes; known: secret, toleranceSeconds,'],
  [{ toleranceSeconds: Number.POSITIVE_INFINITY }, 'toleranceSeconds must be above 0 and below'],
  [{ maxBodyBytes: Number.NaN }, 'maxBodyBytes must be above 0 and below'],
  [{ maxBodyBytes: '1mb' }, 'option maxBodyBytes must be a number'],
  [{ bodyTimeoutMs: Number.POSITIVE_INFINITY }, 'bodyTimeoutMs must be above 0 and below'],
  [{ bodyTimeoutMs: 2 ** 31 }, 'bodyTimeoutMs must be above 0 and below'],
  [{ bodyTimeoutMs: '10s' }, 'option bodyTimeoutMs must be a number'],
  [{ requireTimestamp: 'false' }, 'option requireTimestamp must be a boolean'],
  [{ schema: {} }, 'schema must be a Standard Schema'],
  [{ now: 5 }, 'option now must be a function'],
  [{ path: '/webhooks' }, 'unknown option path; known: secret, toleranceSeconds,'],
  [{ now: null }, 'option now must be a function'],
  [{ dedupe: memoryStore() }, 'option dedupe must be a function, such as dedupe({ store })'],
  [{ onRefused: 'log' }, 'option onRefused must be a function'],
  [{ on: undefined }, 'option on must be an object'],
  [{ on: { 'ticket.created': 5 } }, 'event ticket.created must be a function'],
])('throws when created with %o', (wrong, message) => {
  const options = { secret, on: {}, ...wrong } as Parameters<typeof createWebhookHandler>[0] // callers without types
  expect(() => createWebhookHandler(options)).toThrow(TypeError)
  expect(() => createWebhookHandler(options)).toThrow(message)
})

it('throws without options, naming the secret', () => {
  const create = createWebhookHandler as () => unknown // callers without types
  expect(create).toThrow(expect.objectContaining({ code: 'bad_secret' }))
})

it('accepts options that are undefined', async () => {
  const options = { maxBodyBytes: undefined, bodyTimeoutMs: undefined, dedupe: undefined, schema: undefined }
  const handler = createWebhookHandler({ secret, on: { 'task.created': undefined }, now: undefined, ...options })
  expect((await handler(await signedRequest('task.created'))).status).toBe(204)
})

it.each([
  [
    'throws',
    () => {
      throw new Error('no log')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no log'))],
])('still responds with the refusal if onRefused %s, and prints both errors', async (_name, onRefused) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => print.mockRestore())
  const handler = createWebhookHandler({ secret: 'another', on: {}, onRefused })
  expect((await handler(await signedRequest('task.created'))).status).toBe(401)
  await expect
    .poll(() => print.mock.calls)
    .toEqual([[expect.objectContaining({ code: 'no_match' }), new Error('no log')]])
})

it('looks up the secret by the request', async () => {
  const handler = createWebhookHandler({ secret: async ({ url }) => new URL(url).pathname.slice(1), on: {} })
  const request = (path: string) =>
    signedRequest('task.created', { url: `https://receiver.example/${path}`, secret: 'a' })
  expect((await handler(await request('a'))).status).toBe(204)
  expect((await handler(await request('b'))).status).toBe(401)
})

it.each([
  ['the method is not POST', { method: 'PUT' }, 405, 'wrong_method'],
  ['the content type is missing', { headers: { 'content-type': '' } }, 415, 'wrong_content_type'],
  ['the content type is wrong', { headers: { 'content-type': 'text/plain' } }, 415, 'wrong_content_type'],
  [
    'the content type only has the same prefix',
    { headers: { 'content-type': 'application/json-patch+json' } },
    415,
    'wrong_content_type',
  ],
  ['the signature is missing', { headers: { 'x-service-signature': '' } }, 401, 'malformed_signature'],
  ['the body was changed', { body: '{}' }, 401, 'no_match'],
  ['the event name differs', { headers: { 'x-service-event': 'task.updated' } }, 400, 'event_mismatch'],
])('responds and calls onRefused when %s', async (_name, { headers, ...change }: RequestInit, status, code) => {
  const refused: WebhookVerificationError[] = []
  const handler = createWebhookHandler({ secret, on: {}, onRefused: (error) => refused.push(error) })
  const delivery = await signedDelivery('task.created')
  const merged = { ...delivery.headers, ...(headers as Record<string, string> | undefined) } // the cases above use plain objects
  const response = await handler(
    new Request('https://receiver.example', {
      method: 'POST',
      body: String(delivery.body),
      ...change,
      headers: merged,
    }),
  )
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ code, hint: expect.any(String) })
  expect(refused).toEqual([expect.objectContaining({ code })])
})

it('accepts a content type with a charset', async () => {
  const handler = createWebhookHandler({ secret, on: {} })
  const request = await signedRequest('task.created', {
    headers: { 'content-type': 'Application/JSON; charset=utf-8' },
  })
  expect((await handler(request)).status).toBe(204)
})

it('lists the allowed method', async () => {
  const response = await createWebhookHandler({ secret, on: {} })(new Request('https://receiver.example'))
  expect(response.headers.get('allow')).toBe('POST')
})

it('reports a body that was already read', async () => {
  const request = await signedRequest('task.created')
  await request.json()
  const response = await createWebhookHandler({ secret, on: {} })(request)
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ code: 'body_consumed' })
})

const streamed = (headers: Record<string, string>, source: UnderlyingSource<Uint8Array>) =>
  // Node requires `duplex` for a streamed body, but the DOM types lack it.
  new Request('https://receiver.example', {
    method: 'POST',
    headers,
    body: new ReadableStream(source),
    duplex: 'half',
  } as RequestInit)

it('joins chunks as bytes, so that a character may span two chunks', async () => {
  const { headers, body } = await signedDelivery('message.created')
  const bytes = new TextEncoder().encode(String(body))
  const names: string[] = []
  const handler = createWebhookHandler({
    secret,
    on: { 'message.created': ({ payload }) => names.push(payload.message.body) },
  })
  const request = streamed(headers, {
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect((await handler(request)).status).toBe(204)
  expect(names).toEqual(['Toner is here 🎉'])
})

it('stops reading a body that exceeds the limit, without cancelling it', async () => {
  let chunks = 0
  let cancelled = false
  const { headers } = await signedDelivery('task.created')
  const request = streamed(headers, {
    pull(controller) {
      chunks += 1
      controller.enqueue(new Uint8Array(1000))
    },
    cancel() {
      cancelled = true
    },
  })
  const response = await createWebhookHandler({ secret, on: {}, maxBodyBytes: 10_000 })(request)
  expect(response.status).toBe(413)
  expect(chunks).toBeLessThan(20)
  // Some adapters close the connection when the body is cancelled, before the response.
  expect(cancelled).toBe(false)
})

it('responds with 408 when the body does not arrive in time', async () => {
  const { headers } = await signedDelivery('task.created')
  const request = streamed(headers, { start: (controller) => controller.enqueue(new Uint8Array(1)) })
  const response = await createWebhookHandler({ secret, on: {}, bodyTimeoutMs: 20 })(request)
  expect(response.status).toBe(408)
  expect(await response.json()).toMatchObject({ code: 'body_timeout' })
})

it('responds with 400 when the connection closes before the end of the body', async () => {
  const { headers } = await signedDelivery('task.created')
  const request = streamed(headers, { start: (controller) => controller.error(new Error('connection reset')) })
  const response = await createWebhookHandler({ secret, on: {} })(request)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'body_incomplete' })
})

it('propagates the error of a handler', async () => {
  const failure = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
  const handler = createWebhookHandler({ secret, on: { 'task.created': () => Promise.reject(failure) } })
  await expect(handler(await signedRequest('task.created'))).rejects.toBe(failure)
})

it.each<[string, 'secret' | '*', unknown]>([
  ['a refusal by verify', '*', await verify({ body: '{}', headers: {}, secret: '?' }).catch((error) => error)],
  ['a redirect of Next', '*', Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;replace;/;307;' })],
  ['a missing file, to which Koa 2 responds with 404', '*', Object.assign(new Error('none'), { code: 'ENOENT' })],
  ['no error', '*', undefined],
  ['a response of the secret store', 'secret', Object.assign(new Error('gone'), { status: 410 })],
  ['an error with a cause, to which h3 responds with its status', '*', new Error('no', { cause: { status: 410 } })],
  ['an error of Elysia', '*', Object.assign(new Error('gone'), { toResponse: () => new Response(null) })],
])('propagates %s in an error without a status, with the same stack', async (_name, source, thrown) => {
  const fail = () => Promise.reject(thrown)
  const handler = createWebhookHandler(source === 'secret' ? { secret: fail, on: {} } : { secret, on: { '*': fail } })
  const { message, stack } = thrown instanceof Error ? thrown : { message: 'threw no Error', stack: expect.any(String) }
  const error = await handler(await signedRequest('task.created')).catch((error: unknown) => error)
  expect(error).toEqual(new AggregateError([thrown], message))
  expect(error).toMatchObject({ stack, errors: [thrown] })
})

it('propagates the error of the secret lookup', async () => {
  const failure = new Error('vault unavailable')
  const handler = createWebhookHandler({ secret: () => Promise.reject(failure), on: {} })
  await expect(handler(await signedRequest('task.created'))).rejects.toBe(failure)
})

it('verifies a request without a handler', async () => {
  const event = await verifyRequest(await signedRequest('project.updated'), { secret })
  expect(event).toMatchObject({ type: 'project.updated', payload: { project: { id: 3 } } })
  await expect(
    verifyRequest(await signedRequest('project.updated'), { secret, maxBodyBytes: 9 }),
  ).rejects.toMatchObject({
    code: 'body_too_large',
  })
})

it.each([{ maxBodyBytes: Number.NaN }, { maxBodyBytes: '1mb' as never }, { bodyTimeoutMs: Number.POSITIVE_INFINITY }])(
  'verifies no request with the limit %o',
  async (limit) => {
    const verified = verifyRequest(await signedRequest('task.created'), { secret, ...limit })
    await expect(verified).rejects.toThrow(`${Object.keys(limit)} must be above 0 and below 2147483648`)
  },
)
