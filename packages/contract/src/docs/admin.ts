import type { adminRoutes } from '../admin.ts'
import type { DocsOf } from '../route-docs.ts'
import { auditAdminDocs } from './admin/audit.ts'
import { automationAdminDocs } from './admin/automation.ts'
import { crmAdminDocs } from './admin/crm.ts'
import { deliveryAdminDocs } from './admin/deliveries.ts'
import { errorAdminDocs } from './admin/error-reports.ts'
import { gitAdminDocs } from './admin/git.ts'
import { hrmsAdminDocs } from './admin/hrms.ts'
import { inboundDeliveryAdminDocs } from './admin/inbound-deliveries.ts'
import { integrationAdminDocs } from './admin/integrations.ts'
import { messageAdminDocs } from './admin/messages.ts'
import { operationsAdminDocs } from './admin/operations.ts'
import { overviewAdminDocs } from './admin/overview.ts'
import { peopleAdminDocs } from './admin/people.ts'
import { userAdminDocs } from './admin/users.ts'
import { webhookAdminDocs } from './admin/webhooks.ts'
import { workAdminDocs } from './admin/work.ts'

/** Summary, description and examples of each operation of administration. */
export const adminDocs: DocsOf<typeof adminRoutes> = {
  ...userAdminDocs,
  ...peopleAdminDocs,
  ...overviewAdminDocs,
  ...auditAdminDocs,
  ...workAdminDocs,
  ...messageAdminDocs,
  ...integrationAdminDocs,
  ...webhookAdminDocs,
  ...deliveryAdminDocs,
  ...hrmsAdminDocs,
  ...gitAdminDocs,
  ...errorAdminDocs,
  ...inboundDeliveryAdminDocs,
  ...crmAdminDocs,
  ...automationAdminDocs,
  ...operationsAdminDocs,
}
