import { apiBasePath, apiRoutes } from '@service/contract'
import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { crmHandlers } from '../modules/crm/routes.ts'
import { hrmsHandlers } from '../modules/hrms/routes.ts'
import { projectHandlers } from '../modules/projects/routes.ts'
import { taskHandlers } from '../modules/tasks/routes.ts'
import { ticketHandlers } from '../modules/tickets/routes.ts'
import type { AnyApiHandler, ApiHandlers } from '../route-handler.ts'
import { handleApiRequest } from './api-handler.ts'
import { mountRoutes } from './mount-routes.ts'
import type { RequestPipeline } from './request-pipeline.ts'

const handlers = {
  ...ticketHandlers,
  ...taskHandlers,
  ...projectHandlers,
  ...hrmsHandlers,
  ...crmHandlers,
} satisfies ApiHandlers<typeof apiRoutes>

export function mountApi(hono: Hono, app: App, pipeline: RequestPipeline): void {
  const mounted = apiRoutes.map((route) => {
    const handler = handlers[route.operation] as AnyApiHandler // `satisfies` ties it to this route
    return { route, handler: handleApiRequest(app, pipeline, { route, handler }) }
  })
  mountRoutes(hono, pipeline, { basePath: apiBasePath, mounted })
}
