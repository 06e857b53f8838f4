import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { collectedLog } from './collected-log.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage, onEveryStore } from './on-every-store.ts'
import { openTables, startWithTables } from './tables.ts'
import { call, clientOf, seedWorkspace } from './workspace.ts'

onEveryStore('a list that is asked for again', (start) => {
  const startAsking = async () => {
    const server = await start({ rateLimit: 'off' })
    const { workspace, member, token } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const ask = async (list: string, headers: Record<string, string> = {}) =>
      call(server, { path: `/api/v1/workspaces/${workspace.id}/${list}`, token, headers })
    return { server, at, member, token, ask }
  }

  test('shows every change whose response was sent before', async () => {
    const { server, at, member, token, ask } = await startAsking()
    const { admin } = server
    const client = clientOf(server, { workspace: { id: at.workspace }, token })
    const project = await admin.projects.create(at, { name: 'Old name' })
    const account = await admin.accounts.create(at, { name: 'Old account' })
    const { id } = await client.tickets.create({ title: 'First', project_id: project.id, assigned_to: member.id })
    const employee = await admin.employees.create(at, {
      name: 'Emma',
      email: 'emma@acme.example',
      employee_code: 'E-1',
    })
    const deal = await admin.deals.create(at, { title: 'Old deal', account_id: account.id })
    const changes: readonly [list: string, change: () => PromiseLike<unknown>, shown: string][] = [
      ['tickets', () => client.tickets.create({ title: 'Second' }), '"Second"'],
      ['tickets', () => admin.tickets.update({ ...at, id }, { title: 'First, renamed' }), '"First, renamed"'],
      ['tickets', () => admin.tickets.update({ ...at, id }, { status: 'resolved' }), '"resolved"'],
      ['tickets', () => admin.members.update({ ...at, id: member.id }, { name: 'Ada, renamed' }), '"Ada, renamed"'],
      ['projects', () => admin.projects.update({ ...at, id: project.id }, { name: 'New name' }), '"New name"'],
      ['projects', () => admin.projects.create(at, { name: 'Another' }), '"Another"'],
      ['hrms/employees', () => admin.employees.create(at, { name: 'Noor', email: 'noor@acme.example' }), '"Noor"'],
      [
        'hrms/employees',
        () => admin.employees.update({ ...at, id: employee.id }, { department: 'Research' }),
        '"Research"',
      ],
      ['crm/deals', () => admin.accounts.update({ ...at, id: account.id }, { name: 'New account' }), '"New account"'],
      ['crm/deals', () => admin.deals.update({ ...at, id: deal.id }, { stage: 'won' }), '"won"'],
    ]
    for (const [list, change, shown] of changes) {
      const before = await ask(list)
      expect(JSON.stringify((await ask(list)).body)).toEqual(JSON.stringify(before.body))
      expect(JSON.stringify(before.body)).not.toContain(shown)
      await change()
      const after = await ask(list, { 'if-none-match': before.headers.get('etag') ?? '"none"' })
      expect([list, after.status, JSON.stringify(after.body)]).toEqual([list, 200, expect.stringContaining(shown)])
    }
    expect((await ask('crm/deals')).body.data).toHaveLength(1)
    await admin.deals.delete({ ...at, id: deal.id })
    expect((await ask('crm/deals')).body.data).toEqual([])
  })

  test('shows the new name of a person that another workspace has changed', async () => {
    const { server, at, token, ask } = await startAsking()
    const { admin } = server
    const person = { name: 'Noor', email: 'noor@acme.example' }
    const { id } = await admin.members.create(at, person)
    await clientOf(server, { workspace: { id: at.workspace }, token }).tickets.create({
      title: 'First',
      assigned_to: id,
    })
    const other = await admin.workspaces.create({ name: 'Globex', time_zone: 'UTC' })
    await admin.members.create({ workspace: other.id }, person)
    expect(JSON.stringify((await ask('tickets')).body)).toContain('"Noor"')
    await admin.members.update({ workspace: other.id, id }, { name: 'Noor, renamed' })
    expect(JSON.stringify((await ask('tickets')).body)).toContain('"Noor, renamed"')
  })

  test('shows records only to tokens of their workspace', async () => {
    const { server, ask } = await startAsking()
    const other = await seedWorkspace(server, { name: 'Globex' })
    await server.admin.tickets.create({ workspace: other.workspace.id }, { title: 'Theirs' })
    const theirs = { path: `/api/v1/workspaces/${other.workspace.id}/tickets`, token: other.token }
    expect((await call(server, theirs)).body.data).toHaveLength(1)
    expect((await ask('tickets')).body.data).toEqual([])
    expect((await call(server, { ...theirs, token: 'service_nobody' })).status).toBe(401)
    expect((await call(server, theirs)).body.data).toHaveLength(1)
  })
})

onEveryStore(
  'a list on SQLite',
  (start) => {
    test('has an ETag that changes with it, and returns 304 while unchanged', async () => {
      const server = await start()
      const { workspace, token } = await seedWorkspace(server)
      const other = await seedWorkspace(server, { name: 'Globex' })
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const first = await call(server, { path, token })
      const etag = first.headers.get('etag') ?? ''
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await call(server, { path, token, headers: { 'if-none-match': tag } })
        expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag])
      }
      // Changes in another workspace do not affect it.
      const theirs = `/api/v1/workspaces/${other.workspace.id}/tickets`
      await call(server, { method: 'POST', path: theirs, token: other.token, body: { title: 'Theirs' } })
      expect((await call(server, { path, token, headers: { 'if-none-match': etag } })).status).toBe(304)
      await call(server, { method: 'POST', path, token, body: { title: 'Ours' } })
      const changed = await call(server, { path, token, headers: { 'if-none-match': etag } })
      expect([changed.status, changed.body.data.length]).toEqual([200, 1])
    })
  },
  ['memory', 'sqlite'],
)

