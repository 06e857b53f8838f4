import { createdTicket, lead, recordedPunch, task, ticket, unmatchedPunch } from '@service/contract/docs/example-values'
import { expect, it } from 'vitest'
import { ConflictError, InvalidRequestError, ValidationError } from '../src/index.ts'
import { clientWith, json, network } from './support/client.ts'

const ok = () => network(json({ data: [ticket] }, 200, { 'x-request-id': 'req-1', 'set-cookie': 'session=1' }))

it('sends one request, however the call is read: awaited, with metadata, or as a safe result', async () => {
  const { fetch, requests } = ok()
  const call = clientWith({ fetch }).client.tickets.list()
  const meta = {
    status: 200,
    requestId: 'req-1',
    attempts: 1,
    durationMs: 0,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-1' },
  }
  expect(await call).toEqual([ticket])
  expect(await call.withMeta()).toEqual({ data: [ticket], meta })
  expect(await call.safe()).toEqual({ ok: true, data: [ticket], meta })
  expect(requests).toHaveLength(1)
})

it('works wherever a promise is accepted', async () => {
  const { client } = clientWith({ fetch: ok().fetch })
  let ended = 0
  const both: Promise<unknown>[] = [client.tickets.list(), client.tickets.list().finally(() => ended++)]
  expect(await Promise.all(both)).toEqual([[ticket], [ticket]])
  expect(ended).toBe(1)
  expect(
    await clientWith({ fetch: network(json({}, 409)).fetch })
      .client.tickets.list()
      .catch((error: unknown) => error),
  ).toBeInstanceOf(ConflictError)
})

it.each([200, 201])('accepts the status %i for a creation', async (status) => {
  const { client } = clientWith({ fetch: network(json({ data: createdTicket }, status)).fetch })
  expect((await client.tickets.create({ title: 'A title' }).withMeta()).meta.status).toBe(status)
})

it.each([200, 422])('returns a punch of an unknown device as a result, with the status %i', async (status) => {
  const { client } = clientWith({ fetch: network(json(unmatchedPunch, status)).fetch })
  const punch = await client.hrms.attendance.punch({ employee_code: 'E-7', device_id: 9 })
  expect(punch).toEqual(unmatchedPunch)
  if (!punch.recorded) expect(punch.reason).toBe('device_not_found')
})

it.each([200, 422])(
  'returns a punch refused for an undocumented reason as a result, with the status %i',
  async (status) => {
    const refused = { recorded: false, reason: 'on_leave' }
    const hinted = { ...refused, hint: 'On leave today.' }
    const { client } = clientWith({ fetch: network(json(refused, status), json(hinted, status)).fetch })
    const punch = { employee_code: 'E-7', device_id: 9 }
    expect(await client.hrms.attendance.punch(punch)).toEqual({ ...refused, hint: null, registered_devices: null })
    expect(await client.hrms.attendance.punch(punch)).toEqual({ ...hinted, registered_devices: null })
  },
)

it('returns a punch of an unknown employee and a recorded punch as results', async () => {
  const unknown = { ...unmatchedPunch, reason: 'employee_not_found' }
  const { client } = clientWith({ fetch: network(json(unknown, 422), json(recordedPunch)).fetch })
  expect(await client.hrms.attendance.punch({ email: 'a@b.example' })).toEqual(unknown)
  expect(await client.hrms.attendance.punch({ user_id: 3, device_id: 1 })).toEqual(recordedPunch)
})

it('throws for a punch with invalid fields', async () => {
  const refusal = {
    message: 'The direction field is invalid.',
    errors: { direction: ['The direction field is invalid.'] },
  }
  const { client } = clientWith({ fetch: network(json(refusal, 422)).fetch })
  const result = await client.hrms.attendance.punch({ user_id: 3, device_id: 1 }).safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'validation', status: 422, errors: refusal.errors } })
  if (!result.ok) expect(result.error).toBeInstanceOf(ValidationError)
})

