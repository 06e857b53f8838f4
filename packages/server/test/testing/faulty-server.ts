import { request as httpRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { seedWorkspace } from '../workspace.ts'

/** A server with a workspace, and requests to its tickets. */
export async function startServer(options: TestServerOptions = {}) {
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

export const transports = ['in process', 'on a port'] as const

/** Also sends requests in process or over a port. A fault must look the same on both. */
export async function startOver(transport: (typeof transports)[number]) {
  const setup = await startServer()
  if (transport === 'in process') return { ...setup, send: setup.server.fetch }
  const { url } = await setup.server.listen()
  return { ...setup, send: (path: string, init?: RequestInit) => fetch(url + path, init) }
}

/** The error of a failed request. */
export async function failureOf(
  response: Promise<unknown>,
): Promise<{ message: string; name?: string; code?: unknown }> {
  try {
    await response
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    const { message, cause } = thrown
    return { message, ...(cause instanceof Error ? { name: cause.name, code: 'code' in cause && cause.code } : {}) }
  }
  throw new Error('The request did not fail.')
}

/** The error code from `node:http`, which axios and got pass on. */
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
