import { apiRoutes, type ControlRoute, inboundRoutes, operationNames } from '@service/contract'
import { Bytes } from '@service/contract/bytes'
import { controlRoutes } from '@service/contract/test-controls'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { matchers } from '../../src/testing/entries/matchers.ts'
import { mswHandlers } from '../../src/testing/entries/msw.ts'
import { createTestServer, type RequestMatch, type TestServer } from '../../src/testing/entries/testing.ts'
import { serviceTest } from '../../src/testing/entries/vitest.ts'

const adminToken = 'test-controls-admin-token'

async function start(): Promise<TestServer> {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', testControls: true, adminToken })
  onTestFinished(() => server.close())
  return server
}

/** An argument that the types would reject. */
const misspelled = (given: unknown) => given as never

type Mistake = readonly [string, (server: TestServer) => unknown, string]

const mistakes: readonly Mistake[] = [
  ['createTestServer', () => createTestServer(misspelled({ sed: 'demo' })), 'did you mean `seed`?'],
  ['strict', () => createTestServer({ strict: misspelled({ unusedFault: true }) }), 'did you mean `unusedFaults`?'],
  ['journal', () => createTestServer({ journal: misspelled('yes') }), "`journal`: expected an object, but got 'yes'."],
  ['journal', () => createTestServer({ journal: misspelled({ limits: 5 }) }), 'did you mean `limit`?'],
  [
    'hooks',
    () => createTestServer({ hooks: misspelled({ ticketCreate: () => undefined }) }),
    'did you mean `ticketCreated`?',
  ],
  ['contract', () => createTestServer({ contract: misspelled('thow') }), "`contract` is 'throw', 'collect' or 'off'"],
  ['clock: 0', () => createTestServer({ clock: misspelled(0) }), '`clock` must be an instant'],
  [
    'clock: virtual',
    () => createTestServer({ clock: 'virtual' }),
    "`clock: 'virtual'` is an option of a fault: `server.faults.add({ latency: '1h', clock: 'virtual' })`.",
  ],
  ['clock: tomorrow', () => createTestServer({ clock: 'tomorrow' }), "with now(); it was 'tomorrow'. Omit it to use"],
  ['a day that does not exist', () => createTestServer({ clock: '2026-02-30T00:00:00Z' }), "'2026-02-30T00:00:00Z'"],
  ...[
    [1_795_200_713_123, 'is a time in milliseconds. Multiply it by 1000.'],
    [1.8e18, 'is a time in nanoseconds. Divide it by 1000.'],
    [
      1_795_200_713,
      '`clock.now()` is in microseconds since 1970, but 1795200713 is a time in seconds. Multiply it by 1000000.',
    ],
    [1_795_200_713_123.25, 'must return an integer: microseconds since 1970'],
    [new Date(0), 'must return an integer: microseconds since 1970'],
  ].map(
    ([now, remedy]): Mistake => [
      `clock.now() that returns ${now}`,
      () => createTestServer({ clock: { now: () => misspelled(now) } }),
      `${remedy}`,
    ],
  ),
  [
    'clock.set in microseconds',
    (server) => server.clock.set(1_795_200_713_123_456),
    '`at` is in milliseconds since 1970, but 1795200713123456 is a time in microseconds. Divide it by 1000.',
  ],
  ['clock.freeze in seconds', (server) => server.clock.freeze(1_795_200_713), 'in seconds. Multiply it by 1000.'],
  ['clock.set', (server) => server.clock.set('2026-02-30T00:00:00Z'), '`at` must be an instant'],
  ['timeout of waitFor', (server) => server.waitFor({}, { timeout: 'soon' }), '`timeout` must be a duration'],
  ['listen', (server) => server.listen(misspelled({ prot: 1 })), 'did you mean `port`?'],
  [
    'fork',
    (server) => (server.fork as (options: object) => unknown)({ seed: 'empty' }),
    '`fork` takes no options: a fork has the state and options of its server.',
  ],
  ['reset', (server) => server.reset(misspelled({ onyl: [] })), 'did you mean `only`?'],
  ['a part of reset', (server) => server.reset({ only: misspelled(['fault']) }), 'Unknown part "fault" to reset'],
  ['tokens.issue', (server) => server.tokens.issue(misspelled({ scope: [] })), 'did you mean `scopes`?'],
  ['expectRequest', (server) => server.expectRequest(misspelled({ boddy: {} })), 'did you mean `body`?'],
  ['options of expectRequest', (server) => server.expectRequest({}, misspelled({ time: 1 })), 'did you mean `times`?'],
  ['waitFor', (server) => server.waitFor(misspelled({ statuss: 200 })), 'did you mean `status`?'],
  ['options of waitFor', (server) => server.waitFor({}, misspelled({ timout: 1 })), 'did you mean `timeout`?'],
  ['journal.find', (server) => server.journal.find(misspelled({ opertion: 'x' })), 'did you mean `operation`?'],
  ['faults.add', (server) => server.faults.add(misspelled({ respnd: 500 })), 'did you mean `respond`?'],
  [
    'match of a fault',
    (server) => server.faults.add({ match: misspelled({ pth: '/' }), respond: 500 }),
    'did you mean `path`?',
  ],
  ['latency', (server) => server.faults.add({ latency: misspelled({ median: 1, sgma: 1 }) }), 'did you mean `sigma`?'],
  ['capture', (server) => server.webhooks.capture('*', misspelled({ workspaces: 1 })), 'did you mean `workspace`?'],
  [
    'respondWith',
    (server) => server.webhooks.capture().respondWith(misspelled({ stauts: 500 })),
    'did you mean `status`?',
  ],
  ['next', (server) => server.webhooks.capture().next('*', misspelled({ timout: 5 })), 'did you mean `timeout`?'],
  [
    'deliveryFaults.add',
    (server) => server.webhooks.deliveryFaults.add(misspelled({ dorp: true })),
    'did you mean `drop`?',
  ],
  ['inbound', (server) => server.webhooks.inbound('github', misspelled({ workspce: 1 })), 'did you mean `workspace`?'],
  ['a sender', (server) => server.webhooks.inbound(misspelled('githb'), { workspace: 1, body: {} }), 'Unknown sender'],
  ['quirks', (server) => server.quirks.set(misspelled({ createStatus: 200 })), 'did you mean `createdStatus`?'],
  ['limits', (server) => server.limits.set(misspelled({ requestPerMinute: 2 })), 'did you mean `requestsPerMinute`?'],
  ['mswHandlers', (server) => mswHandlers(server, misspelled({ orgin: 'https://a.test' })), 'did you mean `origin`?'],
  [
    'trigger',
    (server) => server.trigger('task.created', misspelled({ workspace: 2 })),
    '`trigger` has no `workspace`; did you mean `workspace_id`?',
  ],
  [
    'toHaveReceived',
    (server) => matchers.toHaveReceived(server, misspelled({ metod: 'GET' })),
    'did you mean `method`?',
  ],
  [
    'toHaveDelivered',
    (server) => matchers.toHaveDelivered(server, misspelled('ticket.creatd')),
    "Did you mean 'ticket.created'?",
  ],
  [
    'captured events',
    (server) => server.webhooks.capture(misspelled('ticket.creatd')),
    "Did you mean 'ticket.created'?",
  ],
  [
    'operation',
    (server) => server.expectRequest({ operation: misspelled('ticket.create') }),
    "Did you mean 'tickets.create'?",
  ],
]

