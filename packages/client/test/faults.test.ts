import { createdTicket, ticket } from '@service/contract/docs/example-values'
import { expect, it } from 'vitest'
import { freePort } from '../../server/test/free-port.ts'
import { createClient } from '../src/create-client.ts'
import type { AnyServiceError } from '../src/errors/family.ts'
import { token } from './support/client.ts'
import { type Answer, answers, faultServer, rawServer } from './support/fault-server.ts'

const quick = { token, workspace: 42, timeoutMs: 10_000, deadlineMs: 60_000, sleep: async () => {} }

async function failing(answer: Answer, options = {}) {
  const { baseUrl, seen } = await faultServer(answer)
  const client = createClient({ ...quick, baseUrl, ...options })
  const list = await client.tickets.list().safe()
  const listed = seen.length
  const create = await client.tickets.create({ title: 'A title' }).safe()
  if (list.ok || create.ok) throw new Error('The call did not fail.')
  return { get: list.error, gets: listed, post: create.error, posts: seen.length - listed }
}

const brief = ({ code, delivered, attempts, status }: AnyServiceError) => ({
  code,
  delivered,
  attempts,
  ...(status && { status }),
})

it.each([
  ['before the headers', answers.stallBeforeHeaders, { code: 'timeout', delivered: 'maybe' }, 3],
  ['in the body', answers.stallInBody(), { code: 'timeout', delivered: 'yes', status: 200 }, 3],
  ['in the body of a 500', answers.stallInBody(500), { code: 'server_error', delivered: 'yes', status: 500 }, 3],
  ['in the body of a 403', answers.stallInBody(403), { code: 'permission', delivered: 'yes', status: 403 }, 1],
] as const)('times out if the platform stalls %s', async (_, answer, expected, gets) => {
  // Long enough for the headers to arrive on a busy machine.
  const result = await failing(answer, { timeoutMs: 1000 })
  expect(brief(result.get)).toEqual({ ...expected, attempts: gets })
  expect(brief(result.post)).toEqual({ ...expected, attempts: 1 })
})

it.each([
  ['resets the connection', answers.reset, 'reset'],
  ['closes the connection without a response', answers.hangUp, 'reset'],
] as const)('retries a GET but not a POST if the platform %s', async (_, answer, reason) => {
  const result = await failing(answer)
  expect([result.gets, result.posts]).toEqual([3, 1])
  expect(brief(result.get)).toEqual({ code: 'network', delivered: 'maybe', attempts: 3 })
  expect(brief(result.post)).toEqual({ code: 'network', delivered: 'maybe', attempts: 1 })
  expect(result.post).toMatchObject({ reason })
})

it.each([
  ['an SSH server', 'http', 'SSH-2.0-OpenSSH_9.9\r\n', 'not_http'],
  ['a TLS alert', 'http', Buffer.from([21, 3, 1, 0, 2, 2, 70]), 'not_http'],
  ['a mail server', 'https', '220 mail.test ESMTP\r\n', 'tls'],
] as const)('recognizes %s at the other end of %s, and does not retry', async (_, scheme, greeting, reason) => {
  let connections = 0
  const { port } = await rawServer((socket) => {
    connections += 1
    socket.once('data', () => socket.end(greeting))
  })
  const client = createClient({ ...quick, baseUrl: `${scheme}://127.0.0.1:${port}/api/v1` })
  const result = await client.tickets.create({ title: 'A title' }, { idempotencyKey: true }).safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'network', reason, retryable: false } })
  expect(result).toHaveProperty(
    'error.message',
    expect.stringMatching(/ got no answer from [\d.:]+ \(.+\)\. Correct the base URL\.$/),
  )
  expect(connections).toBe(1)
})

it.each([
  ['with a length', answers.truncate],
  ['in chunks', answers.truncateChunks],
  ['as broken JSON', answers.text('{"data": [', 'application/json')],
] as const)('rejects a partial response that was sent %s', async (_, answer) => {
  const result = await failing(answer)
  expect([result.gets, result.posts]).toEqual([3, 1])
  expect(brief(result.get)).toEqual({ code: 'unexpected_response', delivered: 'yes', attempts: 3, status: 200 })
  expect(brief(result.post)).toEqual({ code: 'unexpected_response', delivered: 'yes', attempts: 1, status: 200 })
})

it('reports a web page instead of JSON, quotes its beginning, and does not retry', async () => {
  const page = answers.text(`<html><h1>Log in</h1>${'x'.repeat(900)}`, 'text/html; charset=utf-8')
  const { get, gets } = await failing(page)
  expect(gets).toBe(1)
  expect(get).toMatchObject({ code: 'unexpected_response', contentType: 'text/html; charset=utf-8' })
  expect(get).toHaveProperty('snippet', expect.stringMatching(/^<html><h1>Log in<\/h1>x{179}$/))
})

it('retries every call while the connection is refused, because nothing was delivered', async () => {
  const client = createClient({ ...quick, baseUrl: `http://127.0.0.1:${await freePort()}` })
  const result = await client.tickets.create({ title: 'A title' }).safe()
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'network',
      reason: 'refused',
      systemCode: 'ECONNREFUSED',
      delivered: 'no',
      attempts: 3,
      retryable: true,
    },
  })
})

it('reports a host name that does not exist as not delivered', async () => {
  const client = createClient({ ...quick, baseUrl: 'https://host.invalid/api/v1', maxRetries: 0 })
  const result = await client.tickets.create({ title: 'A title' }).safe()
  expect(result).toMatchObject({ ok: false, error: { code: 'network', delivered: 'no', attempts: 1 } })
})

it.each([301, 302, 303, 307, 308])('does not follow a %i redirect', async (status) => {
  const target = await faultServer(answers.json({ data: [ticket] }))
  const location = `${target.baseUrl}/steal?secret=hunter2`
  const { get, post, gets, posts } = await failing(answers.redirect(location, status))
  expect(target.seen).toEqual([])
  expect([gets, posts]).toEqual([1, 1])
  for (const error of [get, post]) {
    expect(error).toMatchObject({
      code: 'redirect',
      status,
      location: `http://127.0.0.1:${target.port}`,
      retryable: false,
    })
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('hunter2')
  }
})

it('succeeds once the faults are over', async () => {
  let turn = 0
  const faults: Answer[] = [answers.reset, answers.json({ message: 'Down.' }, 503), answers.json({ data: [ticket] })]
  const { baseUrl, seen } = await faultServer((response, request) => faults[turn++]?.(response, request))
  const { data, meta } = await createClient({ ...quick, baseUrl })
    .tickets.list()
    .withMeta()
  expect(data).toEqual([ticket])
  expect(meta).toMatchObject({ status: 200, attempts: 3 })
  expect(seen).toHaveLength(3)
})

it('sends the documented path, token, JSON body and a User-Agent', async () => {
  const { baseUrl, seen } = await faultServer(answers.json({ data: createdTicket }, 201))
  const client = createClient({ ...quick, baseUrl: `${baseUrl}/`, appInfo: { name: 'billing', version: '2.1' } })
  await client.tickets.create(
    { title: 'A title' },
    { headers: { 'x-gateway': 'a' }, extraQuery: { q: 'ä' }, extraBody: { more: 1 } },
  )
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({
    method: 'POST',
    url: '/api/v1/workspaces/42/tickets?q=%C3%A4',
    body: '{"title":"A title","more":1}',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^service-client\/\d+\.\d+\.\d+ \(node(\.js)?\/\d+; billing\/2\.1\)$/),
      'x-gateway': 'a',
    },
  })
})