it('calls each route at its documented path', async () => {
  const { fetch, requests } = network(
    json({ data: [] }),
    json({ data: createdTicket }),
    json({ data: task }),
    json({ data: [] }),
    json({ data: [] }),
    json(recordedPunch),
    json({ data: [] }),
    json({ data: lead }),
  )
  const { client } = clientWith({ fetch })
  await client.tickets.list()
  await client.tickets.create({ title: 'A' })
  await client.tasks.create({ title: 'A' })
  await client.projects.list()
  await client.hrms.employees.list()
  await client.hrms.attendance.punch({ user_id: 1, device_id: 1 })
  await client.crm.deals.list()
  await client.crm.leads.create({ name: 'Grace', source: 'website' })
  expect(
    requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace('/api/v1/workspaces/42', '')}`),
  ).toEqual([
    'GET /tickets',
    'POST /tickets',
    'POST /tasks',
    'GET /projects',
    'GET /hrms/employees',
    'POST /hrms/attendance/punch',
    'GET /crm/deals',
    'POST /crm/leads',
  ])
})

it('sends nothing if the body is invalid, and names each field', async () => {
  const { fetch, requests } = ok()
  // The types reject this body, but JavaScript callers may send it.
  const wrong = { due_at: 20_260_230, tags: ['ok', 5] } as never
  const result = await clientWith({ fetch }).client.tickets.create(wrong).safe()
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'invalid_request', attempts: 0, delivered: 'no', retryable: false },
  })
  if (result.ok || result.error.code !== 'invalid_request') throw new Error('The body was not rejected.')
  expect(result.error).toBeInstanceOf(InvalidRequestError)
  expect(result.error.issues).toEqual([
    { path: 'title', message: 'The title field is required.' },
    { path: 'due_at', message: 'The due_at field must be a string.' },
    { path: 'tags.1', message: 'The tags.1 field must be a string.' },
  ])
  expect(requests).toEqual([])
})

it('does not check lengths, ranges and formats, which the platform document does not state', async () => {
  const { fetch, requests } = network(json({ message: 'No.' }, 422))
  const { client } = clientWith({ fetch })
  const strange = { title: '', priority: 'p'.repeat(65), assigned_to: -1, due_at: 'tomorrow', tags: [''] }
  expect(await client.tickets.create(strange).safe()).toMatchObject({ error: { code: 'validation' } })
  const lead = { name: 'n'.repeat(300), source: '', email: 'not an address', estimated_value: -5 }
  expect(await client.crm.leads.create(lead).safe()).toMatchObject({ error: { code: 'validation' } })
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([strange, lead])
})

it.each([undefined, null, 5, 'text', []])('sends nothing if the body is %o', async (body) => {
  const { fetch, requests } = ok()
  const result = await clientWith({ fetch })
    .client.tickets.create(body as never)
    .safe() // the types reject it
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_request' } })
  expect(requests).toEqual([])
})

it('sends the body as it was at the time of the call', async () => {
  const { fetch, requests } = network(json({ data: createdTicket }))
  const ticket = { title: 'Before' }
  const call = clientWith({ fetch, token: async () => 'service_abc' }).client.tickets.create(ticket)
  ticket.title = 'After'
  await call
  expect(await requests[0]?.json()).toEqual({ title: 'Before' })
})

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

it.each([
  [{ note: Number.NaN }, 'note', 'it is NaN'],
  [{ rates: [1, -Infinity] }, 'rates.1', 'it is -Infinity'],
  [{ due: { at: new Date(Number.NaN) } }, 'due.at', 'it is Invalid Date'],
  [{ big: 1n }, 'big', 'it is BigInt'],
  [{ map: new Map([['a', 1]]) }, 'map', 'it is Map. Use Object.fromEntries'],
  [{ set: new Set([1]) }, 'set', 'it is Set'],
  [{ query: new URLSearchParams('a=1') }, 'query', 'it is URLSearchParams. Use Object.fromEntries'],
  [{ headers: new Headers({ a: '1' }) }, 'headers', 'it is Headers. Use Object.fromEntries'],
  [{ bytes: Uint8Array.of(1) }, 'bytes', 'it is Uint8Array'],
  [{ bytes: new ArrayBuffer(1) }, 'bytes', 'it is ArrayBuffer'],
  [{ file: new Blob(['a']) }, 'file', 'it is Blob'],
  [{ later: Promise.resolve() }, 'later', 'it is Promise'],
  [{ error: new Error('full') }, 'error', 'it is Error'],
  [{ call: () => 1 }, 'call', 'it is Function'],
  [{ tag: Symbol('a') }, 'tag', 'it is Symbol'],
  [cyclic, '', 'The body field cannot be written as JSON.'],
])('refuses a body with %o, which JSON would change', async (extraBody, path, reason) => {
  const { fetch, requests } = ok()
  const { client } = clientWith({ fetch })
  const result = await client.tickets.create({ title: 'A' }, { extraBody }).safe()
  expect(result).toMatchObject({
    error: { code: 'invalid_request', delivered: 'no', issues: [{ path, message: expect.stringContaining(reason) }] },
  })
  expect(requests).toEqual([])
})

it('sends dates, values with toJSON, and objects without a prototype as JSON does', async () => {
  const { fetch, requests } = network(json({}))
  const plain = Object.assign(Object.create(null), {
    at: new Date(0),
    left_out: undefined,
    url: new URL('http://a.test'),
  })
  const body = { plain, none: null, toNull: { toJSON: () => null }, list: [[], {}, '', 0, false] }
  await clientWith({ fetch }).client.request({ method: 'POST', path: '/invoices', body })
  expect(await requests[0]?.text()).toBe(JSON.stringify(body))
})

it('keeps what toJSON of a body writes if there are extra fields', async () => {
  const { fetch, requests } = network(json({}))
  const body = { toJSON: () => ({ total: 5 }) }
  await clientWith({ fetch }).client.request(
    { method: 'POST', path: '/invoices', body },
    { extraBody: { draft: true } },
  )
  expect(await requests[0]?.json()).toEqual({ total: 5, draft: true })
})

it.each([
  [401, 'AuthenticationError', 'authentication'],
  [403, 'PermissionError', 'permission'],
  [404, 'NotFoundError', 'not_found'],
  [409, 'ConflictError', 'conflict'],
  [413, 'PayloadTooLargeError', 'payload_too_large'],
  [415, 'UnsupportedMediaTypeError', 'unsupported_media_type'],
  [422, 'ValidationError', 'validation'],
  [429, 'RateLimitError', 'rate_limited'],
  [500, 'ServerError', 'server_error'],
  [503, 'ServerError', 'server_error'],
  [405, 'UnexpectedStatusError', 'unexpected_status'],
  [304, 'UnexpectedStatusError', 'unexpected_status'],
])('maps the status %i to %s', async (status, name, code) => {
  const body = status === 304 ? null : JSON.stringify({ message: 'A sentence.', code: 'E1' })
  const { client } = clientWith({
    fetch: network(new Response(body, { status, headers: { 'x-request-id': 'req-9' } })).fetch,
    maxRetries: 0,
  })
  const result = await client.crm.leads.create({ name: 'Grace', source: 'website' }).safe()
  expect(result).toMatchObject({
    ok: false,
    error: {
      name,
      code,
      status,
      requestId: 'req-9',
      method: 'POST',
      route: '/workspaces/{workspace}/crm/leads',
      delivered: 'yes',
      attempts: 1,
    },
    meta: { status, requestId: 'req-9', attempts: 1 },
  })
  if (!result.ok && body)
    expect(result.error).toMatchObject({
      serverCode: 'E1',
      message: `POST /workspaces/{workspace}/crm/leads answered ${status}: A sentence.`,
    })
})

it('includes the line of the caller in the stack', async () => {
  const { client } = clientWith({ fetch: network(json({}, 500)).fetch })
  async function syncTickets() {
    await client.tickets.list()
  }
  const error = await syncTickets().catch((thrown: unknown) => thrown)
  expect(error).toHaveProperty(
    'stack',
    expect.stringMatching(/^ServerError: GET .* answered 500\n(.*\n)*.*syncTickets/),
  )
})

it('looks up the global fetch on every call by default', async () => {
  const before = globalThis.fetch
  const { client } = clientWith()
  try {
    globalThis.fetch = async (input, init) => {
      expect([String(input), init?.method, init?.redirect]).toEqual([
        'http://localhost:9/api/v1/workspaces/42/tickets',
        'GET',
        'manual',
      ])
      return json({ data: [ticket] })
    }
    expect(await client.tickets.list()).toEqual([ticket])
  } finally {
    globalThis.fetch = before
  }
})

it.each([{}, { text: () => '' }, 5, null, undefined])(
  'throws a ResponseError if the fetch option returns %o',
  async (odd) => {
    const { client } = clientWith({ fetch: (async () => odd) as never }) // the types reject it
    expect(await client.tickets.list().safe()).toMatchObject({ ok: false, error: { code: 'unexpected_response' } })
  },
)
