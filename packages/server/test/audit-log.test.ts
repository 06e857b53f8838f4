import { expect, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { freshDirectory } from './fresh-directory.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, onEveryTestStore } from './on-every-store.ts'
import { askAdmin, goodPassword, signedIn } from './people.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'admin-token-of-enough-characters'

onEveryStore('the audit log', (start) => {
  test('records who changed what, from which address, and the values before and after', async () => {
    const server = await start({ adminToken })
    const { workspace, member } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email, role: 'owner' })
    const path = `/workspaces/${workspace.id}/members/${member.id}`
    const headers = { 'x-request-id': 'request-of-ada' }
    await askAdmin(server, ada.token, ['PATCH', path, { role: 'viewer' }], headers)
    await askAdmin(server, adminToken, ['PATCH', path, { role: 'admin' }])
    await askAdmin(server, adminToken, ['PATCH', path, { role: 'owner' }], { 'user-agent': 'service-server-cli/1.0' })
    const { data } = await server.admin.auditLog.list({ workspace: workspace.id }, { operation: 'members.update' })
    expect(data).toMatchObject([
      { actor: 'command_line', before: { role: 'admin' }, after: { role: 'owner' } },
      { actor: 'instance_token', before: { role: 'viewer' }, after: { role: 'admin' } },
      {
        actor: `person:${ada.id}`,
        actor_name: 'Ada',
        via: `session:${ada.sessionId}`,
        address: 'in-process',
        workspace_id: workspace.id,
        resource: String(member.id),
        before: { role: 'admin' },
        after: { role: 'viewer' },
        request_id: 'request-of-ada',
      },
    ])
    expect(Object.keys(data[2]?.before ?? {})).toEqual(['role'])
  })

  test('has an entry for each change, and none for reads, refusals, and rollbacks', async () => {
    const server = await start({ adminToken })
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const before = (await server.admin.auditLog.listAll({ limit: 200 })).data.length
    await server.admin.tickets.list(at)
    await expect(server.admin.projects.create(at, { name: '' })).rejects.toMatchObject({ status: 422 })
    await expect(server.admin.projects.update({ ...at, id: 999 }, { name: 'A' })).rejects.toMatchObject({ status: 404 })
    const { id } = await server.admin.projects.create(at, { name: 'Relaunch' })
    const { id: ticket } = await server.admin.tickets.create(at, { title: 'A' })
    const made = (await server.admin.auditLog.listAll({ limit: 200 })).data.slice(0, -before)
    expect(made.map(({ operation, resource }) => [operation, resource])).toEqual([
      ['tickets.create', String(ticket)],
      ['projects.create', String(id)],
    ])
    expect(made.at(-1)).toMatchObject({ actor: 'in_process', before: null, after: { name: 'Relaunch' } })
  })

  test('contains no token, link, or password, and of a receiver only its name and origin', async () => {
    const server = await start({ encryptionKey: 'a key of thirty-two characters at least' })
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const ada = await signedIn(server, 'Ada')
    const next = 'another good password'
    await askAdmin(server, ada.token, ['PATCH', '/users/me', { password: next, current_password: goodPassword }])
    const { token } = await server.admin.tokens.create(at, { user_id: member.id, scopes: ['tickets:read'] })
    const { secret: errors } = await server.admin.integrations.rotateSecret({ ...at, integration: 'errors' })
    const { id, secret } = await server.admin.webhooks.create(at, {
      url: 'https://example.com/key-in-the-path',
      events: ['*'],
      description: 'Billing',
    })
    await server.admin.webhooks.update({ ...at, id }, { url: 'https://other.example/key-in-the-path' })
    const rotated = await server.admin.webhooks.rotateSecret({ ...at, id }, {})
    const text = JSON.stringify((await server.admin.auditLog.listAll({ limit: 200 })).data)
    for (const hidden of [ada.token, goodPassword, next, token, errors, secret, rotated.secret, 'key-in-the-path'])
      expect(text).not.toContain(hidden)
    const [changed] = (await server.admin.auditLog.listAll({ operation: 'account.update' })).data
    expect(changed).toMatchObject({ actor: `person:${ada.id}`, after: { password: '***' } })
    const [moved] = (await server.admin.auditLog.listAll({ operation: 'webhooks.update' })).data
    expect(moved).toMatchObject({
      ...{ resource_name: 'Billing', before: { url: 'https://example.com/***' } },
      after: { url: 'https://other.example/***' },
    })
  })

  test('names people who sign in, and the API token of a webhook change with its user', async () => {
    const server = await start({ encryptionKey: 'a key of thirty-two characters at least' })
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const ada = await signedIn(server, 'Ada')
    const { id, token } = await server.admin.tokens.create(at, { user_id: member.id, scopes: ['webhooks:manage'] })
    const hook = { url: 'https://example.com/x', events: ['*'] }
    const made = await askAdmin(server, token, ['POST', `/workspaces/${workspace.id}/webhooks`, hook])
    expect(made.status).toBe(201)
    const entryOf = async (operation: string) => (await server.admin.auditLog.listAll({ operation })).data[0]
    expect(await entryOf('webhooks.create')).toMatchObject({
      ...{ actor: `api_token:${id}`, actor_name: member.name, via: null, workspace_id: workspace.id },
    })
    expect(await entryOf('sessions.create')).toMatchObject({ actor: `person:${ada.id}`, actor_name: 'Ada' })
  })

  test('can be filtered by actor, operation, and time, and paginated', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const ada = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const create = (name: string) => askAdmin(server, ada.token, ['POST', '/workspaces', { name }])
    await create('A')
    clock.advance(3_600_000_000)
    const since = new Date(clock.now() / 1000).toISOString()
    await create('B')
    await create('C')
    const names = async (query: object) =>
      (await server.admin.auditLog.listAll(query)).data.map(({ after }) => after?.['name'])
    const actor = `person:${ada.id}`
    expect(await names({ actor, operation: 'workspaces.create' })).toEqual(['C', 'B', 'A'])
    expect(await names({ actor, operation: 'workspaces.create', since })).toEqual(['C', 'B'])
    expect(await names({ actor, operation: 'workspaces.create', until: since })).toEqual(['A'])
    expect(await names({ actor: 'person:999' })).toEqual([])
    const first = await server.admin.auditLog.listAll({ operation: 'workspaces.create', limit: 2 })
    expect(await names({ operation: 'workspaces.create', before: first.next_before })).toEqual(['A'])
    expect((await askAdmin(server, ada.token, ['GET', '/audit-log?since=yesterday'])).status).toBe(422)
  })

  test('is exported as one JSON object per line, oldest first, limited to the workspace', async () => {
    const server = await start({ adminToken })
    const acme = await seedWorkspace(server, { name: 'Acme' })
    const umbrella = await seedWorkspace(server, { name: 'Umbrella' })
    for (let count = 0; count < 210; count += 1)
      await server.admin.projects.create({ workspace: acme.workspace.id }, { name: `P${count}` })
    const read = async (path: string) => {
      const response = await server.fetch(`http://platform.example/admin/v1${path}`, {
        headers: { authorization: `Bearer ${adminToken}` },
      })
      expect(response.headers.get('content-type')).toBe('application/x-ndjson')
      return (await response.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    const all = await read('/audit-log/export')
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b))
    const own = await read(`/workspaces/${acme.workspace.id}/audit-log/export?operation=projects.create`)
    expect(own).toHaveLength(210)
    const other = await read(`/workspaces/${umbrella.workspace.id}/audit-log/export`)
    expect(new Set(other.map(({ workspace_id }) => workspace_id))).toEqual(new Set([umbrella.workspace.id]))
    const posted = await call(server, { method: 'POST', path: '/admin/v1/audit-log/export', token: adminToken })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

onEveryStore(
  'entries of the audit log',
  (_start, store) => {
    test('cannot be changed or deleted by any statement', async () => {
      const { server, tables } = await startWithTables(store)
      await seedWorkspace(server)
      const read = () => tables.rows('select * from audit_log order by id')
      const before = await read()
      expect(before.length).toBeGreaterThan(0)
      const values = "(1, 0, 'x', 'x', 'x', 'x')"
      const columns = '(id, at, actor, address, operation, request_id)'
      const attempts = [
        "update audit_log set actor = 'person:1'",
        'delete from audit_log',
        `insert into audit_log ${columns} values ${values} on conflict (id) do update set actor = 'x'`,
        'delete from audit_retention',
        ...(store === 'sqlite'
          ? [`insert or replace into audit_log ${columns} values ${values}`]
          : ['truncate audit_log', 'truncate audit_retention']),
      ]
      for (const attempt of attempts) await expect(tables.rows(attempt)).rejects.toThrow('append-only')
      expect(await read()).toEqual(before)
    })
  },
  onDisk,
)

onEveryTestStore('the retention of the audit log', (start) => {
  test('keeps entries indefinitely, or for the configured number of days', async () => {
    for (const auditRetentionDays of [undefined, 30]) {
      const clock = manualClock()
      const server = await start({ clock, ...(auditRetentionDays && { auditRetentionDays }) })
      await server.admin.workspaces.create({ name: 'Old' })
      clock.advance(20 * 86_400_000_000)
      await server.admin.workspaces.create({ name: 'New' })
      clock.advance(11 * 86_400_000_000)
      await server.deliveries.runDue()
      const { data } = await server.admin.auditLog.listAll()
      expect(data.map(({ after }) => after?.['name'])).toEqual(auditRetentionDays ? ['New'] : ['New', 'Old'])
    }
  })

  test('is not shortened by manual pruning', async () => {
    const clock = manualClock()
    const server = await start({ clock, auditRetentionDays: 30 })
    await server.admin.workspaces.create({ name: 'Old' })
    clock.advance(31 * 86_400_000_000)
    expect(await server.admin.system.prune()).toEqual({ removed: 1, done: true })
    const { data } = await server.admin.auditLog.listAll()
    expect(data.map(({ operation }) => operation)).toEqual(['system.prune'])
  })
})

test('the command line is the actor when it opens the database directly', async () => {
  const data = await freshDirectory()
  const create = ['workspace', 'create', '--name', 'Acme', '--data', data]
  await (await createServer({ data })).close()
  expect(await runHere(create, {})).toMatchObject({ code: 0 })
  await using server = await createServer({ data })
  const { data: entries } = await server.admin.auditLog.listAll({ operation: 'workspaces.create' })
  expect(entries).toMatchObject([{ actor: 'command_line', after: { name: 'Acme' } }])
})
