// Records one example of each operation by executing it on a server. The reference shows what was sent and received.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdminClient } from '@service/client/admin'
import { apiRoutes, eventNames, fullPath, inboundRoutes, type Route } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { auditExportRoutes } from '@service/contract/admin/audit'
import { backupDownloadRoutes } from '@service/contract/admin/operations'
import { apiDocs } from '@service/contract/docs'
import { pathParams } from '@service/contract/path-params'
import type { RouteDocs } from '@service/contract/route-docs'
import { createServer, type Server } from '../../../packages/server/src/index.ts'
import { createTestServer } from '../../../packages/server/src/testing/entries/testing.ts'
import { manualClock } from '../../../packages/server/test/manual-clock.ts'
import { runCliOperations, runOtherOperations } from '../../../packages/server/test/operation-scenarios.ts'
import { sampleRequests, seedForEveryRoute } from '../../../packages/server/test/sample-requests.ts'
import { recordParam } from '../../../packages/server/test/workspace.ts'

/** A request that was sent. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Exchange extends RecordedRequest {
  readonly status: number
  readonly contentType: string
  readonly response: string
}

const origin = 'http://127.0.0.1:8080'
const adminToken = 'admin_token_of_enough_characters'

/** By method and path, such as `POST /api/v1/workspaces/{workspace}/tickets`. */
export type Exchanges = ReadonlyMap<string, Exchange>

/** Routes of administration for which the client has no method. */
const streamRoutes = [...auditExportRoutes, ...backupDownloadRoutes]

const keyOf = (route: Route): string => `${route.method} ${fullPath(route)}`

