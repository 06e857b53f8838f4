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
  const creating = (ticket: string | object = 'A') => ({
    method: 'POST',
    headers,
    body: JSON.stringify(typeof ticket === 'string' ? { title: ticket } : ticket),
  })
  return {
    server,
    workspace,
    token,
    path,
    creating,
    list: (init: RequestInit = {}) => server.fetch(path, { ...init, headers: { ...headers, ...init.headers } }),
    create: (ticket?: string | object, init: RequestInit = {}) => server.fetch(path, { ...creating(ticket), ...init }),
    titles: async () => (await server.admin.tickets.list({ workspace: workspace.id })).data.map(({ title }) => title),
  }
}

export const doors = ['in process', 'on a port'] as const

/** The same, with a `fetch` in process or over a port. */
export async function startBy(door: (typeof doors)[number]) {
  const setup = await startDisturbed()
  if (door === 'in process') return { ...setup, ask: setup.server.fetch }
  const { url } = await setup.server.listen()
  return { ...setup, ask: (path: string, init?: RequestInit) => fetch(url + path, init) }
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
