import { request as httpRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { seedWorkspace } from '../workspace.ts'

/** A server with a workspace, and the two ways to it that a fault must look the same on. */
export async function startDisturbed(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-11-20T09:00:00Z', rateLimit: 'off', ...options })
  onTestFinished(() => server.close())
  const { workspace, token } = await seedWorkspace(server)
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const creating = (title = 'A') => ({ method: 'POST', headers, body: JSON.stringify({ title }) })
  return {
    server,
    workspace,
    token,
    path,
    creating,
    list: (init: RequestInit = {}) => server.fetch(path, { ...init, headers: { ...headers, ...init.headers } }),
    create: (title?: string, init: RequestInit = {}) => server.fetch(path, { ...creating(title), ...init }),
    titles: async () => (await server.admin.tickets.list({ workspace: workspace.id })).data.map(({ title }) => title),
  }
}

export const doors = ['in process', 'on a port'] as const

/** `fetch` by either way: the server's own, or the global one to a port. */
export async function fetchBy(door: (typeof doors)[number], { server }: Awaited<ReturnType<typeof startDisturbed>>) {
  if (door === 'in process') return server.fetch
  const { url } = await server.listen()
  return (path: string, init?: RequestInit) => fetch(url + path, init)
}

/** What went wrong with a request, as code under test would look at it. */
export async function failureOf(asking: Promise<unknown>): Promise<{ message: string; name?: string; code?: unknown }> {
  try {
    await asking
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    const { message, cause } = thrown
    return { message, ...(cause instanceof Error ? { name: cause.name, code: 'code' in cause && cause.code } : {}) }
  }
  throw new Error('Nothing went wrong.')
}

/** The code that `node:http` gives, which axios and got pass on. */
export function nodeFailure(url: string): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(url, { agent: false }, (response) => {
      response.once('error', (fault: NodeJS.ErrnoException) => resolve(String(fault.code)))
      response.once('end', () => resolve('none'))
      response.resume()
    })
    request.once('error', (fault: NodeJS.ErrnoException) => resolve(String(fault.code)))
    request.end()
  })
}
