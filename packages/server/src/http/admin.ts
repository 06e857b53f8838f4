import { type AdminRoute, adminBasePath } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { Hono } from 'hono'
import type { App } from '../context.ts'
import { auditAdminHandlers } from '../modules/audit-log/routes.ts'
import { automationAdminHandlers } from '../modules/automation/routes.ts'
import { backupAdminHandlers } from '../modules/backups/routes.ts'
import { crmAdminHandlers } from '../modules/crm/routes.ts'
import { errorAdminHandlers } from '../modules/error-reports/routes.ts'
import { gitAdminHandlers } from '../modules/git/routes.ts'
import { hrmsAdminHandlers } from '../modules/hrms/routes.ts'
import { inboundDeliveryAdminHandlers } from '../modules/inbound-replay/routes.ts'
import { integrationAdminHandlers } from '../modules/integrations/routes.ts'
import { memberAdminHandlers } from '../modules/members/routes.ts'
import { messageAdminHandlers } from '../modules/messages/routes.ts'
import { overviewAdminHandlers } from '../modules/overview/routes.ts'
import { projectDetailHandlers } from '../modules/project-details/routes.ts'
import { projectAdminHandlers } from '../modules/projects/routes.ts'
import { taskAdminHandlers } from '../modules/tasks/routes.ts'
import { ticketDetailHandlers } from '../modules/ticket-details/routes.ts'
import { ticketAdminHandlers } from '../modules/tickets/routes.ts'
import { tokenAdminHandlers } from '../modules/tokens/routes.ts'
import { userAdminHandlers } from '../modules/users/routes.ts'
import { deliveryAdminHandlers, webhookAdminHandlers } from '../modules/webhooks/routes.ts'
import { workspaceAdminHandlers } from '../modules/workspaces/routes.ts'
import type { AdminFunction, AdminHandler, AdminHandlers } from '../route-handler.ts'
import { adminAccess } from './admin-access.ts'
import { handleAdminRequest } from './admin-handler.ts'
import { auditExports } from './audit-export.ts'
import { backupDownloads } from './backup-download.ts'
import { mountRoutes, refuseUnknown } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'
import { systemAdminHandlers } from './system.ts'

const handlers = {
  ...workspaceAdminHandlers,
  ...memberAdminHandlers,
  ...tokenAdminHandlers,
  ...ticketAdminHandlers,
  ...ticketDetailHandlers,
  ...taskAdminHandlers,
  ...projectAdminHandlers,
  ...projectDetailHandlers,
  ...userAdminHandlers,
  ...overviewAdminHandlers,
  ...auditAdminHandlers,
  ...messageAdminHandlers,
  ...integrationAdminHandlers,
  ...webhookAdminHandlers,
  ...deliveryAdminHandlers,
  ...hrmsAdminHandlers,
  ...gitAdminHandlers,
  ...errorAdminHandlers,
  ...inboundDeliveryAdminHandlers,
  ...crmAdminHandlers,
  ...automationAdminHandlers,
  ...backupAdminHandlers,
  ...systemAdminHandlers,
} satisfies AdminHandlers<typeof adminRoutes>

export function createAdminRoutes(app: App, pipeline: RequestPipeline): Hono {
  const hono = new Hono()
  const parts = { app, pipeline, authorize: adminAccess(app) }
  const mounted = adminRoutes.map((route) => {
    const handler = handlers[route.operation] as AdminHandler<AdminRoute> // `satisfies` ties it to this route
    return { route, handler: handleAdminRequest(app, parts, { route, handler, reader: readerFor(route) }) }
  })
  mountRoutes(hono, pipeline, {
    basePath: adminBasePath,
    mounted: [...mounted, ...auditExports(parts), ...backupDownloads(parts)],
  })
  refuseUnknown(hono, pipeline)
  return hono
}

/** The handler of the GET on the same path, or on the resource of an action; undefined for lists. */
function readerFor({ path, method }: AdminRoute): AdminFunction<AdminRoute> | undefined {
  const parent = path.slice(0, path.lastIndexOf('/'))
  const isAction = parent.endsWith('}') && !parent.endsWith('{workspace}')
  if (method === 'POST' && !isAction) return undefined
  const about = method === 'POST' ? parent : path
  const found = adminRoutes.find((route) => route.method === 'GET' && route.path === about && !isList(route))
  const handler = found && (handlers[found.operation] as AdminHandler<AdminRoute>) // as above
  return handler === undefined || 'prepare' in handler ? undefined : handler
}

const isList = ({ query }: AdminRoute): boolean => query !== undefined && 'limit' in query.shape
