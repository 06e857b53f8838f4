import { inboundRoutes } from '@service/contract'
import { project as documented } from '@service/contract/docs/example-values'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { createContractViolations } from '../../src/testing/journal/contract-violations.ts'
import { createJournalLayer } from '../../src/testing/journal/journal.ts'
import { toObservedRequest } from '../../src/testing/observed-request.ts'
import { noCoverage } from '../../src/testing/test-coverage.ts'
import { sampleRequests, seedForEveryRoute } from '../sample-requests.ts'
import { call } from '../workspace.ts'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', contract: 'collect', ...options })
  onTestFinished(() => server.close().catch(() => undefined))
  const { workspace, token } = await seedForEveryRoute(server)
  const base = `/api/v1/workspaces/${workspace.id}`
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(server, { method: 'POST', path: path.startsWith('/api') ? path : base + path, token, body, headers })
  return { server, workspace, token, base, post }
}

const problemsIn = (server: TestServer) =>
  server.journal.entries().flatMap(({ violations }) => violations.flatMap(({ problems }) => problems))

test('a valid request to each route causes no violation', async () => {
  const { server, workspace, token } = await start()
  for (const { route: _, ...request } of sampleRequests(workspace.id)) await call(server, { ...request, token })
  for (const route of inboundRoutes.filter(({ method }) => method === 'GET')) {
    const path = route.path.replace('{workspace}', String(workspace.id)).replace('{provider}', 'github')
    await call(server, { path: `/api${path.replace('{source}', 'website')}` })
  }
  expect(problemsIn(server)).toEqual([])
  expect(server.journal.entries().map(({ operation }) => operation)).toEqual([
    ...sampleRequests(workspace.id).map(({ route }) => route.operation),
    ...inboundRoutes.filter(({ method }) => method === 'GET').map(({ operation }) => operation),
  ])
  server.verify()
})

test('an unknown field is a violation with a suggestion', async () => {
  const { server, base, post } = await start()
  const { status } = await post('/tickets', { title: 'Printer', priorty: 'high' })
  expect(status).toBe(201)
  expect(server.journal.entries()[0]?.violations).toEqual([
    {
      side: 'request',
      operation: 'tickets.create',
      problems: [{ at: '$.priorty', message: 'The contract has no field priorty. Did you mean "priority"?' }],
    },
  ])
  expect(() => server.verify()).toThrow(
    [
      `Contract violation in the request #1 POST ${base}/tickets (tickets.create) → 201`,
      '    $.priorty: The contract has no field priorty. Did you mean "priority"?',
      "    If the test does this on purpose, call server.expectRequest({ operation: 'tickets.create', status: 201 }) after it, or turn the check off with contract: 'off'.",
    ].join('\n'),
  )
})

test.for([
  ['a missing field', '/tickets', {}, {}, '$.title', 'The title field is required.'],
  ['a wrong type', '/tickets', { title: 'A', assigned_to: '1' }, {}, '$.assigned_to', 'must be a number'],
  ['an element of a list', '/tasks', { title: 'A', tags: ['a', 7] }, {}, '$.tags[1]', 'must be a string'],
  ['malformed JSON', '/tickets', '{', {}, '$', 'The body is not JSON.'],
  ['a form', '/tickets', 'title=A', { 'content-type': 'application/x-www-form-urlencoded' }, 'content-type', 'is appl'],
  ['a query parameter', '/tickets?page=2', { title: 'A' }, {}, 'query', 'no query parameter "page"'],
  [
    'an unknown route',
    '/ticket',
    { title: 'A' },
    {},
    'path',
    'Did you mean POST /api/v1/workspaces/{workspace}/tickets?',
  ],
  ['an unknown method', '/projects', { name: 'A' }, {}, 'path', 'The contract has no POST'],
  ['a field of a punch', '/hrms/attendance/punch', { emploee_code: '7' }, {}, '$.emploee_code', '"employee_code"'],
  [
    'an unknown provider',
    '/api/webhooks/1/gitea',
    {},
    {},
    'path',
    '"gitea" must be one of: github, gitlab, bitbucket.',
  ],
  ['an unknown source', '/api/webhooks/1/leads/myspace', {}, {}, 'path', '"myspace" must be one of: website'],
] as const)('%s is reported with its location', async ([, path, body, headers, at, message]) => {
  const { server, post } = await start()
  await post(path, body, headers)
  expect(problemsIn(server)).toEqual([{ at, message: expect.stringContaining(message) }])
})

test('verify reports each violation once', async () => {
  const { server, post } = await start()
  await post('/tickets', { titel: 'A' })
  await post('/tasks', { title: 7 })
  expect(() => server.verify()).toThrow('2 problems:\n  - Contract violation')
  server.verify()
})

test('an error that the test expects by its status is not reported', async () => {
  const { server, post } = await start({ strict: { unexpectedErrors: true } })
  await post('/tickets', {})
  server.expectRequest({ operation: 'tickets.create', status: 422 })
  server.verify()
})

test('close() throws only in the mode "throw", after closing', async () => {
  const collecting = await start()
  await collecting.post('/tickets', {})
  await collecting.server.close()
  const throwing = await start({ contract: 'throw' })
  await throwing.post('/tickets', {})
  await expect(throwing.server.close()).rejects.toThrow('$.title: The title field is required.')
})

test('checks are on by default only with a seed', async () => {
  const plain = await createTestServer()
  const double = await createTestServer({ seed: 'empty' })
  for (const server of [plain, double]) await call(server, { path: '/api/v1/tickets' })
  plain.verify()
  await plain.close()
  expect(() => double.verify()).toThrow('The contract has no GET /api/v1/tickets.')
  await double.close()
})

