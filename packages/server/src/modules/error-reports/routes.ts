import type { errorAdminRoutes } from '@service/contract/admin/error-reports'
import type { AdminHandlers } from '../../route-handler.ts'
import { explainReports } from './explain.ts'
import { countErrors, getError, listErrors } from './service.ts'

export const errorAdminHandlers = {
  'errorReports.list': (app, { workspaceId, query }) => listErrors(app, workspaceId, query),
  'errorReports.count': (app, { workspaceId, query }) => countErrors(app, workspaceId, query),
  'errorReports.get': getError,
  'errorReports.explain': explainReports,
} satisfies AdminHandlers<typeof errorAdminRoutes>