/** The first successful exchange of each operation. Throws if an operation has none. */
export async function recordOperations(): Promise<Exchanges> {
  const directory = await mkdtemp(join(tmpdir(), 'service-reference-'))
  try {
    const backupDirectory = join(directory, 'backups')
    await using server = await createServer({ data: directory, backupDirectory, adminToken, clock: manualClock() })
    const exchanges = new Map<string, Exchange>()
    await runAdministration(server, recordingFetch(server, [...adminRoutes, ...streamRoutes], exchanges))
    await runPlatform(server, recordingFetch(server, [...apiRoutes, ...inboundRoutes], exchanges))
    const routes: readonly Route[] = [...apiRoutes, ...inboundRoutes, ...adminRoutes, ...streamRoutes]
    const missing = routes.map(keyOf).filter((key) => !exchanges.has(key))
    if (missing.length > 0) throw new Error(`No example succeeded for ${missing.join(', ')}.`)
    return exchanges
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

type Fetch = (input: Request | string, init?: RequestInit) => Promise<Response>

function recordingFetch(server: Server, routes: readonly Route[], exchanges: Map<string, Exchange>): Fetch {
  const patterns = routes.map((route) => ({ route, key: keyOf(route), pattern: patternOf(route) }))
  return async (input, init) => {
    const request = new Request(input, init)
    const { method, headers } = request
    const { pathname, search } = new URL(request.url)
    const body = await request.clone().text()
    const response = await server.fetch(request)
    const found = patterns.find(({ route, pattern }) => route.method === method && pattern.test(pathname))
    if (found !== undefined && response.ok && !exchanges.has(found.key))
      exchanges.set(found.key, {
        method,
        path: pathname + search,
        headers: Object.fromEntries(headers),
        body,
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        response: await response.clone().text(),
      })
    return response
  }
}

/** Fixed paths come before paths with parameters in the lists of routes. */
const patternOf = (route: Route): RegExp => new RegExp(`^${fullPath(route).replaceAll(/\{\w+\}/g, '[^/]+')}$`)

async function runAdministration(server: Server, fetch: Fetch): Promise<void> {
  const asPerson = (token: string) => createAdminClient({ baseUrl: `${origin}/admin/v1`, token, maxRetries: 0, fetch })
  const admin = asPerson(adminToken)
  const interfaceToAdmin = {
    admin,
    asPerson,
    fetch: (path: string, init?: RequestInit) => server.fetch(new Request(origin + path, init)),
  }
  await runCliOperations(interfaceToAdmin)
  await runOtherOperations(interfaceToAdmin)
  const headers = { authorization: `Bearer ${adminToken}` }
  const [backup] = (await admin.backups.list()).data
  for (const path of ['/workspaces/1/audit-log/export', '/audit-log/export', `/backups/${backup?.file}`])
    await fetch(new Request(`${origin}/admin/v1${path}`, { headers }))
}

const docs: Readonly<Record<string, RouteDocs>> = apiDocs

/** Lists follow the creation of their records. Changes come last, because some records are only seeded and listed. */
const toTurn = (method: string) => ['POST', 'GET', 'PATCH', 'DELETE'].indexOf(method)

/** The REST API and the inbound webhooks, in a workspace where each documented body succeeds. */
async function runPlatform(server: Server, fetch: Fetch): Promise<void> {
  const { workspace, token } = await seedForEveryRoute(server)
  const requests = sampleRequests(workspace.id)
  /** The id of the newest record below a path, by the path of the route that created or listed it. */
  const newest = new Map<string, number>()
  for (const { method, route, body } of requests.toSorted((a, b) => toTurn(a.method) - toTurn(b.method))) {
    const [records = ''] = route.path.split(recordParam)
    const id = newest.get(records.replace(/\/$/, '')) ?? pathParams.id.example
    const path = fullPath(route).replace('{workspace}', `${workspace.id}`).replace(recordParam, `${id}`)
    const response = await fetch(toRequest({ method, path, headers: { authorization: `Bearer ${token}` }, body }))
    const [record] = [(await response.clone().json())?.data].flat()
    if (record?.id !== undefined && !recordParam.test(route.path)) newest.set(route.path, record.id)
  }
  await prepareInbound(server, workspace.id)
  for (const route of inboundRoutes as readonly Route[]) {
    const [body] = Object.values(docs[route.operation]?.bodies ?? {})
    const path = fullPath(route)
      .replace('{workspace}', `${workspace.id}`)
      .replace('{source}', 'website')
      .replace('{provider}', 'github')
    const headers = await inboundHeaders(server, route, workspace.id)
    await fetch(toRequest({ method: route.method, path, headers, body }))
  }
}

/** The employee and the device of the documented punch. */
async function prepareInbound({ admin }: Server, workspace: number): Promise<void> {
  const at = { workspace }
  await admin.employees.create(at, { name: 'Ben Weber', email: 'ben@acme.example', employee_code: 'E-1008' })
  const device = { source_type: 'zkteco', device_name: 'Warehouse', external_device_id: 'ZK-7F3A' }
  await admin.devices.create(at, device)
  await admin.integrations.update({ ...at, integration: 'github' }, { enabled: true, open_tickets: true })
}

async function inboundHeaders({ admin }: Server, { operation }: Route, workspace: number) {
  const [integration] = operation.split('.')
  if (integration === 'git') return { 'x-github-event': 'issues' }
  const { secret } =
    integration === 'leads'
      ? await admin.leadSources.rotateSecret({ workspace, source: 'website' })
      : await admin.integrations.rotateSecret({
          workspace,
          integration: integration === 'errors' ? integration : 'attendance',
        })
  return { 'x-service-webhook-secret': secret }
}

interface RequestParts {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: unknown
}

function toRequest({ method, path, headers, body }: RequestParts): Request {
  if (body === undefined) return new Request(origin + path, { method, headers })
  const init = { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return new Request(origin + path, init)
}

/** The first delivery of each event, as a receiver got it. */
export async function recordEvents(): Promise<ReadonlyMap<string, RecordedRequest>> {
  await using server = await createTestServer({ clock: '2026-11-20T18:51:53Z' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
  const received = new Map<string, RecordedRequest>()
  for (const event of eventNames) {
    const inbox = server.webhooks.capture(event, { workspace })
    await server.trigger(event)
    await server.settled()
    const [arrival] = inbox.arrivals()
    if (arrival === undefined) throw new Error(`No delivery of ${event} arrived.`)
    received.set(event, {
      method: 'POST',
      path: '/webhooks',
      headers: Object.fromEntries(arrival.headers),
      body: new TextDecoder().decode(arrival.body),
    })
    await inbox.close()
  }
  return received
}
