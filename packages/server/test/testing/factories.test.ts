import { afterEach, expect, it } from 'vitest'
import { ApiError } from '../../src/index.ts'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'

const open: TestServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await createTestServer({ random: 1, clock: '2026-03-01T09:00:00Z', ...options })
  open.push(server)
  return server
}

const refusalOf = async (work: Promise<unknown>) => {
  const refusal = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(refusal).toBeInstanceOf(ApiError)
  return refusal as ApiError // just checked
}

it('creates a task with the workspace, project, and member that it needs', async () => {
  const server = await start()
  const task = await server.create.task()
  const [workspace] = (await server.admin.workspaces.list()).data.toReversed()
  expect(workspace?.name).toBe('Workspace 1')
  const [project] = (await server.admin.projects.list({ workspace: 1 })).data
  const [member] = (await server.admin.members.list({ workspace: 1 })).data.toReversed()
  expect(task).toMatchObject({
    project: { id: project?.id, name: project?.name },
    created_by: member?.id,
    status: 'todo',
  })
})

it('creates each parent once per workspace', async () => {
  const server = await start()
  await server.create.task()
  await server.create.deal()
  await server.create.message()
  await server.createMany.ticket(3)
  const other = await server.create.workspace()
  await server.create.task({ workspace: other })
  await server.create.task({ workspace: other })
  expect((await server.admin.workspaces.list()).data.toReversed()).toHaveLength(2)
  for (const id of [1, other.id]) {
    expect((await server.admin.members.list({ workspace: id })).data.toReversed()).toHaveLength(1)
    expect((await server.admin.projects.list({ workspace: id })).data).toHaveLength(1)
  }
  expect((await server.admin.channels.list({ workspace: 1 })).data.toReversed()).toHaveLength(1)
})

it('accepts relations as objects, ids, and names', async () => {
  const server = await start()
  const project = await server.create.project({ name: 'Website' })
  const member = await server.create.member({ email: 'ann@example.test' })
  const tasks = [
    await server.create.task({ project, assigned_to: member }),
    await server.create.task({ project: project.id, assigned_to: member.id }),
    await server.create.task({ project_id: 'Website', assigned_to: 'ann@example.test' }),
  ]
  for (const task of tasks) expect(task).toMatchObject({ project_id: project.id, assigned_to: member.id })
})

it('creates a record in the workspace of its relations', async () => {
  const server = await start()
  await server.create.project()
  const elsewhere = await server.create.workspace()
  const project = await server.create.project({ workspace: elsewhere })
  const ticket = await server.create.ticket({ project })
  expect(ticket.project).toEqual({ id: project.id, name: project.name })
  expect((await server.admin.tickets.list({ workspace: elsewhere.id })).data.map(({ id }) => id)).toEqual([ticket.id])
})

it('leaves a relation empty if it is null', async () => {
  const server = await start()
  expect(await server.create.task({ project: null, created_by: null })).toMatchObject({
    project: null,
    created_by: null,
  })
})

it('creates every kind of record', async () => {
  const server = await start()
  const { create } = server
  const created = [
    await create.workspace(),
    await create.member(),
    await create.token(),
    await create.project(),
    await create.ticket({ status: 'resolved' }),
    await create.task(),
    await create.channel(),
    await create.message(),
    await create.account(),
    await create.deal(),
    await create.leadSource(),
    await create.lead(),
    await create.employee(),
    await create.employee(),
    await create.device(),
    await create.punch({ direction: 'in' }),
    await create.slaPolicy(),
    await create.rule(),
    await create.integration({ kind: 'attendance' }),
    await create.integration({ kind: 'github', secret: 'hush' }),
    await create.errorReport({ message: 'Out of paper' }),
    await create.subscription(),
  ]
  expect(created).toHaveLength(22)
  expect(created[4]).toMatchObject({ status: 'resolved', ticket_number: 'TKT-00001' })
  expect(created[15]).toMatchObject({ recorded: true, action: 'check_in' })
  expect(created[20]).toMatchObject({ received: true, ticket_created: true })
})

it('returns records in the shape of the API', async () => {
  const server = await start()
  const { token } = await server.tokens.issue()
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' }
  const answer = await server.fetch('/api/v1/workspaces/1/tickets', {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'A' }),
  })
  const { data }: { data: object } = await answer.json()
  expect(Object.keys(await server.create.ticket())).toEqual(Object.keys(data))
})

