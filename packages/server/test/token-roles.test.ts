import { scopes } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage, onEveryStore, type StoreName } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { call } from './workspace.ts'

/** Two nodes of one database where that is possible, otherwise one server. */
async function startNodes(store: StoreName): Promise<readonly [Server, ...Server[]]> {
  const { options, remove } = await createStorage(store)
  const first = await createServer(options)
  const others = store === 'postgres' ? [await createServer(options)] : []
  onTestFinished(async () => {
    await Promise.all([first, ...others].map((server) => server.close()))
    await remove()
  })
  return [first, ...others]
}

async function personWithTokens(server: Server, role: 'owner' | 'admin') {
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const person = await signedIn(server, 'Ada')
  await server.admin.members.create({ workspace }, { name: 'Ada', email: person.email, role })
  const api = await server.admin.tokens.create(
    { workspace },
    { user_id: person.id, scopes: ['tickets:read', 'tickets:write', 'webhooks:manage'] },
  )
  const own = { name: 'Script', expires_at: '2027-01-01T00:00:00Z' }
  const personal = await askAdmin(server, person.token, ['POST', '/users/me/tokens', own])
  return { workspace, person, api, personal: personal.body.token as string } // a new token has its text
}

/** Sends the first byte of a body; the result sends the rest and resolves to the status. */
async function sendSlowly(
  server: Server,
  { path, headers, body, method = 'POST' }: { path: string; headers: HeadersInit; body: object; method?: string },
): Promise<() => Promise<number>> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  const writer = writable.getWriter()
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const init = {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: readable,
    duplex: 'half',
  } as const
  const answered = server.fetch(`http://platform.example${path}`, init)
  await writer.write(bytes.subarray(0, 1)) // resolves when the server reads it
  return async () => {
    await writer.write(bytes.subarray(1))
    await writer.close()
    return (await answered).status
  }
}

