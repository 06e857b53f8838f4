import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WaitTimeoutError } from '../../src/testing/entries/testing.ts'
import { partialDifferences } from '../../src/testing/journal/expected-request.ts'
import { startServer } from './faulty-server.ts'

test('expectRequest returns the requests that match all fields', async () => {
  const { server, token, path, workspace, create } = await startServer()
  await create({ title: 'Printer', tags: ['a'] })
  await create({ title: 'Scanner' })
  const match = {
    operation: 'tickets.create' as const,
    method: 'post',
    path: /tickets$/,
    workspace: workspace.id,
    token,
    headers: { 'content-type': /json/ },
    body: { title: expect.stringContaining('rint'), tags: ['a'] },
    status: 201,
  }
  expect(server.expectRequest(match, { times: 1 }).map(({ sequence }) => sequence)).toEqual([1])
  expect(server.expectRequest({ path }, { times: 2 })).toHaveLength(2)
  expect(server.expectRequest({ operation: 'tasks.create' }, { times: 0 })).toEqual([])
  expect(server.journal.find({ body: { title: /^Sc/ } })).toMatchObject([{ sequence: 2 }])
})

test('expectRequest describes the closest request and its differences', async () => {
  const { server, list, create } = await startServer()
  await list()
  await create({ title: 'Scanner', tags: ['a', 'b'] })
  const expectPrinter = () =>
    server.expectRequest({ operation: 'tickets.create', body: { title: 'Printer', tags: ['a'] } })
  expect(expectPrinter).toThrow(
    [
      "Expected a request like { operation: 'tickets.create', body: { title: 'Printer', tags: [ 'a' ] } }, but none of 2 requests fits.",
      'The closest is #2 POST /api/v1/workspaces/1/tickets (tickets.create) → 201; it differs in',
      '  body.title',
      "    expected 'Printer'",
      "    received 'Scanner'",
      '  body.tags',
      "    expected [ 'a' ]",
      "    received [ 'a', 'b' ]",
      'Received:',
      '  #1 GET /api/v1/workspaces/1/tickets (tickets.list) → 200',
      '  #2 POST /api/v1/workspaces/1/tickets (tickets.create) → 201',
    ].join('\n'),
  )
  expect(expectPrinter).toThrow(expect.objectContaining({ name: 'AssertionError' }))
})

test('expectRequest shows only the last characters of tokens', async () => {
  const { server, token, list } = await startServer()
  await list()
  const other = `service_${'x'.repeat(40)}last`
  const message = messageOf(() => server.expectRequest({ operation: 'tickets.list', token: other }))
  expect(message).toContain("expected '…last'")
  expect(message).toContain(`received '…${token.slice(-4)}'`)
  expect(message).not.toContain(token)
  expect(message).not.toContain(other)
})

test('expectRequest lists the matching requests if their number differs', async () => {
  const { server, create } = await startServer()
  await create({ title: 'Printer' })
  expect(() => server.expectRequest({ operation: 'tickets.create' }, { times: 2 })).toThrow(
    "Expected 2 requests like { operation: 'tickets.create' }, but 1 request arrived:\n  #1 POST",
  )
  expect(() => server.expectRequest({ operation: 'tickets.create' }, { times: 0 })).toThrow('Expected 0 requests')
})

test('expectRequest reports that no requests were received', async () => {
  const { server } = await startServer()
  expect(() => server.expectRequest({ operation: 'tickets.list' })).toThrow('No requests were received.')
})

test('waitFor resolves at once to an earlier request', async () => {
  const { server, create } = await startServer()
  await create({ title: 'Printer' })
  await expect(server.waitFor({ body: { title: 'Printer' } }, { timeout: 0 })).resolves.toMatchObject({ sequence: 1 })
})

test('waitFor resolves when the request has a response', async () => {
  const { server, create } = await startServer()
  const waiting = server.waitFor({ operation: 'tickets.create', status: 201 })
  await create({ title: '' })
  const [entry] = await Promise.all([waiting, create({ title: 'Printer' })])
  expect(entry).toMatchObject({ sequence: 2, response: { status: 201 } })
})

test('waitFor lists the received requests on timeout', async () => {
  const { server, list } = await startServer()
  await list()
  const waiting = server.waitFor({ operation: 'tasks.create' }, { timeout: 10 })
  await expect(waiting).rejects.toThrow(WaitTimeoutError)
  await expect(waiting).rejects.toThrow(
    "No request like { operation: 'tasks.create' } arrived. Received:\n  #1 GET /api/v1/workspaces/1/tickets (tickets.list) → 200",
  )
})

test('waitFor rejects when the server closes', async () => {
  const { server } = await startServer()
  const waiting = expect(server.waitFor({ operation: 'tasks.create' })).rejects.toThrow('The server was closed')
  await server.close()
  await waiting
})

test('a hundred waitFor calls each get their own request', async () => {
  const { server, create } = await startServer()
  const titles = Array.from({ length: 100 }, (_, index) => `Ticket ${index}`)
  const waiting = titles.map((title) => server.waitFor({ body: { title } }))
  await Promise.all(titles.toReversed().map((title) => create({ title })))
  const entries = await Promise.all(waiting)
  expect(entries.map(({ request }) => request.body)).toEqual(titles.map((title) => ({ title })))
})

const json = fc.jsonValue({ maxDepth: 4 })

test('every value matches itself, with or without additional keys', () => {
  fc.assert(
    fc.property(json, fc.dictionary(fc.string(), json), (value, more) => {
      expect(partialDifferences(value, structuredClone(value), 'body')).toEqual([])
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      expect(partialDifferences(value, { ...more, ...value }, 'body')).toEqual([])
    }),
  )
})

test('a difference is reported with its path', () => {
  const received = { a: [{ b: 1 }, { b: 2 }], c: null }
  expect(partialDifferences({ a: [{ b: 1 }, { b: 3 }] }, received, 'body')).toEqual([
    { field: 'body.a[1].b', expected: 3, received: 2 },
  ])
  expect(partialDifferences({ c: { d: 1 } }, received, 'body')).toEqual([
    { field: 'body.c', expected: { d: 1 }, received: null },
  ])
  expect(partialDifferences({ e: undefined }, received, 'body')).toEqual([])
})

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (thrown) {
    if (thrown instanceof Error) return thrown.message
  }
  throw new Error('Nothing was thrown.')
}
