import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { onDisk, startWithTables } from './tables.ts'
import { seedWorkspace } from './workspace.ts'

const adminToken = 'admin-token-of-enough-characters'

test('a project is refused that is due before it starts; one that is stored so keeps its dates in other changes', async () => {
  const { server, tables } = await startWithTables('sqlite')
  const { workspace } = await seedWorkspace(server)
  const at = { workspace: workspace.id }
  const { id } = await server.admin.projects.create(at, { name: 'Move', starts_at: '2026-11-20', due_at: '2026-11-20' })
  const refusal = { status: 422, errors: { due_at: [expect.stringContaining('before the start')] } }
  await expect(server.admin.projects.update({ ...at, id }, { due_at: '2026-11-19' })).rejects.toMatchObject(refusal)
  await expect(
    server.admin.projects.create(at, { name: 'Move', starts_at: '2026-11-20', due_at: '2026-01-01' }),
  ).rejects.toMatchObject(refusal)
  await tables.rows("update projects set due_at = '2026-01-01'")
  expect(await server.admin.projects.update({ ...at, id }, { name: 'Stay' })).toMatchObject({ due_at: '2026-01-01' })
  expect(await server.admin.projects.update({ ...at, id }, { due_at: null })).toMatchObject({ due_at: null })
})

onEveryStore('If-Match', (start) => {
  test('accepts a change if the record has not changed since', async () => {
    const server = await start({ adminToken })
    const { workspace } = await seedWorkspace(server)
    const { id } = await server.admin.projects.create({ workspace: workspace.id }, { name: 'A' })
    const path = `/workspaces/${workspace.id}/projects/${id}`
    const patch = (name: string, ifMatch: string) =>
      askAdmin(server, adminToken, ['PATCH', path, { name }], { 'if-match': ifMatch })
    const read = await askAdmin(server, adminToken, ['GET', path])
    const etag = read.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    const changed = await patch('B', etag)
    expect(changed).toMatchObject({ status: 200, body: { name: 'B' } })
    expect(await patch('C', etag)).toMatchObject({
      status: 412,
      body: { message: 'This has changed since it was read. Get it again and repeat the change.' },
    })
    expect((await patch('C', `W/${changed.headers.get('etag')}`)).status).toBe(412)
    expect((await patch('C', `"other", ${changed.headers.get('etag')}`)).status).toBe(200)
    expect((await patch('D', '*')).status).toBe(200)
    const gone = askAdmin(server, adminToken, ['PATCH', `${path}9`, { name: 'E' }], { 'if-match': '*' })
    expect((await gone).status).toBe(412)
    expect((await server.admin.projects.get({ workspace: workspace.id, id })).name).toBe('D')
  })

  test('accepts a change that has already taken effect', async () => {
    const server = await start({ adminToken })
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const lead = await server.admin.leads.create(at, { name: 'Ada', source: 'website' })
    const leadPatch = { notes: 'Call back', company: null, estimated_value: 12.5 }
    const mapping = { ignore_when: 'svc' }
    for (const [below, patch, other] of [
      ['', { name: 'Southwind', currency: 'EUR' }, { currency: 'USD' }],
      [`/leads/${lead.id}`, leadPatch, { estimated_value: null }],
      ['/integrations/errors', { mapping }, { mapping: null }],
    ] as const) {
      const path = `/workspaces/${workspace.id}${below}`
      const etag = (await askAdmin(server, adminToken, ['GET', path])).headers.get('etag') ?? ''
      const change = async (body: object) =>
        (await askAdmin(server, adminToken, ['PATCH', path, body], { 'if-match': etag })).status
      expect([below, await change(patch), await change(patch), await change(other)]).toEqual([below, 200, 200, 412])
    }
  })

  test('accepts one of two concurrent changes; the other is a ConflictError in the client', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const { id } = await server.admin.projects.create(at, { name: 'A' })
    const { meta } = await server.admin.projects.get({ ...at, id }).withMeta()
    const headers = { 'if-match': meta.headers['etag'] ?? '' }
    const results = await Promise.all(
      ['B', 'C', 'D'].map((name) => server.admin.projects.update({ ...at, id }, { name }, { headers }).safe()),
    )
    expect(results.map((result) => (result.ok ? 'ok' : result.error.name)).toSorted()).toEqual([
      'ConflictError',
      'ConflictError',
      'ok',
    ])
  })

  test('ignores fields that change through use', async () => {
    const server = await start({ adminToken })
    const { workspace, token } = await seedWorkspace(server)
    const [issued] = (await server.admin.tokens.list({ workspace: workspace.id })).data
    const path = `/workspaces/${workspace.id}/tokens/${issued?.id}`
    const tag = async () => (await askAdmin(server, adminToken, ['GET', path])).headers.get('etag')
    const before = await tag()
    await server.fetch(`http://platform.example/api/v1/workspaces/${workspace.id}/tickets`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await tag()).toBe(before)
  })
})

