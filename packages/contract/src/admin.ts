import { auditAdminDocs, auditAdminRoutes } from './admin/audit.ts'
import { automationAdminDocs, automationAdminRoutes } from './admin/automation.ts'
import { crmAdminDocs, crmAdminRoutes } from './admin/crm.ts'
import { deliveryAdminDocs, deliveryAdminRoutes } from './admin/deliveries.ts'
import { errorAdminDocs, errorAdminRoutes } from './admin/error-reports.ts'
import { gitAdminDocs, gitAdminRoutes } from './admin/git.ts'
import { hrmsAdminDocs, hrmsAdminRoutes } from './admin/hrms.ts'
import { inboundDeliveryAdminDocs, inboundDeliveryAdminRoutes } from './admin/inbound-deliveries.ts'
import { integrationAdminDocs, integrationAdminRoutes } from './admin/integrations.ts'
import { messageAdminDocs, messageAdminRoutes } from './admin/messages.ts'
import { operationsAdminDocs, operationsAdminRoutes } from './admin/operations.ts'
import { overviewAdminDocs, overviewAdminRoutes } from './admin/overview.ts'
import { peopleAdminDocs, peopleAdminRoutes } from './admin/people.ts'
import { userAdminDocs, userAdminRoutes } from './admin/users.ts'
import { webhookAdminDocs, webhookAdminRoutes } from './admin/webhooks.ts'
import { workAdminDocs, workAdminRoutes } from './admin/work.ts'
import type { AdminRoute, UnknownParams } from './route.ts'
import type { DocsOf } from './route-docs.ts'

// Imported as `@service/contract/admin` and never through the index: a server builds these schemas at the first request to
// administration, and one in a test is rarely asked.

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

/** Summary, description and examples of each operation of administration. */
export const adminDocs = (): DocsOf<typeof adminRoutes> => ({
  ...userAdminDocs(),
  ...peopleAdminDocs(),
  ...overviewAdminDocs(),
  ...auditAdminDocs(),
  ...workAdminDocs(),
  ...messageAdminDocs(),
  ...integrationAdminDocs(),
  ...webhookAdminDocs(),
  ...deliveryAdminDocs(),
  ...hrmsAdminDocs(),
  ...gitAdminDocs(),
  ...errorAdminDocs(),
  ...inboundDeliveryAdminDocs(),
  ...crmAdminDocs(),
  ...automationAdminDocs(),
  ...operationsAdminDocs(),
})