it('fixes ids and creation times', async () => {
  const server = await start()
  const ticket = await server.create.ticket({ id: 4711, created_at: '2026-02-01T10:00:00.000001Z', tags: ['a'] })
  expect(ticket).toMatchObject({ id: 4711, created_at: '2026-02-01T10:00:00.000001Z' })
  expect(await server.create.ticket()).toMatchObject({ id: 4712, created_at: '2026-03-01T09:00:00.000000Z' })
  const [event] = (await server.admin.events.list({ workspace: 1 })).data.toReversed()
  expect(JSON.parse(event?.body ?? '')).toMatchObject({ ticket: { id: 4711 }, timestamp: '2026-02-01T10:00:00+00:00' })
  const refusal = await refusalOf(server.create.ticket({ id: 4712 }))
  expect(refusal.errors).toEqual({ id: ['The id 4712 is too low: ids only increase, and the next one is 4713.'] })
})

it('refuses a record that is older than the newest one, because lists show the newest first', async () => {
  const server = await start()
  await server.create.ticket({ created_at: '2026-02-01T10:00:00Z' })
  await server.create.ticket({ created_at: '2026-02-01T10:00:00Z' })
  await server.create.project({ created_at: '2026-01-01T00:00:00Z' })
  const refusal = await refusalOf(server.create.ticket({ created_at: '2026-02-01T09:59:59Z' }))
  expect(refusal.errors).toEqual({
    created_at: [
      'The newest ticket is of 2026-02-01T10:00:00.000000Z. Lists show the newest first, so this one must not be older.',
    ],
  })
  const other = await server.create.workspace({ name: 'Other' })
  expect(await server.create.ticket({ workspace: other, created_at: '2025-01-01T00:00:00Z' })).toMatchObject({ id: 3 })
})

it('refuses a time after the clock, which the next record would stand below, and a change before the creation', async () => {
  const server = await start()
  const late = '2026-03-01T09:00:00.000001Z'
  const message =
    'The clock of the server is at 2026-03-01T09:00:00.000000Z. Lists show the newest first, so this must not be later. Move the clock there first.'
  expect((await refusalOf(server.create.ticket({ created_at: late }))).errors).toEqual({ created_at: [message] })
  const changed = { status: 'resolved', updated_at: late } as const
  expect((await refusalOf(server.create.ticket(changed))).errors).toEqual({ updated_at: [message] })
  expect((await refusalOf(server.create.errorReport({ created_at: late }))).errors).toEqual({ created_at: [message] })
  const early = { ...changed, created_at: '2026-02-02T00:00:00Z', updated_at: '2026-02-01T00:00:00Z' }
  expect((await refusalOf(server.create.ticket(early))).errors).toEqual({
    updated_at: ['The ticket is created at 2026-02-02T00:00:00.000000Z, so it cannot have changed before.'],
  })
  const seeded = createTestServer({
    clock: '2026-03-01T09:00:00Z',
    seed: { workspaces: [{ name: 'A', tickets: [{ created_at: late }, early] }] },
  })
  await expect(seeded).rejects.toMatchObject({
    problems: [
      'workspaces[0].tickets[1].updated_at: The ticket is created at 2026-02-02T00:00:00.000000Z, so it cannot have changed before.',
      `workspaces[0].tickets[0].created_at: ${message}`,
    ],
  })
})

it.each<[string, (server: TestServer) => Promise<unknown>, string]>([
  [
    'a promise of fields',
    (server) => server.create.ticket(Promise.resolve({ title: 'A' }) as never),
    '`create.ticket` needs an object with fields, not a Promise. Await it first.',
  ],
  [
    'an async function',
    (server) => server.createMany.ticket(2, (async () => ({ title: 'A' })) as never),
    'The function of `createMany.ticket` must return an object with fields, not a Promise. Await it first.',
  ],
  [
    'a negative count',
    (server) => server.createMany.ticket(-1),
    '`createMany.ticket` creates a whole number of records from 0 to 1000000; it was -1.',
  ],
  ['a huge count', (server) => server.createMany.ticket(1e9), 'from 0 to 1000000; it was 1000000000.'],
])('refuses %s', async (_, create, message) => {
  const server = await start()
  await expect(create(server)).rejects.toThrow(message)
  expect(await server.create.ticket()).toMatchObject({ id: 1 })
})

