import { apiBasePath } from '@service/contract'
import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { crmRoutes } from '../modules/crm/routes.ts'
import { hrmsRoutes } from '../modules/hrms/routes.ts'
import { projectRoutes } from '../modules/projects/routes.ts'
import { taskRoutes } from '../modules/tasks/routes.ts'
import { ticketRoutes } from '../modules/tickets/routes.ts'
import type { Door } from './door.ts'
import { implement } from './implement.ts'
import { mountRoutes } from './mount-routes.ts'

/** The authenticated REST API: one line per module. */
const apiHandlers = [...ticketRoutes, ...taskRoutes, ...projectRoutes, ...hrmsRoutes, ...crmRoutes]

export function mountApi(hono: Hono, app: App, door: Door): void {
  const mounted = apiHandlers.map((handler) => ({ route: handler.route, handler: implement(app, door, handler) }))
  mountRoutes(hono, door, { basePath: apiBasePath, mounted })
}
