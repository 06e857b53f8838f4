import type { auditAdminRoutes } from '@service/contract/admin/audit'
import { paged, pagedInstance } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { listEntries } from './service.ts'

export const auditAdminHandlers = {
  'auditLog.list': paged(listEntries),
  'auditLog.listAll': pagedInstance((app, query) => listEntries(app, undefined, query)),
} satisfies AdminHandlers<typeof auditAdminRoutes>
