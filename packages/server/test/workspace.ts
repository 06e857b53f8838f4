import { liveScopes, type Scope } from '@service/contract'
import type { PlatformServer } from '../src/index.ts'

/** The least that a test of the REST API needs: a workspace, a person in it, and a token of that person. */
export async function seedWorkspace(
  server: PlatformServer,
  { scopes = liveScopes, name = 'Acme' }: { scopes?: readonly Scope[]; name?: string } = {},
) {
  const workspace = await server.admin.workspaces.create({ name })
  const member = await server.admin.members.add({
    workspace_id: workspace.id,
    name: 'Ada Obi',
    email: `ada@${name.toLowerCase()}.example`,
  })
  const { token } = await server.admin.tokens.create({
    workspace_id: workspace.id,
    user_id: member.id,
    scopes: [...scopes],
  })
  return { workspace, member, token }
}

/** Calls a route as curl would. */
export async function call(
  server: PlatformServer,
  {
    method = 'GET',
    path,
    token,
    body,
    headers = {},
  }: { method?: string; path: string; token?: string; body?: unknown; headers?: Record<string, string> },
) {
  const response = await server.fetch(`http://platform.example${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
