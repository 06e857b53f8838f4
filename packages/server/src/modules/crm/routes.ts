import type { crmRoutes } from '@service/contract'
import type { crmAdminRoutes } from '@service/contract/admin/crm'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers, ApiHandlers } from '../../route-handler.ts'
import * as deals from './deals.ts'
import { explainLeads } from './explain.ts'
import * as sources from './lead-source-service.ts'
import * as service from './service.ts'
import * as leads from './service.ts'

export const crmHandlers = {
  'crm.deals.list': async (app, { workspaceId }) => ({ data: await deals.listDeals(app, workspaceId) }),
  'crm.leads.create': async (app, { workspaceId, body }) => ({
    data: await service.createLead(app, workspaceId, body),
  }),
} satisfies ApiHandlers<typeof crmRoutes>

export const crmAdminHandlers = {
  'accounts.list': paged(deals.listAccounts),
  'accounts.create': (app, { workspaceId, body }) => deals.createAccount(app, { workspace_id: workspaceId, ...body }),
  'accounts.get': deals.getAccount,
  'accounts.update': (app, { body, ...at }) => deals.updateAccount(app, at, body),
  'accounts.delete': deals.deleteAccount,
  'deals.list': paged(deals.listDeals),
  'deals.create': (app, { workspaceId, body }) => deals.createDeal(app, { workspace_id: workspaceId, ...body }),
  'deals.get': deals.getDeal,
  'deals.update': (app, { body, ...at }) => deals.updateDeal(app, at, body),
  'deals.delete': deals.deleteDeal,
  'leads.list': paged(leads.listLeadsPage),
  'leads.get': leads.getLeadDetail,
  'leads.update': (app, { body, ...at }) => leads.updateLead(app, at, body),
  'leadEnquiries.list': paged((app, workspaceId, { lead_id: leadId, ...page }) =>
    leads.listEnquiriesPage(app, { workspaceId, leadId }, page),
  ),
  'leadSources.list': async (app, { workspaceId }) => ({ data: await sources.listAllLeadSources(app, workspaceId) }),
  'leadSources.get': sources.getLeadSource,
  'leadSources.update': (app, { body, ...at }) => sources.updateLeadSource(app, at, body),
  'leadSources.explain': explainLeads,
  'leadSources.rotateSecret': sources.rotateLeadSourceSecret,
} satisfies AdminHandlers<typeof crmAdminRoutes>
