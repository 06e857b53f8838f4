import { crmRoutes } from './crm.ts'
import { hrmsRoutes } from './hrms.ts'
import { projectRoutes } from './projects.ts'
import type { ApiRoute } from './route.ts'
import { taskRoutes } from './tasks.ts'
import { ticketRoutes } from './tickets.ts'

/** The authenticated routes, in the order of the platform's document (§4). */
export const apiRoutes = [
  ...ticketRoutes,
  ...taskRoutes,
  ...projectRoutes,
  ...hrmsRoutes,
  ...crmRoutes,
] as const satisfies readonly ApiRoute[]