test.for(mistakes)('a misspelling in %s is a TypeError with a suggestion', async ([, act, suggestion]) => {
  const server = await start()
  const outcome = await Promise.resolve()
    .then(() => act(server))
    .catch((thrown: unknown) => thrown)
  expect(outcome).toBeInstanceOf(TypeError)
  expect(outcome).toHaveProperty('message', expect.stringContaining(suggestion))
})

test('a misspelled event in a subscription or a trigger is a 422 with a suggestion', async () => {
  const server = await start()
  const { id: workspace } = await server.create.workspace()
  const subscription = { url: 'https://app.test/hooks', events: [misspelled('ticket.creatd')], description: 'CRM' }
  await expect(server.admin.webhooks.create({ workspace }, subscription)).rejects.toMatchObject({
    errors: { 'events.0': [expect.stringContaining('Did you mean ticket.created?')] },
  })
  await expect(server.trigger(misspelled('ticket.creatd'))).rejects.toMatchObject({
    errors: { event: [expect.stringContaining('Did you mean ticket.created?')] },
  })
})

test('lists the options of the double before those of every server', async () => {
  await expect(createTestServer(misspelled({ zzzzzzzzzz: 1 }))).rejects.toThrow('it has seed, clock, random, journal')
})

test('fixtures reject unknown options', () => {
  expect(() => serviceTest(misspelled({ transprt: 'port' }))).toThrow('did you mean `transport`?')
})

