import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { auditExportRoutes } from '@service/contract/admin/audit'
import { backupDownloadRoutes } from '@service/contract/admin/operations'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { seedWorkspace } from './workspace.ts'

const adminToken = 'admin-token-of-enough-characters'
const encryptionKey = 'a key of thirty-two characters at least'
const roles = ['viewer', 'member', 'admin', 'owner'] as const
const order: readonly string[] = ['public', 'person', ...roles, 'instance']
const routes: readonly AdminRoute[] = [...adminRoutes, ...auditExportRoutes, ...backupDownloadRoutes]

interface Caller {
  readonly name: string
  readonly token: string | undefined
  /** Whether the caller belongs to the requested workspace, another workspace, or the instance. */
  readonly of: 'own' | 'other' | 'instance' | 'nowhere'
  readonly role?: string
  readonly scopes?: readonly string[]
}

/** Two workspaces and one caller of each kind for the first. */
async function withCallers(server: Server) {
  const own = (await seedWorkspace(server, { name: 'Acme' })).workspace.id
  const other = (await seedWorkspace(server, { name: 'Umbrella' })).workspace.id
  const callers: Caller[] = [
    { name: 'anonymous', token: undefined, of: 'nowhere' },
    { name: 'instance token', token: adminToken, of: 'instance', role: 'instance' },
  ]
  for (const [of, workspace] of [
    ['own', own],
    ['other', other],
  ] as const) {
    for (const role of roles) {
      const person = await signedIn(server, `${of}-${role}`)
      await server.admin.members.create({ workspace }, { name: role, email: person.email, role })
      callers.push({ name: `${role} of ${of}`, token: person.token, of, role })
    }
    const [member] = (await server.admin.members.list({ workspace })).data
    for (const scope of ['webhooks:manage', 'tickets:write'] as const) {
      const { token } = await server.admin.tokens.create({ workspace }, { user_id: member?.id, scopes: [scope] })
      callers.push({ name: `token with ${scope} of ${of}`, token, of, scopes: [scope] })
    }
  }
  const administrator = await signedIn(server, 'administrator', { isInstanceAdmin: true })
  callers.push({ name: 'instance administrator', token: administrator.token, of: 'instance', role: 'instance' })
  return { own, other, callers }
}

/** The status that the route's role implies for a caller: 401, 403, 404, or undefined if allowed. */
function refusalOf({ role, scope, path }: AdminRoute, caller: Caller): number | undefined {
  if (role === 'public') return undefined
  if (caller.token === undefined) return 401
  const isInWorkspace = path.includes('{workspace}')
  if (isInWorkspace && caller.of === 'other') return 404
  if (caller.scopes !== undefined) return scope !== undefined && caller.scopes.includes(scope) ? undefined : 403
  if (role === 'person') return caller.name === 'instance token' ? 403 : undefined
  const held = isInWorkspace || caller.of === 'instance' ? (caller.role ?? '') : 'person'
  return order.indexOf(held) >= order.indexOf(role) ? undefined : 403
}

const missingId = 987_654

const pathOf = ({ path }: AdminRoute, workspace: number, id = missingId) =>
  paramNamesIn(path).reduce<string>((filled, name) => {
    const value = { workspace, id }[String(name)] ?? pathParams[name].example
    return filled.replace(`{${name}}`, String(value))
  }, path)

/** A body that almost no route accepts. Access is checked before the body is read. */
const bodyOf = ({ method }: AdminRoute) => (method === 'POST' || method === 'PATCH' ? { workspace: 1 } : undefined)

type Answer = Awaited<ReturnType<typeof askAdmin>>

/** The problem with a response, judged by the route's role. */
function problemOf(route: AdminRoute, caller: Caller, { status, body, headers }: Answer): string | undefined {
  const expected = refusalOf(route, caller)
  const told = `${route.operation} as ${caller.name}: ${status} ${JSON.stringify(body)}`
  if (route.role === 'public') return undefined
  if (expected === undefined) return status === 401 || status === 403 ? told : undefined
  if (status !== expected) return `${told}, not ${expected}`
  if (status === 401) return headers.get('www-authenticate') === 'Bearer' ? undefined : told
  const namesRole = caller.scopes !== undefined || route.role === 'person' || body.message.includes(route.role)
  return status === 403 && !namesRole ? told : undefined
}