it('accepts the time of the machine while the clock runs', async () => {
  await using server = await createTestServer()
  expect(await server.create.ticket({ created_at: new Date().toISOString() })).toMatchObject({ id: 1 })
})

it('names the field of invalid input and creates nothing', async () => {
  const server = await start()
  const refusals = {
    title: () => server.create.ticket({ title: 'x'.repeat(256) }),
    'tags.1': () => server.create.ticket({ tags: ['a', ''] }),
    project: () => server.create.task({ project: 'Nowhere' }),
    assigned_to: () => server.create.task({ assigned_to: 99 }),
    due_at: () => server.create.task({ due_at: 'tomorrow' }),
    created_at: () => server.create.project({ created_at: '2026-02-30T09:00:00Z' }),
    timestamp: () => server.create.punch({ timestamp: '2026-02-30T09:00:00Z' }),
    expires_at: () => server.create.token({ expires_at: '2026-02-30T09:00:00Z' }),
    time_zone: () => server.create.workspace({ time_zone: 'Mars/Base' }),
    token: () => server.create.token({ token: 'short' }),
    workspace: () => server.create.member({ workspace: 'None' }),
  }
  for (const [field, refused] of Object.entries(refusals)) {
    const { code, errors } = await refusalOf(refused())
    expect([code, ...Object.keys(errors ?? {})]).toEqual(['validation', field])
  }
  expect((await server.admin.workspaces.list()).data.toReversed()).toEqual([])
})

it('sets no limit for an omitted SLA target', async () => {
  const server = await start()
  const policy = await server.create.slaPolicy({ priority: 'urgent', first_response_minutes: 5 })
  expect(policy).toMatchObject({ first_response_minutes: 5, resolution_minutes: null })
  expect(await server.create.slaPolicy()).toMatchObject({ first_response_minutes: null, resolution_minutes: null })
})

it('suggests the right name for an unknown field', async () => {
  const server = await start()
  const misspelled: object = { titel: 'A' }
  expect((await refusalOf(server.create.ticket(misspelled))).errors).toEqual({
    titel: ['There is no field titel here. Did you mean title?'],
  })
})

it('creates many records or none, and names the invalid one', async () => {
  const server = await start()
  const tickets = await server.createMany.ticket(1000, (index) => ({ title: `Ticket ${index}` }))
  expect(tickets.map(({ title }) => title).slice(-2)).toEqual(['Ticket 998', 'Ticket 999'])
  const refusal = await refusalOf(server.createMany.ticket(5, (index) => ({ title: index === 3 ? '' : 'Fine' })))
  expect(refusal.errors).toEqual({ '3.title': ['The title field is required.'] })
  expect((await server.create.ticket()).ticket_number).toBe('TKT-01001')
})

it('creates the same records in every run', async () => {
  const make = async () => {
    const server = await start()
    const { create } = server
    return [await create.token(), await create.deal(), await create.lead(), await create.device(), await create.punch()]
  }
  expect(await make()).toEqual(await make())
})

it('issues tokens with an expiry, scopes, and a user, and revokes them', async () => {
  const server = await start()
  const workspace = await server.create.workspace()
  const status = async (token: string, path = 'tickets') => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    return (await server.fetch(`/api/v1/workspaces/${workspace.id}/${path}`, { headers })).status
  }
  const user = await server.create.member({ name: 'Ann' })
  const shortLived = await server.tokens.issue({ workspace, user, expiresIn: '1h' })
  expect(shortLived).toMatchObject({ user_id: user.id, expires_at: '2026-03-01T10:00:00.000000Z' })
  const narrow = await server.tokens.issue({ scopes: ['projects:read'], token: 'service_test_narrow' })
  expect([
    await status(shortLived.token),
    await status(narrow.token),
    await status('service_test_narrow', 'projects'),
  ]).toEqual([200, 403, 200])
  await server.clock.advance('61m')
  expect(await status(shortLived.token)).toBe(401)
  await server.tokens.revoke(narrow.token)
  expect(await status(narrow.token, 'projects')).toBe(401)
  const another = await server.tokens.issue()
  expect((await server.tokens.revoke(another)).revoked_at).not.toBeNull()
})

it('rejects a token in the test format that was not issued', async () => {
  const server = await start()
  await server.create.workspace()
  const headers = { authorization: 'Bearer service_test_guess', accept: 'application/json' }
  expect((await server.fetch('/api/v1/workspaces/1/tickets', { headers })).status).toBe(401)
})
