import { describe, expect, onTestFinished, test } from 'vitest'
import { matchers } from '../../src/testing/entries/matchers.ts'
import { mswHandlers } from '../../src/testing/entries/msw.ts'
import { routeTo } from '../../src/testing/entries/playwright.ts'
import {
  checkInvariants,
  countEffects,
  createTestServer,
  faultCases,
  findDuplicates,
  modelCommands,
  startForTests,
  type TestServer,
} from '../../src/testing/entries/testing.ts'
import { serviceTest } from '../../src/testing/entries/vitest.ts'

async function start(): Promise<TestServer> {
  const server = await createTestServer({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })
  onTestFinished(() => server.close())
  return server
}

/** An argument that the types would reject. */
const wrong = (given: unknown) => given as never

const cycle: { self?: unknown } = {}
cycle.self = cycle

const origin = 'https://api.example.com'

/** The functions that take a server, called with something else. */
const withoutServer: Readonly<Record<string, (server: never) => unknown>> = {
  mswHandlers: (server) => mswHandlers(server, { origin }),
  routeTo: (server) => routeTo(wrong({}), server, origin),
  findDuplicates: (server) => findDuplicates(server, 'tickets', 'title'),
  countEffects: (server) => countEffects(server, 'tickets.create'),
  checkInvariants: (server) => checkInvariants(server),
  modelCommands: (server) => modelCommands(server),
  'apply of a fault of requests': (server) => faultCases.for({ kinds: ['503'] })[0]?.apply(server),
  'apply of a fault of deliveries': (server) => faultCases.for({ kinds: ['duplicate delivery'] })[0]?.apply(server),
  toHaveReceived: (server) => matchers.toHaveReceived(server),
  toHaveDelivered: (server) => matchers.toHaveDelivered(server, 'ticket.created'),
}

const context = 'startForTests needs the context of a test of node:test'

const mistakes: readonly (readonly [string, (server: TestServer) => unknown, string])[] = [
  [
    'createTestServer(null)',
    () => createTestServer(wrong(null)),
    'createTestServer: expected an object, but got null.',
  ],
  ...[Number.NaN, 1.5, Number.POSITIVE_INFINITY, '', null, {}].map(
    (random) =>
      [
        `random: ${random}`,
        () => createTestServer({ random: wrong(random) }),
        "`random` must be a whole number, a text, or 'system'; it was ",
      ] as const,
  ),
  ['startForTests without a context', () => startForTests(wrong(undefined), {}), context],
  ['startForTests with options only', () => startForTests(wrong({ seed: 'demo' })), context],
  ['a fault that is null', ({ faults }) => faults.add(wrong(null)), 'A fault: expected an object, but got null.'],
  ...['yes', null, 10n].map(
    (respond) =>
      [
        `respond: ${respond}`,
        ({ faults }: TestServer) => faults.add({ respond: wrong(respond) }),
        '`respond` must be a status, { status, body, headers, retryAfterSeconds }, or a function that returns a Response; it was ',
      ] as const,
  ),
  ['a BigInt as a body', ({ faults }) => faults.add({ respond: { body: 10n } }), 'a JSON value; it was 10n.'],
  ['a cycle as a body', ({ faults }) => faults.add({ respond: { body: cycle } }), '`respond.body` must be text or'],
  [
    'a function as a body',
    ({ faults }) => faults.add({ respond: { body: () => 1 } }),
    '`respond.body` must be text or',
  ],
  [
    'an invalid header',
    ({ faults }) => faults.add({ respond: { headers: { 'retry after': '1' } } }),
    '`respond.headers` must be an object with valid names',
  ],
  ['times: 10n', ({ faults }) => faults.add({ respond: 500, times: wrong(10n) }), 'at least 1; it was 10n.'],
  ...[
    'tickets',
    '/admin/*',
    '/api/v1/workspaces/:workspace/tickets',
    '/api/v1/workspaces/{workspace}/tickets',
    '/livez?x=1',
    'https://a.test/livez',
    '/^\\/api\\//',
    7,
  ].map(
    (path) =>
      [
        `path: ${path}`,
        ({ faults }: TestServer) => faults.add({ match: { path: wrong(path) }, respond: 500 }),
        '`path` must be a full path without a query',
      ] as const,
  ),
  ['path of expectRequest', (server) => server.expectRequest({ path: 'tickets' }), "it was 'tickets'."],
  [
    'a workspace that is a text',
    ({ faults }) => faults.add({ match: { workspace: wrong('1') }, respond: 500 }),
    "a whole number; it was '1'.",
  ],
  [
    'a token with its scheme',
    ({ faults }) => faults.add({ match: { token: 'Bearer service_test_x' }, respond: 500 }),
    "`token` must be the text of a token, without 'Bearer'",
  ],
  [
    'a header that is a number',
    ({ faults }) => faults.add({ match: { headers: { a: wrong(1) } }, respond: 500 }),
    '`headers` must be an object whose values are texts or regular expressions',
  ],
  ...Object.entries(withoutServer).flatMap(
    ([name, act]) =>
      [
        [
          `${name} with a forgotten await`,
          (server: TestServer) => act(wrong(Promise.resolve(server))),
          'it was a promise: await it.',
        ],
        [`${name} without a server`, () => act(wrong(undefined)), 'needs a server from createTestServer; it was '],
      ] as const,
  ),
  ['mswHandlers without options', (server) => mswHandlers(server, wrong(undefined)), 'Pass at least one origin'],
  ['mswHandlers without an origin', (server) => mswHandlers(server, wrong({})), 'Pass at least one origin'],
  ['intercept without an origin', (server) => server.intercept(wrong(undefined)), 'Pass at least one origin'],
  ['intercept with a number', (server) => server.intercept(wrong(7)), 'An origin is a scheme and a host'],
  [
    'overrides of trigger that are null',
    (server) => server.trigger('task.created', wrong(null)),
    '`trigger`: expected',
  ],
  ['a method that is a number', ({ faults }) => faults.add({ match: { method: wrong(1) }, respond: 500 }), '`method`'],
]

