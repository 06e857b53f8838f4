import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore('members of a workspace', (start) => {
  test('can be made owners, and changed or removed as owners, only by owners', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = `/workspaces/${workspace.id}/members`
    const [owner, admin] = [await signedIn(server, 'Olu'), await signedIn(server, 'Amy')]
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Olu', email: owner.email, role: 'owner' })
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Amy', email: admin.email, role: 'admin' })
    const refused: [string, string, object?][] = [
      ['PATCH', `${at}/${admin.id}`, { role: 'owner' }],
      ['PATCH', `${at}/${member.id}`, { role: 'owner' }],
      ['POST', at, { name: 'New', email: 'new@people.example', role: 'owner' }],
      ['PATCH', `${at}/${owner.id}`, { role: 'viewer' }],
      ['DELETE', `${at}/${owner.id}`],
    ]
    for (const request of refused)
      expect(await askAdmin(server, admin.token, request)).toMatchObject({
        status: 403,
        body: { message: 'This needs the role owner; yours is admin.' },
      })
    expect((await askAdmin(server, admin.token, ['PATCH', `${at}/${member.id}`, { role: 'admin' }])).status).toBe(200)
    expect((await askAdmin(server, owner.token, ['PATCH', `${at}/${admin.id}`, { role: 'owner' }])).status).toBe(200)
    expect((await askAdmin(server, owner.token, ['PATCH', `${at}/${owner.id}`, { role: 'viewer' }])).status).toBe(200)
    expect(await askAdmin(server, admin.token, ['DELETE', `${at}/${admin.id}`])).toMatchObject({
      status: 409,
      body: { message: 'This is the last owner of the workspace. Make another member an owner first.' },
    })
  })

  test('lose access at once when removed', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email })
    const tickets = ['GET', `/workspaces/${workspace.id}/tickets`] as const
    expect((await askAdmin(server, ada.token, tickets)).status).toBe(200)
    await server.admin.members.delete({ workspace: workspace.id, id: ada.id })
    expect((await askAdmin(server, ada.token, tickets)).status).toBe(404)
  })

  test('who are removed keep their tasks, which can still be read, changed, and deleted', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const { id } = await server.admin.tasks.create(at, { title: 'Call Ben', assigned_to: member.id })
    await server.admin.members.delete({ ...at, id: member.id })
    const assignee = { id: member.id, name: member.name }
    expect(await server.admin.tasks.get({ ...at, id })).toMatchObject({ assigned_to: member.id, assignee })
    expect(await server.admin.tasks.update({ ...at, id }, { title: 'Write' })).toMatchObject({
      title: 'Write',
      assignee,
    })
    expect(await server.admin.tasks.delete({ ...at, id })).toEqual({ id })
  })

  test('who are added by e-mail address have the given name, whether or not another workspace knows them', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const olu = await signedIn(server, 'Olu')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Olu', email: olu.email, role: 'owner' })
    const elsewhere = await seedWorkspace(server, { name: 'Umbrella' })
    const known = { workspace: elsewhere.workspace.id }
    await server.admin.members.create(known, { name: 'Secret Agent', email: 'agent@people.example' })
    const at = `/workspaces/${workspace.id}`
    const ask = (...request: [string, string, object?]) => askAdmin(server, olu.token, request)
    /** Everything a workspace sees of a person that it adds, renames, and removes. */
    const shownOf = async (email: string) => {
      const added = await ask('POST', `${at}/members`, { name: 'Kim', email })
      const { id } = added.body
      const again = await ask('POST', `${at}/members`, { name: 'Kim', email })
      const listed = await ask('GET', `${at}/members/${id}`)
      const own = await ask('POST', `${at}/tokens`, { user_id: id, scopes: ['tickets:write', 'tickets:read'] })
      const path = `/api/v1${at}/tickets`
      const ticket = await call(server, {
        method: 'POST',
        path,
        token: own.body.token,
        body: { title: 'A', assigned_to: id },
      })
      const employee = await ask('POST', `${at}/employees`, { user_id: id, employee_code: email })
      const employees = await ask('GET', `${at}/employees?search=secret%20agent`)
      const deal = await ask('POST', `${at}/deals`, { title: 'A', owner_id: id })
      const deals = await ask('GET', `${at}/deals/${deal.body.id}`)
      const renamed = await ask('PATCH', `${at}/members/${id}`, { name: 'Kim Bo' })
      await ask('DELETE', `${at}/employees/${employee.body.id}`)
      const removed = await ask('DELETE', `${at}/members/${id}`)
      const tickets = await call(server, { path, token })
      const answers = [added, again, listed, ticket, employee, employees, deal, deals, renamed, removed, tickets]
      expect(answers.map(({ status }) => status)).toEqual([201, 409, 200, 201, 201, 200, 201, 200, 200, 200, 200])
      const text = JSON.stringify(answers.map(({ status, body }) => [status, body]))
      return text
        .replaceAll(email, 'their address')
        .replaceAll(`:${id},`, ':their id,')
        .replaceAll(`:${id}}`, ':their id}')
    }
    const shown = await shownOf('agent@people.example')
    expect(shown).not.toContain('Secret')
    expect(shown).toContain('"creator":{"id":their id,"name":"Kim"}')
    const varies = /"(?:id|ticket_number|created_at|updated_at)":(?:\d+|"[^"]*")/g
    const withoutTickets = (text: string) => text.slice(0, text.lastIndexOf('[200,{"data"')).replaceAll(varies, '')
    expect(withoutTickets(await shownOf('stranger@people.example'))).toBe(withoutTickets(shown))
    expect((await server.admin.members.list(known)).data).toContainEqual(
      expect.objectContaining({ name: 'Secret Agent', email: 'agent@people.example' }),
    )
  })

  test('are renamed only in the workspace, unless they or an instance administrator do it', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const [owner, ada] = [await signedIn(server, 'Olu'), await signedIn(server, 'Ada')]
    const at = { workspace: workspace.id }
    await server.admin.members.create(at, { name: 'Olu', email: owner.email, role: 'owner' })
    await server.admin.members.create(at, { name: 'Ada', email: ada.email })
    const rename = (token: string, id: number) =>
      askAdmin(server, token, ['PATCH', `/workspaces/${workspace.id}/members/${id}`, { name: 'Other' }])
    for (const { id } of [ada, owner, member]) expect((await rename(owner.token, id)).body.name).toBe('Other')
    const own = async (token: string) => (await askAdmin(server, token, ['GET', '/users/me'])).body.name
    expect([await own(ada.token), await own(owner.token)]).toEqual(['Ada', 'Other'])
    await server.admin.members.update({ ...at, id: ada.id }, { name: 'Ada Obi' })
    expect([await own(ada.token), (await server.admin.members.get({ ...at, id: ada.id })).name]).toEqual([
      'Ada Obi',
      'Ada Obi',
    ])
  })

  test('create tokens and tickets for themselves unless they name another member', async () => {
    const server = await start({ adminToken: 'admin-token-of-enough-characters' })
    const { workspace, member } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email, role: 'admin' })
    const at = `/workspaces/${workspace.id}`
    const create = (body: object, token = ada.token) => askAdmin(server, token, ['POST', `${at}/tokens`, body])
    const own = await create({ scopes: ['tickets:read'] })
    expect(own.body).toMatchObject({ user_id: ada.id })
    expect((await create({ scopes: ['tickets:read'], user_id: member.id })).body).toMatchObject({ user_id: member.id })
    expect(await create({ scopes: ['tickets:read'] }, 'admin-token-of-enough-characters')).toMatchObject({
      status: 422,
    })
    const read = { path: `/api/v1${at}/tickets`, token: own.body.token }
    expect((await call(server, read)).status).toBe(200)
    expect((await askAdmin(server, ada.token, ['DELETE', `${at}/tokens/${own.body.id}`])).status).toBe(200)
    expect((await call(server, read)).status).toBe(401)
    const ticket = await askAdmin(server, ada.token, ['POST', `${at}/tickets`, { title: 'A' }])
    expect(ticket.body).toMatchObject({ created_by: ada.id })
  })
})