onEveryStore(
  'the present role of a person',
  (_start, store) => {
    test('caps the scopes of their API tokens, and what their session and personal tokens may do, on every node', async () => {
      const nodes = await startNodes(store)
      const [{ admin }] = nodes
      const { workspace, person, api, personal } = await personWithTokens(nodes[0], 'admin')
      await admin.integrations.rotateSecret({ workspace, integration: 'errors' })
      const statuses = async () =>
        Promise.all(
          nodes.map(async (node) => [
            (await call(node, { path: `/api/v1/workspaces/${workspace}/tickets`, token: api.token })).status,
            (await write(node)).status,
            (await askAdmin(node, api.token, ['GET', `/workspaces/${workspace}/webhooks`])).status,
            (await report(node)).status,
            (await askAdmin(node, person.token, ['GET', `/workspaces/${workspace}/tokens`])).status,
            (await askAdmin(node, personal, ['GET', `/workspaces/${workspace}/tokens`])).status,
          ]),
        )
      const write = (node: Server) =>
        call(node, {
          method: 'POST',
          path: `/api/v1/workspaces/${workspace}/tickets`,
          token: api.token,
          body: { title: 'A' },
        })
      const report = (node: Server) =>
        call(node, {
          method: 'POST',
          path: `/api/webhooks/${workspace}/errors`,
          token: api.token,
          body: { message: 'Payment failed', exception: 'PaymentError' },
        })
      const expectEverywhere = async (...expected: number[]) =>
        expect(await statuses()).toEqual(nodes.map(() => expected))
      const at = { workspace, id: person.id }

      await expectEverywhere(200, 201, 200, 200, 200, 200)
      expect(api).toMatchObject({ effective_scopes: api.scopes, limited_by_role: null })
      await admin.members.update(at, { role: 'member' })
      await expectEverywhere(200, 201, 403, 200, 403, 403)
      await admin.members.update(at, { role: 'viewer' })
      await expectEverywhere(200, 403, 403, 403, 403, 403)
      expect((await write(nodes[0])).body).toEqual({
        message:
          'This token is limited by the role of its person: tickets:write needs the role member; theirs is viewer.',
      })
      expect(await admin.tokens.get({ workspace, id: api.id })).toMatchObject({
        scopes: ['tickets:read', 'tickets:write', 'webhooks:manage'],
        effective_scopes: ['tickets:read'],
        limited_by_role: 'viewer',
      })
      await admin.members.update(at, { role: 'owner' })
      await expectEverywhere(200, 201, 200, 200, 200, 200)
      await admin.members.delete({ ...at, id: person.id }).catch(() => undefined)
      await admin.members.create({ workspace }, { name: 'Ben', email: 'ben@people.example', role: 'owner' })
      await admin.members.delete(at)
      await expectEverywhere(401, 401, 401, 401, 404, 404)
    })

    test('is that at the end of a body that arrives slowly, also that of tokens, secrets, and workspaces', async () => {
      const clock = manualClock()
      const { options, remove } = await createStorage(store)
      const server = await createServer({ ...options, clock })
      onTestFinished(async () => {
        await server.close()
        await remove()
      })
      const { admin } = server
      const { workspace, person, api } = await personWithTokens(server, 'admin')
      const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
      const { secret } = await admin.integrations.rotateSecret({ workspace, integration: 'errors' })
      const as = (token: string) => ({ authorization: `Bearer ${token}` })
      const report = { path: `/api/webhooks/${workspace}/errors`, body: { message: 'Failed' } }
      const send = (request: Parameters<typeof sendSlowly>[1]) => sendSlowly(server, request)
      const sent = [
        await send({ path: `/api/v1/workspaces/${workspace}/tickets`, headers: as(api.token), body: { title: 'A' } }),
        await send({ ...report, headers: as(api.token) }),
        await send({ ...report, headers: { 'x-service-webhook-secret': secret } }),
        await send({
          path: `/admin/v1/workspaces/${workspace}/tokens`,
          headers: as(person.token),
          body: { user_id: person.id, scopes: ['tickets:read'] },
        }),
        await send({
          path: `/admin/v1/users/${root.id}`,
          headers: as(root.token),
          body: { is_instance_admin: true },
          method: 'PATCH',
        }),
      ]
      await admin.tokens.revoke({ workspace, id: api.id })
      await admin.integrations.rotateSecret({ workspace, integration: 'errors' })
      await admin.members.update({ workspace, id: person.id }, { role: 'member' })
      await admin.users.update({ id: root.id }, { is_instance_admin: false })
      clock.advance(2_000_000)
      const statuses: number[] = []
      for (const finish of sent) statuses.push(await finish())
      expect(statuses).toEqual([401, 401, 401, 403, 403])
    })

    test('is the highest one for administrators of the instance, until they are demoted', async () => {
      const [server] = await startNodes(store)
      const { workspace, person, api } = await personWithTokens(server, 'admin')
      await server.admin.users.update({ id: person.id }, { is_instance_admin: true })
      await server.admin.members.update({ workspace, id: person.id }, { role: 'viewer' })
      const webhooks = () => askAdmin(server, api.token, ['GET', `/workspaces/${workspace}/webhooks`])
      expect((await webhooks()).status).toBe(200)
      expect((await server.admin.tokens.get({ workspace, id: api.id })).limited_by_role).toBeNull()
      await server.admin.users.update({ id: person.id }, { is_instance_admin: false })
      expect((await webhooks()).status).toBe(403)
      await server.admin.users.update({ id: person.id }, { disabled: true })
      expect(await server.admin.tokens.get({ workspace, id: api.id })).toMatchObject({
        ...{ effective_scopes: [], limited_by_role: null },
      })
    })

    test('opens nothing of a workspace that is disabled, on every node', async () => {
      const nodes = await startNodes(store)
      const { workspace, person, api, personal } = await personWithTokens(nodes[0], 'owner')
      const integration = await nodes[0].admin.integrations.rotateSecret({ workspace, integration: 'errors' })
      const statuses = async () => {
        const all: number[] = []
        for (const node of nodes) {
          const headers = { 'x-service-webhook-secret': integration.secret }
          const path = `/api/webhooks/${workspace}/errors`
          const tickets = `/api/v1/workspaces/${workspace}/tickets`
          all.push(
            (await call(node, { method: 'POST', path, headers, body: { message: 'Failed' } })).status,
            (await call(node, { path: tickets, token: api.token })).status,
            (await askAdmin(node, api.token, ['GET', `/workspaces/${workspace}/webhooks`])).status,
            (await askAdmin(node, person.token, ['GET', `/workspaces/${workspace}/tickets`])).status,
            (await askAdmin(node, personal, ['GET', `/workspaces/${workspace}/tickets`])).status,
          )
        }
        return all
      }
      expect(await statuses()).toEqual(nodes.flatMap(() => [200, 200, 200, 200, 200]))
      await nodes[0].admin.workspaces.update({ workspace }, { disabled: true })
      expect(await statuses()).toEqual(nodes.flatMap(() => [404, 401, 401, 404, 404]))
    })
  },
  ['memory', 'postgres'],
)

test('a scope needs the role that the same routes of administration need', () => {
  for (const route of adminRoutes)
    if ('scope' in route) expect([route.operation, scopes[route.scope].role]).toEqual([route.operation, route.role])
})
