import { expect, test } from 'vitest'
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
})
