import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { sampleRequests, seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, seedWorkspace } from './workspace.ts'

const nonsense = { body: '{', headers: { 'content-type': 'text/plain' } }

onEveryStore('of several faults', (start) => {
  test('the rate limit comes before an unknown route and an unsupported method', async () => {
    const server = await start({ rateLimit: 2 })
    const { workspace, token } = await seedWorkspace(server)
    const at = (path: string) => `/api/v1/workspaces/${workspace.id}/${path}`
    const unknown = { path: at('invoices'), token }
    const { status, headers } = await call(server, unknown)
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([404, '1'])
    expect((await call(server, { method: 'DELETE', path: at('tickets'), token })).status).toBe(405)
    for (const request of [unknown, { method: 'DELETE', path: at('tickets'), token }, { path: at('tickets'), token }])
      expect((await call(server, request)).status).toBe(429)
    // Without a token, the address is counted.
    for (const expected of [404, 404, 429]) expect((await call(server, { path: '/nowhere' })).status).toBe(expected)
  })

  test('the rate limit comes before an invalid token, another workspace, a missing scope, and an invalid body', async () => {
    const server = await start({ rateLimit: 1 })
    const { workspace, token } = await seedWorkspace(server, { scopes: ['webhooks:manage'] })
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    await call(server, { path })
    expect((await call(server, { path })).status).toBe(429)
    expect((await call(server, { path, token })).status).toBe(403)
    expect((await call(server, { method: 'POST', path, token, ...nonsense })).status).toBe(429)
    expect((await call(server, { path: '/api/v1/workspaces/999/tickets', token })).status).toBe(429)
  })

  test('an invalid token comes before another workspace and an invalid body', async () => {
    const server = await start()
    await seedWorkspace(server)
    for (const { method, path } of writingRequests(999)) {
      expect((await call(server, { method, path, token: 'service_x', ...nonsense })).status).toBe(401)
    }
  })

  test('another workspace comes before a missing scope', async () => {
    const server = await start()
    const { token } = await seedWorkspace(server, { scopes: ['webhooks:manage'] })
    for (const request of sampleRequests(999)) {
      const { status, body } = await call(server, { ...request, token })
      expect([status, body.message]).toEqual([403, 'This token does not belong to this workspace.'])
    }
  })

  test('a missing scope comes before an invalid body', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server, { scopes: ['webhooks:manage'] })
    for (const { method, path, route } of writingRequests(workspace.id)) {
      const { status, body } = await call(server, { method, path, token, ...nonsense })
      expect([status, body.message]).toEqual([403, `This token lacks the scope ${route.scope}.`])
    }
  })

  test('a body is checked in the order size, content type, JSON, fields, ids', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const request = { method: 'POST', path: `/api/v1/workspaces/${workspace.id}/tickets`, token }
    const large = 'x'.repeat(1024 * 1024 + 1)
    const text = { headers: { 'content-type': 'text/plain' } }
    expect((await call(server, { ...request, body: large, ...text })).status).toBe(413)
    expect((await call(server, { ...request, body: '{', ...text })).status).toBe(415)
    const errorsOf = async (body: unknown) => Object.keys((await call(server, { ...request, body })).body.errors)
    expect(await errorsOf('{')).toEqual(['body'])
    expect(await errorsOf({ project_id: 999 })).toEqual(['title'])
    expect(await errorsOf({ project_id: 999, title: 'Broken' })).toEqual(['project_id'])
  })
})
