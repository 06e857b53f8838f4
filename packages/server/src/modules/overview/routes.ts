import type { overviewAdminRoutes } from '@service/contract/admin/overview'
import type { AdminHandlers } from '../../route-handler.ts'
import { getOverview } from './service.ts'

export const overviewAdminHandlers = {
  'overview.get': (app, { workspaceId, query }) =>
    getOverview(app, { workspaceId, period: query.period, subscriptionId: query.subscription_id }),
} satisfies AdminHandlers<typeof overviewAdminRoutes>
