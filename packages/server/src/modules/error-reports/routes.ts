import type { errorAdminRoutes } from '@service/contract/admin/error-reports'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { explainReports } from './explain.ts'
import { getError, listErrors } from './service.ts'

export const errorAdminHandlers = {
  'errorReports.list': paged(listErrors),
  'errorReports.get': getError,
  'errorReports.explain': explainReports,
} satisfies AdminHandlers<typeof errorAdminRoutes>