test('other routes of the platform are not checked', async () => {
  const { server, token } = await start({ strict: { unknownRoutes: true } })
  for (const path of ['/docs', '/admin/v1/workspaces/1/nothing', '/livez'])
    await call(server, { path, token }).catch(() => undefined)
  server.verify()
})

test('a violation in a response asks for a bug report', async () => {
  const { answerProjects, violations } = startAnswering()
  expect(await answerProjects({ data: [{ id: '1' }], meta: {} })).toMatchObject([
    { side: 'response', operation: 'projects.list' },
  ])
  expect(() => violations.verify([])).toThrow(
    /^Contract violation in the response #1 GET \S+ \(projects\.list\) → 200\n.*\$\.data\[0\]\.id.*please report it\.$/s,
  )
})

test('violations in a response are found at every level', async () => {
  const { answerProjects } = startAnswering()
  const project = (changed: object) => ({ ...documented, ...changed })
  const placesOf = async (...data: unknown[]) =>
    (await answerProjects({ data })).flatMap(({ problems }) => problems.map(({ at }) => at))
  expect(await placesOf(project({}), project({ name: 'B' }))).toEqual([])
  expect(await placesOf(project({ color: 7 }), [], project({ created_at: 'now', more: 1 }))).toEqual([
    '$.data[0].color',
    '$.data[1]',
    '$.data[2].created_at',
    '$.data[2].more',
  ])
})

function startAnswering() {
  const violations = createContractViolations({ contract: 'collect' })
  const coverage = noCoverage()
  const { record, journal } = createJournalLayer({ clock: { now: () => 0 }, options: {}, violations, coverage })
  /** The violations of a response with this body. */
  async function answerProjects(body: object) {
    const { currentCapture: currentTrace } = await import('../../src/core/request-capture.ts')
    await record(
      toObservedRequest(new Request('http://service.test/api/v1/workspaces/1/projects'), undefined),
      async () => {
        Object.assign(currentTrace() ?? {}, { answer: JSON.stringify(body) })
        return Response.json(body)
      },
    )
    return journal.entries().at(-1)?.violations ?? []
  }
  return { answerProjects, violations }
}

test('an outbound event is checked when it is stored, except during a seed', async () => {
  const violations = createContractViolations({ contract: 'collect' })
  const wrong = JSON.stringify({ event: 'ticket.created', workspace_id: 1, timestamp: 'now', ticket: { id: 1 } })
  violations.checkEvent('ticket.created', wrong)
  violations.verify([])
  violations.startCheckingEvents()
  violations.checkEvent('ticket.created', wrong)
  expect(() => violations.verify([])).toThrow(
    /^Contract violation in the webhook ticket\.created\n.*\$\.ticket\.title.*please report it\.$/s,
  )
})

test('every event caused by the admin API matches the contract', async () => {
  const { server, workspace, post } = await start()
  await post('/tickets', { title: 'A' })
  await post('/tasks', { title: 'A' })
  const at = { workspace: workspace.id, id: 1 }
  await server.admin.tickets.update(at, { status: 'resolved' })
  await server.admin.tasks.update(at, { status: 'done' })
  const project = await server.admin.projects.create({ workspace: workspace.id }, { name: 'P' })
  await server.admin.projects.update({ workspace: workspace.id, id: project.id }, { name: 'Q' })
  server.verify()
  expect(
    new Set((await server.admin.events.list({ workspace: workspace.id })).data.toReversed().map(({ name }) => name))
      .size,
  ).toBe(6)
})

test('strict reports unexpected errors and unknown routes on request', async () => {
  const both = await start({ contract: 'off', strict: { unexpectedErrors: true, unknownRoutes: true } })
  await both.post('/tickets', {})
  await both.post('/nowhere', {})
  expect(() => both.server.verify()).toThrow(
    /^2 problems:\n {2}- Unexpected error response: #1 POST \S+ \(tickets\.create\) → 422 .*required.*\n {2}- Unknown route: #2 POST \S+nowhere → 404$/,
  )
  const neither = await start({ contract: 'off', strict: {} })
  await neither.post('/tickets', {})
  neither.server.verify()
})

test('responses of faults are neither violations nor unexpected errors', async () => {
  const { server, post, base, token } = await start({ strict: { unexpectedErrors: true } })
  server.faults.add({ match: { operation: 'tickets.create' }, respond: { status: 418, body: { odd: true } } })
  server.faults.add({ match: { operation: 'tickets.list' }, damage: 'malformed' })
  await post('/tickets', { title: 'Printer' })
  await server.fetch(`${base}/tickets`, { headers: { authorization: `Bearer ${token}` } })
  server.verify()
})

test('a fault that never applied is reported, even after a reset', async () => {
  const { server, post } = await start({ strict: { unusedFaults: true } })
  server.faults.add({ match: { operation: 'tickets.create' }, respond: 503, name: 'maintenance' })
  server.faults.add({ match: { operation: 'tasks.create' }, respond: 503, name: 'unused' })
  server.webhooks.deliveryFaults.add({ duplicate: true })
  await post('/tickets', { title: 'Printer' })
  const fork = await server.fork()
  await fork.close()
  await server.reset()
  expect(() => server.verify()).toThrow(
    '2 problems:\n  - A fault never applied: unused\n  - A fault never applied: deliveries {"duplicate":true}',
  )
  server.verify()
})

test('preflight requests are not checked', async () => {
  const { server, base } = await start()
  await server.fetch(`${base}/tickets`, { method: 'OPTIONS' })
  server.verify()
})
