import { expect, test } from 'vitest'
import { collectedLog } from './collected-log.ts'
import { onEveryStore } from './on-every-store.ts'
import { sampleRequests, seedForEveryRoute } from './sample-requests.ts'
import { call } from './workspace.ts'

const planted = 'planted-7f3a'

onEveryStore('the log', (start) => {
  test('has one line per request and no tokens, addresses, or bodies, even for failures', async () => {
    const log = collectedLog()
    const hooks = {
      ticketCreated({ title }: { title: string }) {
        if (title.endsWith('fault')) throw new Error('a fault of the embedder')
      },
    }
    const server = await start({ log, hooks })
    const { workspace, token, member } = await seedForEveryRoute(server, { name: 'Acme' })
    const before = log.lines.length
    const at = (path: string) => `/api/v1/workspaces/${workspace.id}/${path}`
    const bodies = [
      ['tickets', { title: `${planted} title`, description: planted, category: planted, tags: [planted] }],
      ['tickets', { title: `${planted} fault` }],
      ['tickets', { title: `${planted}\u0000`, priority: [planted] }],
      ['tasks', { title: planted, project_id: 999 }],
      ['tasks', `{"title":"${planted}`],
      ['crm/leads', { name: planted, source: planted, email: `${planted}@lead.example` }],
      ['crm/leads', { name: planted, source: 'website', email: `${planted}@lead.example`, notes: planted }],
      ['crm/leads', { name: planted, source: 'website', email: `${planted}@lead.example` }],
      ['hrms/attendance/punch', { email: `${planted}@acme.example`, external_device_id: planted }],
      ['hrms/attendance/punch', { employee_code: 'E-1', external_device_id: 'DOOR-1', timestamp: planted }],
    ] as const
    const statuses: number[] = []
    for (const [path, body] of bodies) {
      const headers = { 'idempotency-key': `${planted}-${statuses.length}`, cookie: planted, 'user-agent': planted }
      const sent = { method: 'POST', path: `${at(path)}?secret=${planted}`, token, body, headers }
      statuses.push((await call(server, sent)).status)
    }
    expect(statuses).toEqual([201, 500, 422, 422, 422, 422, 201, 409, 422, 422])
    for (const { route: _, ...request } of sampleRequests(workspace.id)) {
      await call(server, { ...request, token: `${token}${planted}` })
      await call(server, { ...request, token })
    }
    await call(server, { path: `/${planted}` })
    const lines = log.lines.slice(before)
    expect(lines.filter(({ level }) => level === 'info')).toHaveLength(
      bodies.length + 2 * sampleRequests(workspace.id).length + 1,
    )
    const text = JSON.stringify(lines)
    for (const secret of [planted, token, token.slice(8, -6), member.email, 'ben@lead.example', 'Ada Obi', 'Acme']) {
      expect(text).not.toContain(secret)
    }
    expect(text).toContain('a fault of the embedder')
  })

  test('names the caller, the route, and the status', async () => {
    const log = collectedLog()
    const server = await start({ log })
    const { workspace, token } = await seedForEveryRoute(server)
    const [{ id } = { id: 0 }] = (await server.admin.tokens.list({ workspace: workspace.id })).data.toReversed()
    const path = `/api/v1/workspaces/${workspace.id}/crm/deals`
    await call(server, { path, token, headers: { 'x-request-id': 'req-1' } })
    await call(server, { path, headers: { 'x-request-id': 'req-2' } })
    const fields = { method: 'GET', route: '/workspaces/{workspace}/crm/deals', ms: expect.any(Number) }
    expect(log.lines.filter(({ level }) => level === 'info')).toEqual([
      {
        level: 'info',
        sentence: 'GET /workspaces/{workspace}/crm/deals answered 200.',
        fields: { ...fields, request_id: 'req-1', status: 200, workspace_id: workspace.id, token_id: id },
      },
      {
        level: 'info',
        sentence: 'GET /workspaces/{workspace}/crm/deals answered 401.',
        fields: { ...fields, request_id: 'req-2', status: 401, workspace_id: undefined, token_id: undefined },
      },
    ])
  })
})
