import type { Context, Hono } from 'hono'
import type { AdminRoute } from '../admin-route.ts'
import type { App } from '../context.ts'
import { automationReads } from '../modules/automation/admin-routes.ts'
import { crmReads } from '../modules/crm/admin-routes.ts'
import { errorReads } from '../modules/error-reports/admin-routes.ts'
import { gitReads } from '../modules/git/admin-routes.ts'
import { hrmsActions, hrmsReads } from '../modules/hrms/admin-routes.ts'
import { inboundDeliveryReads } from '../modules/inbound-deliveries/admin-routes.ts'
import { webhookActions, webhookReads, webhookRoutes } from '../modules/webhooks/admin-routes.ts'
import type { Act, ReadList } from '../read-list.ts'
import { adminCheck, bodyOf, idOf, pageOf, toPage, workspaceOf } from './admin-request.ts'
import type { Door } from './door.ts'
import type { Answer } from './idempotency.ts'
import { mountRoutes } from './mount-routes.ts'

/** What administration can read, one line per module. */
const reads = {
  ...gitReads,
  ...automationReads,
  ...errorReads,
  ...hrmsReads,
  ...crmReads,
  ...inboundDeliveryReads,
  ...webhookReads,
}

/** What it can do to one thing, without saying more. */
const actions = { ...hrmsActions, ...webhookActions }

export const adminBasePath = '/admin/v1'
const inWorkspace = '/workspaces/{workspace}/'

interface Mounted extends Pick<AdminRoute, 'method' | 'path'> {
  answer(app: App, c: Context, workspaceId: number): Promise<Answer>
}

/** Administration over HTTP: a bearer token of its own; lists page by page with `?limit&before`. */
export function mountAdmin(hono: Hono, app: App, door: Door): void {
  const requireAdmin = adminCheck(app)
  const routes = [
    ...Object.entries(reads).map(toRead),
    ...Object.entries(actions).map(toAction),
    ...webhookRoutes.map(toRoute),
  ]
  const mounted = routes.map(({ method, path: last, answer }) => {
    const path = inWorkspace + last
    const handler = door.guard(adminBasePath + path, async (c) => {
      requireAdmin(c)
      return answer(app, c, await workspaceOf(app, c))
    })
    return { route: { method, path }, handler }
  })
  mountRoutes(hono, door, { basePath: adminBasePath, mounted })
}

const toRead = ([path, read]: [string, ReadList]): Mounted => ({
  method: 'GET',
  path,
  async answer(app, c, workspaceId) {
    const page = pageOf(c)
    return toPage(await read(app, workspaceId, { ...page, query: c.req.query() }), page)
  },
})

const toAction = ([path, act]: [string, Act]): Mounted => ({
  method: 'POST',
  path,
  answer: async (app, c, workspaceId) => toJson(await act(app, { workspaceId, id: idOf(c) })),
})

const toRoute = ({ method, path, status, answer }: AdminRoute): Mounted => ({
  method,
  path,
  answer: async (app, c, workspaceId) =>
    toJson(await answer(app, { workspaceId, id: idOf(c), body: await bodyOf(c) }), status),
})

const toJson = (answer: object, status = 200): Answer => ({ status, json: JSON.stringify(answer) })
