import type { crmRoutes } from '@service/contract'
import type { crmAdminRoutes } from '@service/contract/admin/crm'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers, ApiHandlers } from '../../route-handler.ts'
import { convertLead } from './convert-lead-service.ts'
import * as deals from './deal-service.ts'
import { explainLeads } from './explain-lead-service.ts'
import * as leads from './lead-service.ts'
import * as sources from './lead-source-service.ts'

export const crmHandlers = {
  'crm.deals.list': async (app, { workspaceId }) => ({ data: (await deals.listDeals(app, workspaceId)).data }),
  'crm.leads.create': async (app, { workspaceId, body }) => ({
    data: await leads.createLead(app, workspaceId, body),
  }),
} satisfies ApiHandlers<typeof crmRoutes>

export const crmAdminHandlers = {
  'accounts.list': paged(deals.listAccounts),
  'accounts.create': (app, { workspaceId, body }) => deals.createAccount(app, { workspace_id: workspaceId, ...body }),
  'accounts.get': deals.getAccount,
  'accounts.update': (app, { body, ...account }) => deals.updateAccount(app, account, body),
  'accounts.delete': deals.deleteAccount,
  'deals.list': (app, { workspaceId, query }) => deals.listDeals(app, workspaceId, query),
  'deals.create': (app, { workspaceId, body }) => deals.createDeal(app, { workspace_id: workspaceId, ...body }),
  'deals.get': deals.getDealDetail,
  'deals.update': (app, { body, ...deal }) => deals.updateDeal(app, deal, body),
  'deals.delete': deals.deleteDeal,
  'leads.list': (app, { workspaceId, query }) => leads.listLeadsPage(app, workspaceId, query),
  'leads.create': (app, { workspaceId, body }) => leads.enterLead(app, workspaceId, body),
  'leads.convert': (app, { body, ...lead }) => convertLead(app, lead, body),
  'leads.get': leads.getLeadDetail,
  'leads.update': (app, { body, ...lead }) => leads.updateLead(app, lead, body),
  'leadEnquiries.list': paged((app, workspaceId, { lead_id: leadId, email, ...page }) =>
    leads.listEnquiriesPage(app, { workspaceId, leadId, email }, page),
  ),
  'leadSources.list': async (app, { workspaceId }) => ({ data: await sources.listAllLeadSources(app, workspaceId) }),
  'leadSources.get': sources.getLeadSource,
  'leadSources.update': (app, { body, ...ref }) => sources.updateLeadSource(app, ref, body),
  'leadSources.explain': explainLeads,
  'leadSources.rotateSecret': sources.rotateLeadSourceSecret,
} satisfies AdminHandlers<typeof crmAdminRoutes>
