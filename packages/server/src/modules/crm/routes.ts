import type { crmRoutes } from '@service/contract'
import type { ApiHandlers } from '../../route-handler.ts'
import * as deals from './deals.ts'
import * as service from './service.ts'

export const crmHandlers = {
  'crm.deals.list': async (app, { workspaceId }) => ({ data: await deals.listDeals(app, workspaceId) }),
  'crm.leads.create': async (app, { workspaceId, body }) => ({
    data: await service.createLead(app, workspaceId, body),
  }),
} satisfies ApiHandlers<typeof crmRoutes>