test('operations are those of the contract, in types too', () => {
  expect(operationNames).toEqual([...apiRoutes, ...inboundRoutes].map(({ operation }) => operation))
  expectTypeOf<'tickets.create'>().toExtend<RequestMatch['operation']>()
  expectTypeOf<'ticket.create'>().not.toExtend<RequestMatch['operation']>()
  expectTypeOf<string>().not.toExtend<RequestMatch['operation']>()
})

test('every test control rejects an unknown field', async () => {
  const server = await start()
  const posts = controlRoutes.filter(
    ({ method, path, body }: ControlRoute) => method === 'POST' && body !== Bytes && !path.startsWith('/create'),
  )
  expect(posts.length).toBeGreaterThan(15)
  for (const { path } of posts) {
    const answer = await server.fetch(`/admin/v1/test${path.replaceAll(/\{\w+\}/g, '1')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ no_such_field: 1 }),
    })
    expect(answer.status, path).toBe(422)
    expect(await answer.json(), path).toHaveProperty(['errors', 'no_such_field'])
  }
})

test('a nested unknown field of a test control is rejected with a suggestion', async () => {
  const server = await start()
  const answer = await server.fetch('/admin/v1/test/expect', {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ match: { opration: 'tickets.create' } }),
  })
  expect(await answer.json()).toMatchObject({
    errors: { 'match.opration': [expect.stringContaining('Did you mean operation?')] },
  })
})

test('test controls accept and return snake_case', async () => {
  const server = await start()
  const ask = async (method: string, path: string, body: object = {}) => {
    const answer = await server.fetch(`/admin/v1/test${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}` },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const fault = { bytes_per_second: 1000, respond: { status: 503, retry_after_seconds: 30 }, times: 1 }
  expect((await ask('POST', '/faults', fault)).status).toBe(200)
  expect((await ask('POST', '/faults', { bytesPerSecond: 1000 })).status).toBe(422)
  expect((await ask('POST', '/faults', { respond: { retryAfterSeconds: 30 } })).text).toContain('retry_after_seconds')
  expect((await server.fetch('/livez')).headers.get('retry-after')).toBe('30')
  expect((await ask('POST', '/delivery-faults', { bad_signature: true, old_timestamp: true })).status).toBe(200)
  expect((await ask('POST', '/delivery-faults', { badSignature: true })).status).toBe(422)
  expect((await ask('POST', '/delivery-faults', { duplicate: 1e9 })).status).toBe(422)
  expect((await ask('POST', '/create/sla_policy')).status).toBe(200)
  expect((await ask('POST', '/create/slaPolicy')).text).toContain('Did you mean sla_policy?')
  await ask('POST', '/inboxes')
  await server.create.ticket()
  for (const path of [
    '/journal',
    '/quirks',
    '/limits',
    '/faults',
    '/clock',
    '/seeded',
    '/inboxes/1',
    '/inboxes/1/deliveries',
  ]) {
    const { status, text } = await ask('GET', path)
    expect(status, path).toBe(200)
    expect(text, path).not.toMatch(/"[a-z]+[A-Z]\w*":/)
  }
})
