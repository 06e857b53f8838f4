import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import * as deals from '../modules/crm/deals.ts'
import { DealPatch, LeadPatch, LeadSourceSecret, LeadSourceSwitch, NewAccount, NewDeal } from '../modules/crm/input.ts'
import * as leadSources from '../modules/crm/lead-sources.ts'
import * as crm from '../modules/crm/service.ts'
import { at, type Place } from './place.ts'

/** Accounts, deals, leads and where leads come from. */
export const crmAdmin = (app: App) => ({
  accounts: {
    create: async (input: NewAccount) => deals.createAccount(app, checkInput(NewAccount, input)),
    list: (workspaceId: number) => deals.listAccounts(app, workspaceId),
  },
  deals: {
    create: async (input: NewDeal) => deals.createDeal(app, checkInput(NewDeal, input)),
    list: (workspaceId: number) => deals.listDeals(app, workspaceId),
    update: async (place: Place, patch: DealPatch) => deals.updateDeal(app, at(place), checkInput(DealPatch, patch)),
  },
  leadSources: {
    set: async (input: LeadSourceSwitch) => leadSources.switchLeadSource(app, checkInput(LeadSourceSwitch, input)),
    list: (workspaceId: number) => leadSources.listLeadSources(app, workspaceId),
    /** The secret is in this answer and nowhere else; an older one stops at once. */
    regenerateSecret: ({ workspace_id, source }: { workspace_id: number; source: string }) =>
      leadSources.regenerateLeadSourceSecret(app, { workspaceId: workspace_id, source }),
    /** Takes the secret that the platform has given: Meta's app secret, LinkedIn's client secret. */
    setSecret: async (input: LeadSourceSecret) => {
      const { workspace_id, source, secret } = checkInput(LeadSourceSecret, input)
      return leadSources.setLeadSourceSecret(app, { workspaceId: workspace_id, source }, secret)
    },
  },
  leads: {
    list: (workspaceId: number) => crm.listLeads(app, workspaceId),
    update: async (place: Place, patch: LeadPatch) => crm.updateLead(app, at(place), checkInput(LeadPatch, patch)),
  },
})
