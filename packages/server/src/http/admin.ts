import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { automationReads } from '../modules/automation/admin-routes.ts'
import { crmReads } from '../modules/crm/admin-routes.ts'
import { errorReads } from '../modules/error-reports/admin-routes.ts'
import { gitReads } from '../modules/git/admin-routes.ts'
import { hrmsActions, hrmsReads } from '../modules/hrms/admin-routes.ts'
import { inboundDeliveryReads } from '../modules/inbound-deliveries/admin-routes.ts'
import { webhookActions, webhookReads } from '../modules/webhooks/admin-routes.ts'
import { adminCheck, pageOf, toPage, workspaceOf } from './admin-request.ts'
import type { Door } from './door.ts'

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

const actions = { ...hrmsActions, ...webhookActions }

const basePath = '/admin/v1'

/** Administration over HTTP: a bearer token of its own; lists page by page with `?limit&before`. */
export function mountAdmin(hono: Hono, app: App, door: Door): void {
  const requireAdmin = adminCheck(app)
  for (const [name, read] of Object.entries(reads)) {
    const path = `${basePath}/workspaces/:workspace{[0-9]+}/${name}`
    hono.get(
      path,
      door.guard(path, async (c) => {
        requireAdmin(c)
        const workspaceId = await workspaceOf(app, c)
        const page = pageOf(c)
        return toPage(await read(app, workspaceId, page), page)
      }),
    )
  }
  for (const [name, act] of Object.entries(actions)) {
    const path = `${basePath}/workspaces/:workspace{[0-9]+}/${name}`
    hono.post(
      path,
      door.guard(path, async (c) => {
        requireAdmin(c)
        const workspaceId = await workspaceOf(app, c)
        return { status: 200, json: JSON.stringify(await act(app, { workspaceId, id: Number(c.req.param('id')) })) }
      }),
    )
  }
}
