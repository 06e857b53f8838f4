import { randomBytes } from 'node:crypto'
import { successStatus } from '@service/contract'
import { expect, test } from 'vitest'
import { microsPerHour } from '../src/core/clock.ts'
import { toTokenText } from '../src/modules/tokens/token-text.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { sampleRequests, seedForEveryRoute } from './sample-requests.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

const unauthenticated = { status: 401, body: { message: 'Unauthenticated.' } }
const elsewhere = { status: 403, body: { message: 'This token does not belong to this workspace.' } }

onEveryStore('every REST route without a valid token', (start) => {
  test('returns 401 for a missing, malformed, mistyped, unknown, or misplaced token, and changes nothing', async () => {
    const server = await start({ rateLimit: 'off' })
    const { workspace, token } = await seedForEveryRoute(server)
    const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    const headers = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: token },
      { authorization: `Basic ${token}` },
      { authorization: `Token ${token}` },
      { authorization: `Bearer ${token} ${token}` },
      { authorization: 'Bearer service_' },
      { authorization: `Bearer ${token.slice('service_'.length)}` },
      { authorization: `Bearer ${token.toUpperCase()}` },
      { authorization: `Bearer ${mistyped}` },
      { authorization: `Bearer ${toTokenText(workspace.id, randomBytes(32))}` },
      { 'x-api-key': token },
    ]
    for (const request of sampleRequests(workspace.id)) {
      for (const sent of headers) {
        expect(await call(server, { ...request, headers: sent })).toMatchObject(unauthenticated)
      }
    }
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
    expect((await server.admin.leads.list({ workspace: workspace.id })).data).toEqual([])
    expect((await server.admin.attendance.sessions({ workspace: workspace.id })).data).toEqual([])
    expect(await queued(server, workspace)).toEqual([])
  })

  test('is an AuthenticationError in the typed client', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const client = clientOf(server, { workspace, token: toTokenText(workspace.id, randomBytes(32)) })
    await expect(client.tickets.list()).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 })
  })

  test('accepts Bearer in any case, with extra spaces around the token', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    for (const authorization of [`bearer ${token}`, `BEARER   ${token}`]) {
      const { status } = await call(server, {
        path: `/api/v1/workspaces/${workspace.id}/tickets`,
        headers: { authorization },
      })
      expect(status).toBe(200)
    }
  })
})

onEveryStore('a token', (start) => {
  test('stops working at the instant it expires', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace, member } = await seedWorkspace(server)
    const { token } = await server.admin.tokens.create(
      { workspace: workspace.id },
      { user_id: member.id, scopes: ['tickets:read'], expires_at: '2026-11-21T00:00:00+01:00' },
    )
    const request = { path: `/api/v1/workspaces/${workspace.id}/tickets`, token }
    clock.advance(4 * microsPerHour)
    expect(await call(server, request)).toMatchObject({ status: 200 })
    clock.advance(microsPerHour)
    expect(await call(server, request)).toMatchObject(unauthenticated)
  })

  test('that has already expired is refused', async () => {
    const server = await start({ clock: manualClock() })
    const { workspace, member } = await seedWorkspace(server)
    const scopes: ['tickets:read'] = ['tickets:read']
    const create = (expires_at: string) =>
      server.admin.tokens.create({ workspace: workspace.id }, { user_id: member.id, scopes, expires_at })
    for (const expires_at of ['2020-01-01T00:00:00Z', '2026-11-20T18:51:53.123456Z'])
      await expect(create(expires_at)).rejects.toMatchObject({
        status: 422,
        errors: { expires_at: ['The expires_at field must be in the future.'] },
      })
    expect(await create('2026-12-01T00:00:00Z')).toMatchObject({ expires_at: '2026-12-01T00:00:00.000000Z' })
  })

  test('stops working at once when revoked, while others continue to work', async () => {
    const server = await start()
    const { workspace, member, token } = await seedWorkspace(server)
    const workspace_id = workspace.id
    const other = await server.admin.tokens.create(
      { workspace: workspace_id },
      { user_id: member.id, scopes: ['tickets:read'] },
    )
    const path = `/api/v1/workspaces/${workspace_id}/tickets`
    expect(await call(server, { path, token: other.token })).toMatchObject({ status: 200 })
    await server.admin.tokens.revoke({ workspace: workspace_id, id: other.id })
    expect(await call(server, { path, token: other.token })).toMatchObject(unauthenticated)
    expect(await call(server, { path, token })).toMatchObject({ status: 200 })
  })

  test('gets the same 403 for an existing and a missing workspace, on every route', async () => {
    const server = await start()
    const { token } = await seedForEveryRoute(server, { name: 'Acme' })
    const other = await seedForEveryRoute(server, { name: 'Umbrella' })
    for (const id of [other.workspace.id, 999, 0, Number.MAX_SAFE_INTEGER]) {
      for (const request of sampleRequests(id)) {
        expect(await call(server, { ...request, token })).toMatchObject(elsewhere)
      }
    }
    expect((await server.admin.tickets.list({ workspace: other.workspace.id })).data).toEqual([])
    expect(await queued(server, other.workspace)).toEqual([])
  })

  test('gets 403 on a route whose scope is missing, whatever its other scopes', async () => {
    const server = await start()
    const { workspace, member } = await seedForEveryRoute(server)
    const requests = sampleRequests(workspace.id)
    const scopes = [...new Set(requests.map(({ route }) => route.scope))]
    for (const { route, ...request } of requests) {
      const { token } = await server.admin.tokens.create(
        { workspace: workspace.id },
        { user_id: member.id, scopes: [...scopes.filter((scope) => scope !== route.scope), 'webhooks:manage'] },
      )
      expect(await call(server, { ...request, token })).toMatchObject({
        status: 403,
        body: { message: `This token lacks the scope ${route.scope}.` },
      })
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('needs only the scope of the route', async () => {
    const server = await start()
    const { workspace, member } = await seedForEveryRoute(server)
    for (const { route, ...request } of sampleRequests(workspace.id)) {
      const { token } = await server.admin.tokens.create(
        { workspace: workspace.id },
        { user_id: member.id, scopes: [route.scope] },
      )
      expect((await call(server, { ...request, token })).status).toBe(successStatus(route))
    }
  })

  test('records its user as the author', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const workspace_id = seeded.workspace.id
    const ben = await server.admin.members.create(
      { workspace: workspace_id },
      { name: 'Ben Ito', email: 'ben@acme.example' },
    )
    const { token } = await server.admin.tokens.create(
      { workspace: workspace_id },
      { user_id: ben.id, scopes: ['tickets:write'] },
    )
    const ticket = await clientOf(server, { ...seeded, token }).tickets.create({ title: 'Broken' })
    expect(ticket).toMatchObject({ created_by: ben.id, creator: { id: ben.id, name: 'Ben Ito' } })
  })
})
