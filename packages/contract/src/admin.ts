import { auditAdminRoutes } from './admin/audit.ts'
import { automationAdminRoutes } from './admin/automation.ts'
import { crmAdminRoutes } from './admin/crm.ts'
import { deliveryAdminRoutes } from './admin/deliveries.ts'
import { errorAdminRoutes } from './admin/error-reports.ts'
import { gitAdminRoutes } from './admin/git.ts'
import { hrmsAdminRoutes } from './admin/hrms.ts'
import { inboundDeliveryAdminRoutes } from './admin/inbound-deliveries.ts'
import { integrationAdminRoutes } from './admin/integrations.ts'
import { messageAdminRoutes } from './admin/messages.ts'
import { operationsAdminRoutes } from './admin/operations.ts'
import { overviewAdminRoutes } from './admin/overview.ts'
import { peopleAdminRoutes } from './admin/people.ts'
import { userAdminRoutes } from './admin/users.ts'
import { webhookAdminRoutes } from './admin/webhooks.ts'
import { workAdminRoutes } from './admin/work.ts'
import type { AdminRoute, UnknownParams } from './route.ts'

// Imported as `@service/contract/admin` and never through the index: a server builds these schemas at the first request to
// administration, and most test servers never receive one.

/** The routes of administration. */
export const adminRoutes = [
  ...userAdminRoutes,
  ...peopleAdminRoutes,
  ...overviewAdminRoutes,
  ...auditAdminRoutes,
  ...workAdminRoutes,
  ...messageAdminRoutes,
  ...integrationAdminRoutes,
  ...webhookAdminRoutes,
  ...deliveryAdminRoutes,
  ...hrmsAdminRoutes,
  ...gitAdminRoutes,
  ...errorAdminRoutes,
  ...inboundDeliveryAdminRoutes,
  ...crmAdminRoutes,
  ...automationAdminRoutes,
  ...operationsAdminRoutes,
] as const satisfies readonly AdminRoute[]

type All = (typeof adminRoutes)[number]
true satisfies [UnknownParams<All>] extends [never] ? true : `path-params.ts lacks ${UnknownParams<All>}`
