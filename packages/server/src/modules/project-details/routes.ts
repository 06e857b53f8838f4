import type { projectAdminRoutes } from '@service/contract/admin/work'
import type { AdminHandlers } from '../../route-handler.ts'
import { getProjectDetail } from './service.ts'

export const projectDetailHandlers = {
  'projects.get': getProjectDetail,
} satisfies Pick<AdminHandlers<typeof projectAdminRoutes>, 'projects.get'>
