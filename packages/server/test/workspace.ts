import { createClient } from '@service/client'
import { apiBasePath, liveScopes, type Route, type Scope } from '@service/contract'
import type { Server } from '../src/index.ts'

/** The minimum for a REST API test: a workspace, a member, and the member's token. */
export async function seedWorkspace(
  server: Server,
  {
    scopes = liveScopes,
    name = 'Acme',
    timeZone = 'UTC',
  }: { scopes?: readonly Scope[]; name?: string; timeZone?: string } = {},
) {
  const workspace = await server.admin.workspaces.create({ name, time_zone: timeZone })
  const member = await server.admin.members.create(
    { workspace: workspace.id },
    // The lowest role that allows every scope of a token.
    { name: 'Ada Obi', email: `ada@${name.toLowerCase()}.example`, role: 'admin' },
  )
  const { token } = await server.admin.tokens.create(
    { workspace: workspace.id },
    { user_id: member.id, scopes: [...scopes] },
  )
  return { workspace, member, token }
}

/** Calls a route as curl would. */
export async function call(
  server: Server,
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
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: toBody(response, text) }
}

function toBody({ headers }: Response, text: string) {
  if (headers.get('content-type') !== 'application/x-ndjson') return text === '' ? undefined : JSON.parse(text)
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

/** Text and bytes are sent unchanged; other values as JSON. */
const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

/** The parameter of a REST route that names a record, such as `{id}` or `{lead}`. */
export const recordParam = /\{(?!workspace\})\w+\}/

/** The path of a REST route in a workspace; the id of a record becomes 1. */
export const pathOf = (route: Route, workspaceId: number | string) =>
  `${apiBasePath}${route.path.replace('{workspace}', String(workspaceId)).replace(recordParam, '1')}`

/** The typed client, in process, without retries. */
export const clientOf = (server: Server, { workspace, token }: { workspace: { readonly id: number }; token: string }) =>
  createClient({
    baseUrl: 'http://127.0.0.1/api/v1',
    token,
    workspace: workspace.id,
    fetch: server.fetch,
    maxRetries: 0,
  })

/** Bodies of the queued events, oldest first. */
export async function queued(server: Server, workspace: { readonly id: number }): Promise<unknown[]> {
  const events = await server.admin.events.list({ workspace: workspace.id }, { limit: 200 }).all()
  return events.toReversed().map(({ body }) => JSON.parse(body))
}
