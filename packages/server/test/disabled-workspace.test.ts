import { expect, test } from 'vitest'
import { signedInVisitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore('a disabled workspace', (start) => {
  test('refuses its members, its tokens, and inbound deliveries until it is enabled', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const owner = await signedIn(server, 'Olu')
    await server.admin.members.create(at, { name: 'Olu', email: owner.email, role: 'owner' })
    const { secret } = await server.admin.integrations.rotateSecret({ ...at, integration: 'errors' })
    const statuses = async () => [
      (await askAdmin(server, owner.token, ['GET', `/workspaces/${workspace.id}/tickets`])).status,
      (await call(server, { path: `/api/v1/workspaces/${workspace.id}/tickets`, token })).status,
      (
        await server.fetch(`http://localhost/api/webhooks/${workspace.id}/errors`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
          body: JSON.stringify({ message: 'The cart is empty' }),
        })
      ).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    expect(
      (await askAdmin(server, owner.token, ['PATCH', `/workspaces/${workspace.id}`, { disabled: true }])).status,
    ).toBe(403)
    await server.admin.workspaces.update(at, { disabled: true })
    expect(await statuses()).toEqual([404, 401, 404])
    expect((await askAdmin(server, owner.token, ['GET', '/users/me'])).body.workspaces).toEqual([])
    expect((await server.admin.workspaces.list()).data[0]).toMatchObject({
      disabled_at: expect.any(String),
      owners: [{ id: owner.id, name: 'Olu' }],
      members: 2,
    })
    await server.admin.workspaces.update(at, { disabled: false })
    expect(await statuses()).toEqual([200, 200, 200])
  })

  test('says on its pages that it was disabled, to its members only', async () => {
    const server = await start()
    const at = { workspace: (await server.admin.workspaces.create({ name: 'Northwind' })).id }
    const elsewhere = { workspace: (await server.admin.workspaces.create({ name: 'Elsewhere' })).id }
    const member = await signedInVisitor(server, { ...at, role: 'member', name: 'Ada' })
    const stranger = await signedInVisitor(server, { ...elsewhere, role: 'owner', name: 'Sue' })
    await server.admin.workspaces.update(at, { disabled: true })
    const open = async (person: typeof member) => {
      const answer = await person.get(`/dashboard/w/${at.workspace}/tickets`)
      return [answer.status, /<main[\s\S]*<\/main>/.exec(await answer.text())?.[0]]
    }
    const said = 'Northwind was disabled by an administrator. Ask them to enable it again.'
    expect(await open(member)).toEqual([403, expect.stringContaining(said)])
    expect(await open(stranger)).toEqual([404, expect.not.stringMatching(/Northwind|disabled/)])
    await server.admin.workspaces.update(at, { disabled: false })
    expect((await open(member))[0]).toBe(200)
  })
})