test.each(mistakes)('%s is a TypeError that names the remedy', async (_, act, says) => {
  const server = await start()
  const outcome = await Promise.resolve()
    .then(() => act(server))
    .catch((thrown: unknown) => thrown)
  expect(outcome).toBeInstanceOf(TypeError)
  expect(outcome).toHaveProperty('message', expect.stringContaining(says))
})

test.each([undefined, null, 'text', { status: 200 }, 500])(
  'a function of a fault that returns %s fails with what it may return',
  async (returned) => {
    const server = await start()
    server.faults.add({ respond: () => wrong(returned), damage: 'malformed', times: 1 })
    server.faults.add({ respond: async () => wrong(returned) })
    const says =
      'The function in `respond` must return a Response, such as new Response(null, { status: 503 }); it returned'
    await expect(server.fetch('/livez')).rejects.toThrow(says)
    await expect(server.fetch('/livez')).rejects.toThrow(says)
  },
)

test('a receiver that returns no Response fails with what it must return', async () => {
  const server = await start()
  const url = 'https://app.test/hooks'
  await server.create.subscription({ workspace: 1, url, events: ['ticket.created'] })
  server.webhooks.receive(url, () => wrong(undefined))
  const inbox = server.webhooks.capture('ticket.created')
  inbox.respondWith(() => wrong(undefined))
  await server.create.ticket({ workspace: 1 })
  await server.settled()
  const responses: (string | null | undefined)[] = []
  for (const { id } of (await server.admin.deliveries.list({ workspace: 1 })).data.slice(0, 2)) {
    const [attempt] = (await server.admin.deliveries.attempts({ workspace: 1, id })).data
    responses.push(attempt?.response)
  }
  expect(responses.toSorted()).toEqual([
    'TypeError: The function in `respondWith` must return a Response, such as new Response(null, { status: 503 }); it returned undefined.',
    'TypeError: The receiver must return a Response, such as new Response(null, { status: 503 }); it returned undefined.',
  ])
})

test('a regular expression with the flag `g` matches every request', async () => {
  const server = await start()
  server.faults.add({ match: { path: /livez/g }, respond: 503 })
  for (const _ of [1, 2, 3]) expect((await server.fetch('/livez')).status).toBe(503)
})

test('an option in the place of the events is a TypeError that names its place', async () => {
  const server = await start()
  const inbox = server.webhooks.capture()
  await expect(inbox.next(wrong({ timeout: 50 }))).rejects.toThrow(
    "A pattern of events is text, such as 'ticket.*' or '*'; it was { timeout: 50 }. Options are the second argument.",
  )
})

test.each([
  [{ journal: { limit: -1 } }, '`journal.limit` must be a whole number of at least 0; it was -1.'],
  [{ journal: { bodyLimit: '1' } }, "`journal.bodyLimit` must be a whole number of at least 0; it was '1'."],
  [{ allowFaultHeaders: 'yes' }, "`allowFaultHeaders` is true or false; it was 'yes'."],
])('the option %j is a TypeError', async (options, says) => {
  await expect(createTestServer(wrong(options))).rejects.toThrow(new TypeError(says))
})

test('options that are undefined are those that are not passed', async () => {
  await using server = await createTestServer({ log: undefined, hooks: undefined, ids: undefined, lookup: undefined })
  expect((await server.fetch('/livez')).status).toBe(200)
})

describe('serviceTest in a describe block', () => {
  let thrown: unknown
  try {
    serviceTest()
  } catch (fault) {
    thrown = fault
  }

  test('throws an error that says where to call it', () => {
    expect(String(thrown)).toContain('Call `serviceTest` at the top level of the file, outside `describe`.')
  })
})
