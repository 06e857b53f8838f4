import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type Fault } from '../../src/testing/entries/testing.ts'
import { startServer } from './faulty-server.ts'

const statuses = async (send: () => Promise<Response>, times: number) => {
  const seen: number[] = []
  for (let count = 0; count < times; count += 1) seen.push((await send()).status)
  return seen
}

test('fails only the second POST', async () => {
  const { server, create, list, titles } = await startServer()
  const fault = server.faults.add({ match: { operation: 'tickets.create' }, after: 1, times: 1, respond: 503 })
  expect((await list()).status).toBe(200)
  expect(await statuses(create, 3)).toEqual([201, 503, 201])
  expect(fault.hits).toBe(1)
  expect(await titles()).toHaveLength(2)
})

test.each<[string, Fault['match'], number[]]>([
  ['an operation', { operation: 'tickets.list' }, [500, 201]],
  ['a method', { method: 'post' }, [200, 500]],
  ['a path', { path: /\/tickets$/ }, [500, 500]],
  ['a header', { headers: { 'content-type': /json/ } }, [500, 500]],
  ['another path', { path: '/api/v1/workspaces/2/tickets' }, [200, 201]],
  ['another token', { token: 'service_other' }, [200, 201]],
  ['another workspace', { workspace: 2 }, [200, 201]],
])('applies to requests with %s', async (_, match, expected) => {
  const { server, create, list } = await startServer()
  server.faults.add({ match, respond: 500 })
  expect([(await list()).status, (await create()).status]).toEqual(expected)
})

test('applies to one token only', async () => {
  const { server, token, list } = await startServer()
  server.faults.add({ match: { token }, respond: 500 })
  expect((await list()).status).toBe(500)
  expect((await list({ headers: { authorization: 'Bearer service_x' } })).status).toBe(401)
})

test('responds with the error body of the API and Retry-After', async () => {
  const { server, list } = await startServer()
  server.faults.add({ respond: { status: 429, retryAfterSeconds: 7 } })
  const response = await list()
  expect([response.status, response.headers.get('retry-after'), response.headers.get('content-type')]).toEqual([
    429,
    '7',
    'application/json',
  ])
  expect(await response.json()).toEqual({ message: 'Too Many Attempts.' })
})

test('responds with a custom body, as JSON, text, or the result of a function', async () => {
  const { server, list } = await startServer()
  server.faults.add({ times: 1, respond: { status: 502, body: { a: 1 }, headers: { 'X-Proxy': 'edge' } } })
  server.faults.add({ times: 1, respond: { status: 502, body: '<h1>Bad Gateway</h1>' } })
  server.faults.add({ times: 1, respond: { status: 204 } })
  server.faults.add({ respond: ({ method }) => new Response(method, { status: 418 }) })
  const first = await list()
  expect([first.headers.get('x-proxy'), await first.json()]).toEqual(['edge', { a: 1 }])
  const second = await list()
  expect([second.headers.get('content-type'), await second.text()]).toEqual([
    'text/plain; charset=utf-8',
    '<h1>Bad Gateway</h1>',
  ])
  expect([(await list()).status, await (await list()).text()]).toEqual([204, 'GET'])
})

test('applies to a share of matches, the same in every run with the same seed', async () => {
  const run = async (random: string) => {
    const { server, list } = await startServer({ random })
    server.faults.add({ probability: 0.3, respond: 500 })
    return statuses(list, 100)
  }
  const one = await run('one')
  expect(await run('one')).toEqual(one)
  expect(await run('two')).not.toEqual(one)
  const failed = one.filter((status) => status === 500).length
  expect(failed).toBeGreaterThan(15)
  expect(failed).toBeLessThan(45)
})

test('draws from a separate random stream, so that ids stay the same', async () => {
  const requestIds = async (faults: readonly Fault[]) => {
    const { server, list } = await startServer({ random: 'same' })
    for (const fault of faults) server.faults.add(fault)
    return [(await list()).headers.get('x-request-id'), (await list()).headers.get('x-request-id')]
  }
  expect(await requestIds([{ probability: 0, respond: 500 }])).toEqual(await requestIds([]))
})

test('applies only the first matching fault', async () => {
  const { server, list } = await startServer()
  const first = server.faults.add({ times: 1, respond: 500 })
  const second = server.faults.add({ respond: 503 })
  expect(await statuses(list, 3)).toEqual([500, 503, 503])
  expect([first.hits, second.hits]).toEqual([1, 2])
})