test('a list shows what another process wrote to the database file', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { workspace, token } = await seedWorkspace(server)
  await server.admin.tickets.create({ workspace: workspace.id }, { title: 'Before' })
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  expect((await call(server, { path, token })).body.data).toMatchObject([{ title: 'Before' }])
  await tables.rows("update tickets set title = 'After'")
  expect((await call(server, { path, token })).body.data).toMatchObject([{ title: 'After' }])
})

onEveryStore('what is kept of lists and tokens', (start) => {
  test('contains nothing from a rolled-back transaction', async () => {
    const seen: unknown[] = []
    let ask = async (): Promise<{ status: number; body: { data?: { title: string }[] } }> => ({ status: 0, body: {} })
    const server = await start({
      rateLimit: 'off',
      log: collectedLog(),
      hooks: {
        async ticketCreated({ title }, admin) {
          if (title !== 'Undone') return
          seen.push((await ask()).body.data?.length)
          const { data } = await admin.tokens.list({ workspace: 1 })
          for (const { id } of data) await admin.tokens.revoke({ workspace: 1, id })
          seen.push((await ask()).status)
          throw new Error('Undo it.')
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    ask = () => call(server, { path, token })
    expect((await call(server, { method: 'POST', path, token, body: { title: 'Kept' } })).status).toBe(201)
    expect((await call(server, { method: 'POST', path, token, body: { title: 'Undone' } })).status).toBe(500)
    expect(seen).toEqual([2, 401])
    const { status, body } = await ask()
    expect([status, body.data?.map(({ title }) => title)]).toEqual([200, ['Kept']])
  })

  test('rejects a token that is no longer valid', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const make = async () => {
      const expires_at = new Date(clock.now() / 1000 + 3_600_000).toISOString()
      const { id, token } = await server.admin.tokens.create(at, {
        user_id: member.id,
        scopes: ['tickets:read', 'tickets:write'],
        expires_at,
      })
      const ask = () => call(server, { method: 'POST', path, token, body: { title: 'A' } })
      for (let time = 0; time < 2; time += 1) expect((await ask()).status).toBe(201)
      return { id, ask }
    }
    const revoked = await make()
    await server.admin.tokens.revoke({ ...at, id: revoked.id })
    expect((await revoked.ask()).status).toBe(401)

    const renamed = await make()
    await server.admin.users.update({ id: member.id }, { name: 'Ada, renamed' })
    expect((await renamed.ask()).body).toMatchObject({ data: { creator: { name: 'Ada, renamed' } } })

    await server.admin.users.update({ id: member.id }, { disabled: true })
    expect((await renamed.ask()).status).toBe(401)
    await server.admin.users.update({ id: member.id }, { disabled: false })

    const expired = await make()
    clock.advance(2 * 3_600_000_000)
    expect((await expired.ask()).status).toBe(401)
  })
})

onEveryStore('an integration that has just received', (start) => {
  test('refuses the next delivery after it is disabled or its secret changes', async () => {
    const server = await start({ rateLimit: 'off' })
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id, integration: 'errors' } as const
    const { secret } = await server.admin.integrations.rotateSecret(at)
    const report = async (given: string) => {
      const headers = { 'x-service-webhook-secret': given }
      const path = `/api/webhooks/${workspace.id}/errors`
      return (await call(server, { method: 'POST', path, headers, body: { message: 'Broken' } })).status
    }
    expect([await report(secret), await report(secret)]).toEqual([200, 200])
    const fresh = await server.admin.integrations.rotateSecret(at)
    expect([await report(secret), await report(fresh.secret)]).toEqual([401, 200])
    await server.admin.integrations.update(at, { enabled: false })
    expect(await report(fresh.secret)).toBe(404)
    await server.admin.integrations.update(at, { enabled: true })
    expect(await report(fresh.secret)).toBe(200)
  })
})

test('a token that another process deleted from the database file is refused', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { workspace, token } = await seedWorkspace(server)
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  for (let time = 0; time < 2; time += 1) expect((await call(server, { path, token })).status).toBe(200)
  await tables.rows('delete from api_tokens')
  expect((await call(server, { path, token })).status).toBe(401)
})

test('a server in a separate process shows what another one wrote since the last request', async () => {
  const place = await createStorage('sqlite')
  const { server } = await startServer({ ...place.options, drainIdleMs: 0 }, { ownProcess: true })
  const tables = await openTables(place.options)
  onTestFinished(async () => {
    await tables.close()
    await server.close()
    await place.remove()
  })
  const { workspace, token } = await seedWorkspace(server)
  await server.admin.tickets.create({ workspace: workspace.id }, { title: 'Before' })
  // Now the index contains the ticket, and the server does not write while this thread waits for the lock.
  await server.admin.tickets.list({ workspace: workspace.id }, { search: 'before' })
  const { url } = await server.listen()
  const ask = () =>
    fetch(`${url}/api/v1/workspaces/${workspace.id}/tickets`, { headers: { authorization: `Bearer ${token}` } })
  for (const title of ['First', 'Second', 'Third']) {
    await tables.rows(`update tickets set title = '${title}'`)
    expect(await (await ask()).json()).toMatchObject({ data: [{ title }] })
  }
  await tables.rows('delete from api_tokens')
  expect((await ask()).status).toBe(401)
})
