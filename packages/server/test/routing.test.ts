import { successStatus } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { sampleRequests, seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, queued, seedWorkspace } from './workspace.ts'

const unknown = { status: 404, body: { message: 'The route was not found.' } }

onEveryStore('an address', (start) => {
  test('that is unknown gets 404 in JSON, with or without a token', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const paths = [
      '/',
      '/api',
      '/api/v1',
      '/api/v2/workspaces/1/tickets',
      `/api/v1/workspaces/${workspace.id}`,
      `/api/v1/workspaces/${workspace.id}/tickets/1/nothing`,
      `/api/v1/workspaces/${workspace.id}/tickets/`,
      `/api/v1/workspaces/${workspace.id}/Tickets`,
      `/api/v1/workspaces/${workspace.id}/crm/nothing`,
    ]
    for (const path of paths) {
      expect(await call(server, { path, token })).toMatchObject(unknown)
      expect(await call(server, { path })).toMatchObject(unknown)
      expect(await call(server, { method: 'POST', path, token, body: {} })).toMatchObject(unknown)
    }
  })

  test('whose workspace is not an integer gets 404 on every route', async () => {
    const server = await start()
    const { token } = await seedWorkspace(server)
    for (const id of ['acme', '1.5', '-1', '1e0', '0x1', '%20', '1%2F2']) {
      for (const request of sampleRequests(id)) expect(await call(server, { ...request, token })).toMatchObject(unknown)
    }
  })

  test('gets 405 with the allowed methods for an unsupported method', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const methodsOf = new Map<string, string[]>()
    for (const { path, method } of sampleRequests(workspace.id)) {
      methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
    }
    for (const [path, methods] of methodsOf) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((m) => !methods.includes(m))) {
        const { status, headers, body } = await call(server, { method, path, token })
        expect([status, headers.get('allow')]).toEqual([405, methods.join(', ')])
        expect(body).toEqual({
          message: `The ${method} method is not supported for this route. Supported: ${methods.join(', ')}.`,
        })
      }
    }
    expect(methodsOf.get(`/api/v1/workspaces/${workspace.id}/tickets`)).toEqual(['GET', 'HEAD', 'POST'])
  })

  test('with GET answers HEAD with the same headers and no body', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const requests = sampleRequests(workspace.id)
    const read = new Set(requests.filter(({ method }) => method === 'GET').map(({ path }) => path))
    for (const { path } of requests) {
      const { status, headers, body } = await call(server, { method: 'HEAD', path, token })
      expect([path, status, body]).toEqual([path, read.has(path) ? 200 : 405, undefined])
      expect(headers.get('content-type')).toBe('application/json')
    }
  })

  test('ignores unknown query parameters', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const request of sampleRequests(workspace.id)) {
      const path = `${request.path}?page=2&per_page=1&title=&status[]=closed&%ff`
      const { status } = await call(server, { ...request, path, token })
      expect([path, status]).toEqual([path, successStatus(request.route)])
    }
  })
})

onEveryStore('a body', (start) => {
  test('may have unknown keys, which are ignored', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const extra = { id: 77, ticket_number: 'X', status_code: 9, created_by: 4, workspace_id: 9, received: true, '': [] }
    for (const { route, body, ...request } of writingRequests(workspace.id)) {
      const answer = await call(server, { ...request, token, body: { ...extra, ...body } })
      expect(answer.status).toBe(successStatus(route))
      expect(answer.body.data?.id ?? answer.body.punch_id).toBe(1)
    }
  })

  test('cannot use keys that are special in JavaScript', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const body = '{"title":"Broken","__proto__":{"priority":"high"},"constructor":{"prototype":{"category":"x"}}}'
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const answer = await call(server, { method: 'POST', path, token, body })
    expect(answer).toMatchObject({ status: 201, body: { data: { priority: 'medium', category: null } } })
    expect(Object.hasOwn(Object.prototype, 'priority') || 'category' in {}).toBe(false)
    expect(await queued(server, workspace)).toHaveLength(1)
  })
})