/** Creates one record of each kind with a name or text. Returns ids that exist only in this workspace. */
async function fill({ admin }: Server, workspace: number, text: string): Promise<number[]> {
  const at = { workspace }
  const project = await admin.projects.create(at, { name: text })
  const ticket = await admin.tickets.create(at, { title: text, project_id: project.id })
  const task = await admin.tasks.create(at, { title: text })
  const channel = await admin.channels.create(at, { name: text })
  const message = await admin.messages.create(at, { channel_id: channel.id, body: text })
  const account = await admin.accounts.create(at, { name: text })
  const deal = await admin.deals.create(at, { title: text })
  const device = await admin.devices.create(at, { source_type: 'kiosk', device_name: text })
  const webhook = await admin.webhooks.create(at, { url: 'https://example.com/', events: ['*'], description: text })
  const person = await admin.members.create(at, { name: text, email: 'hidden@people.example' })
  const token = await admin.tokens.create(at, { user_id: person.id, name: text, scopes: ['tickets:read'] })
  const all = [project, ticket, task, channel, message, account, deal, device, webhook, person, token]
  return [...new Set(all.map(({ id }) => id))]
}

/** All lists of a workspace in the admin API. */
async function shownOf(server: Server, workspace: number) {
  const lists = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/workspaces/{workspace}'))
  const ask = (route: AdminRoute) => askAdmin(server, adminToken, [route.method, pathOf(route, workspace)])
  const answers: unknown[] = []
  for (const route of lists) answers.push([route.operation, (await ask(route)).body])
  return answers
}

onEveryStore('administration', (start) => {
  test('allows callers only the routes of their role', async () => {
    const server = await start({ adminToken, encryptionKey })
    const { own, callers } = await withCallers(server)
    const wrong: unknown[] = []
    for (const route of routes) {
      for (const caller of callers) {
        const request = [route.method, pathOf(route, own), bodyOf(route)] as const
        const found = problemOf(route, caller, await askAdmin(server, caller.token, request))
        if (found !== undefined) wrong.push(found)
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  test('does not reveal a workspace to people of another one', async () => {
    const server = await start({ adminToken, encryptionKey })
    const { own, callers } = await withCallers(server)
    const missing = 4711
    for (const caller of callers.filter(({ of, name }) => of === 'other' && /owner|webhooks/.test(name))) {
      for (const route of routes.filter(({ path }) => path.includes('{workspace}'))) {
        const ask = (workspace: number) =>
          askAdmin(server, caller.token, [route.method, pathOf(route, workspace), bodyOf(route)])
        const [there, nowhere] = [await ask(own), await ask(missing)]
        const sentence = JSON.stringify(there.body).replaceAll(String(own), String(missing))
        expect([there.status, sentence]).toEqual([404, JSON.stringify(nowhere.body)])
      }
    }
  }, 120_000)

  test('shows no records of another workspace, whatever ids are requested', async () => {
    const server = await start({ adminToken, encryptionKey })
    const { own, other, callers } = await withCallers(server)
    const hidden = 'hidden-in-umbrella'
    const ids = await fill(server, other, hidden)
    const shown = await shownOf(server, other)
    const owner = callers.find(({ name }) => name === 'owner of own')
    for (const route of routes.filter(({ method, path }) => method === 'GET' && path.includes('{workspace}'))) {
      for (const id of route.path.includes('{id}') ? ids : [missingId]) {
        const { body } = await askAdmin(server, owner?.token, [route.method, pathOf(route, own, id)])
        expect(JSON.stringify(body), `${route.operation} ${id}`).not.toContain(hidden)
      }
    }
    const changing = routes.filter(({ method, path }) => method !== 'GET' && path.includes('/{id}'))
    for (const route of changing.filter(({ path }) => path.includes('{workspace}'))) {
      for (const id of ids) {
        const { body } = await askAdmin(server, owner?.token, [route.method, pathOf(route, own, id), bodyOf(route)])
        expect(JSON.stringify(body), `${route.operation} ${id}`).not.toContain(hidden)
      }
    }
    expect(await shownOf(server, other)).toEqual(shown)
  }, 120_000)
})
