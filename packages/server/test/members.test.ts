import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore('members of a workspace', (start) => {
  test('are made owners, and changed or removed as owners, by owners only', async () => {
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
      body: { message: 'This is the last owner of the workspace: make somebody else its owner first.' },
    })
  })

  test('lose their access at once when they are removed', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email })
    const tickets = ['GET', `/workspaces/${workspace.id}/tickets`] as const
    expect((await askAdmin(server, ada.token, tickets)).status).toBe(200)
    await server.admin.members.delete({ workspace: workspace.id, id: ada.id })
    expect((await askAdmin(server, ada.token, tickets)).status).toBe(404)
  })

  test('who are removed keep their tasks, which are read, changed and deleted as before', async () => {
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

  test('who can sign in are not renamed from a workspace', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const [owner, ada] = [await signedIn(server, 'Olu'), await signedIn(server, 'Ada')]
    const at = { workspace: workspace.id }
    await server.admin.members.create(at, { name: 'Olu', email: owner.email, role: 'owner' })
    await server.admin.members.create(at, { name: 'Ada', email: ada.email })
    const rename = (token: string, id: number) =>
      askAdmin(server, token, ['PATCH', `/workspaces/${workspace.id}/members/${id}`, { name: 'Other' }])
    expect((await rename(owner.token, ada.id)).status).toBe(403)
    expect((await rename(owner.token, owner.id)).status).toBe(200)
    expect((await rename(owner.token, member.id)).status).toBe(200)
  })

  test('make tokens and tickets of their own unless they name another member', async () => {
    const server = await start({ adminToken: 'admin-token-of-enough-characters' })
    const { workspace, member } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email, role: 'admin' })
    const at = `/workspaces/${workspace.id}`
    const create = (body: object, token = ada.token) => askAdmin(server, token, ['POST', `${at}/tokens`, body])
    const own = await create({ scopes: ['tickets:read'] })
    expect(own.body).toMatchObject({ user_id: ada.id })
    expect((await create({ scopes: ['tickets:read'], user_id: member.id })).body).toMatchObject({ user_id: member.id })
    expect(await create({ scopes: ['tickets:read'] }, 'admin-token-of-enough-characters')).toMatchObject({ status: 422 })
    const read = { path: `/api/v1${at}/tickets`, token: own.body.token }
    expect((await call(server, read)).status).toBe(200)
    expect((await askAdmin(server, ada.token, ['DELETE', `${at}/tokens/${own.body.id}`])).status).toBe(200)
    expect((await call(server, read)).status).toBe(401)
    const ticket = await askAdmin(server, ada.token, ['POST', `${at}/tickets`, { title: 'A' }])
    expect(ticket.body).toMatchObject({ created_by: ada.id })
  })
})