test('is listed with its hits, and ends with remove() or its block', async () => {
  const { server, list } = await startServer()
  const fault = server.faults.add({ respond: 500, name: 'the outage' })
  await list()
  expect(server.faults.list()).toMatchObject([{ name: 'the outage', hits: 1, fault: { respond: 500 } }])
  fault.remove()
  expect(server.faults.list()).toEqual([])
  {
    using _ = server.faults.add({ respond: 500 })
    expect((await list()).status).toBe(500)
  }
  expect((await list()).status).toBe(200)
})

test('is copied into a fork with its hits, and so are delivery faults', async () => {
  const { server, path, token, workspace } = await startServer({ strict: { unusedFaults: true } })
  const outage = server.faults.add({ respond: 500, times: 2, name: 'outage' })
  const share = server.faults.add({ respond: 503, probability: 0.5 })
  const [later] = server.faults.schedule([{ at: '1h', respond: 502 }])
  server.webhooks.deliveryFaults.add({ drop: true })
  const send = (at: typeof server) => () => at.fetch(path, { headers: { authorization: `Bearer ${token}` } })
  await send(server)()
  const fork = await server.fork()
  onTestFinished(() => fork.close())
  outage.remove()
  later?.remove()
  expect(fork.faults.list()).toMatchObject([{ name: 'outage', hits: 1 }, { hits: 0 }, { hits: 0 }])
  const expected = await statuses(send(server), 9)
  expect(await statuses(send(fork), 10)).toEqual([500, ...expected])
  expect(share.hits).toBeGreaterThan(0)
  await fork.clock.advance('1h')
  expect(await statuses(send(fork), 9)).not.toContain(200)
  const inbox = fork.webhooks.capture('ticket.created')
  await fork.create.ticket({ workspace })
  await fork.settled()
  expect(inbox.arrivals()).toEqual([])
  await fork.reset()
  expect(await statuses(send(fork), 9)).not.toContain(503)
})

test('ends with a reset', async () => {
  const { server, list } = await startServer()
  server.faults.add({ respond: 500 })
  server.webhooks.deliveryFaults.add({ drop: true })
  await server.reset({ only: ['faults'] })
  expect((await list()).status).toBe(200)
  const inbox = server.webhooks.capture('ticket.created')
  await server.create.ticket()
  await server.settled()
  expect(inbox.arrivals()).toHaveLength(1)
})

test.each<[unknown, string]>([
  [{}, 'A fault needs `respond`, `latency`, `damage`, `bytesPerSecond`, or `connection`.'],
  [{ status: 503 }, 'A fault has no `status`; it has match,'],
  [{ match: { op: 'x' }, respond: 500 }, 'A match has no `op`; it has operation,'],
  [{ respond: 99 }, '`respond.status` must be a whole number from 200 to 599; it was 99.'],
  [{ respond: { code: 500 } }, '`respond` has no `code`'],
  [{ respond: 500, times: 0 }, '`times` must be a whole number of at least 1; it was 0.'],
  [{ respond: 500, after: 1.5 }, '`after` must be a whole number of at least 0; it was 1.5.'],
  [{ respond: 500, probability: 2 }, '`probability` must be a number from 0 to 1; it was 2.'],
  [{ respond: 500, when: 'later' }, "`when` must be one of 'before', 'after'; it was \"later\"."],
  [{ connection: 'broken' }, "`connection` must be one of 'reset', 'close', 'hang'"],
  [{ damage: 'broken' }, "`damage` must be one of 'malformed'"],
  [{ connection: 'refused', when: 'after' }, "use 'reset' for a lost response"],
  [{ connection: 'reset', respond: 500 }, 'omit `respond`'],
  [{ connection: 'reset', damage: 'empty' }, '`connection` leaves no body to damage'],
  [{ damage: 'empty', when: 'before' }, 'There is no response to damage'],
  [{ latency: 'soon' }, "`latency` must be a duration: a number of milliseconds, or text such as '90s'"],
  [{ latency: { max: 5 } }, '`latency` must be a duration, {min, max} or {median, sigma?}'],
  [{ latency: { min: 9, max: 5 } }, '`latency.min` must be at most `max`; it was 9.'],
  [{ respond: 500, clock: 'virtual' }, '`clock` applies to `latency`: add `latency`.'],
])('%j is rejected with the remedy', async (fault, remedy) => {
  const { server } = await startServer()
  expect(() => server.faults.add(fault as Fault)).toThrow(TypeError) // wrong on purpose
  expect(() => server.faults.add(fault as Fault)).toThrow(remedy)
  expect(server.faults.list()).toEqual([])
})

test('rejects virtual latency on a clock without timers', async () => {
  await using server = await createTestServer({ clock: { now: () => 0 } })
  expect(() => server.faults.add({ latency: 5, clock: 'virtual' })).toThrow("omit `clock: 'virtual'`")
})