onEveryStore('an Idempotency-Key', (start) => {
  test('makes a repeated POST take effect once per caller and route', async () => {
    const server = await start({ adminToken })
    const { workspace } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const path = `/workspaces/${workspace.id}/projects`
    const post = (token: string, name: string) =>
      askAdmin(server, token, ['POST', path, { name }], { 'idempotency-key': 'key-1' })
    const first = await post(adminToken, 'A')
    const again = await post(adminToken, 'A')
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect((await post(adminToken, 'B')).status).toBe(422)
    const other = await post(ada.token, 'A')
    expect([other.status, other.body.id === first.body.id]).toEqual([201, false])
    const { data } = await server.admin.auditLog.list({ workspace: workspace.id }, { operation: 'projects.create' })
    expect(data).toHaveLength(2)
  })
})

onEveryStore(
  'an answer with a secret that is stored under a key',
  (_start, store) => {
    test('is stored encrypted and replayed unchanged', async () => {
      const { server, tables } = await startWithTables(store, {
        adminToken,
        encryptionKey: 'a key of thirty-two characters at least',
      })
      const { workspace, member } = await seedWorkspace(server)
      const create = () =>
        askAdmin(
          server,
          adminToken,
          ['POST', `/workspaces/${workspace.id}/tokens`, { user_id: member.id, scopes: ['tickets:read'] }],
          { 'idempotency-key': 'key-1' },
        )
      const first = await create()
      expect(await create()).toMatchObject({ status: 201, body: first.body })
      const stored = JSON.stringify(await tables.rows('select * from idempotency_keys'))
      expect(stored).toContain('key-1')
      expect(stored).not.toContain(first.body.token)
    })
  },
  onDisk,
)

onEveryStore('a route without a body', (start) => {
  test('ignores the request body', async () => {
    const server = await start({ adminToken })
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const bodies: [string | Uint8Array, string][] = [
      ['{', 'application/json'],
      ['a=1', 'application/x-www-form-urlencoded'],
      [new Uint8Array(1024 * 1024 + 1), 'application/octet-stream'],
    ]
    for (const [body, type] of bodies) {
      const { id } = await server.admin.channels.create(at, { name: `about-${type.length}` })
      const path = `/workspaces/${workspace.id}/channels/${id}`
      expect((await askAdmin(server, adminToken, ['DELETE', path, body], { 'content-type': type })).status).toBe(200)
    }
  })
})

onEveryStore('the currency of a workspace', (start) => {
  test('is kept until set to null, and must be an ISO 4217 code', async () => {
    const { admin } = await start()
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind', currency: 'EUR' })
    for (const currency of ['eur', 'Euro', 'ZZZ'])
      await expect(admin.workspaces.update({ workspace }, { currency })).rejects.toMatchObject({
        code: 'validation',
        errors: { currency: [expect.any(String)] },
      })
    expect(await admin.workspaces.update({ workspace }, { name: 'Traders' })).toMatchObject({ currency: 'EUR' })
    expect(await admin.workspaces.update({ workspace }, { currency: null })).toMatchObject({ currency: null })
  })
})
