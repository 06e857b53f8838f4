import type { gitAdminRoutes } from '@service/contract/admin/git'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { listActivities } from './service.ts'

export const gitAdminHandlers = {
  'activities.list': paged(listActivities),
} satisfies AdminHandlers<typeof gitAdminRoutes>
