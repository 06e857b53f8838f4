import { createLead, listDeals } from '@service/contract'
import { answers } from '../../route-handler.ts'
import * as deals from './deals.ts'
import * as service from './service.ts'

export const crmRoutes = [
  answers(listDeals, async (app, { workspaceId }) => ({ data: await deals.listDeals(app, workspaceId) })),
  answers(createLead, async (app, { workspaceId, body }) => ({
    data: await service.createLead(app, workspaceId, body),
  })),
]
