import type { WorkspacePages } from '../../ui/page-types.ts'
import { accountPages } from './account-pages.tsx'
import { createDeal, editDeal, newDeal, updateDeal } from './deal-edit-pages.tsx'
import { dealDetail, dealList, deleteDeal, moveDeal } from './deal-pages.tsx'
import { editLead, leadDetail, leadList, updateLead } from './lead-pages.tsx'
import { leadSourcePages } from './lead-source-pages.tsx'

export const crmPages: WorkspacePages = [
  { method: 'GET', path: '/deals', handle: dealList },
  { method: 'GET', path: '/deals/new', role: 'member', handle: newDeal },
  { method: 'POST', path: '/deals', role: 'member', handle: createDeal },
  { method: 'GET', path: '/deals/{id}', handle: dealDetail },
  { method: 'GET', path: '/deals/{id}/edit', role: 'member', handle: editDeal },
  { method: 'POST', path: '/deals/{id}', role: 'member', handle: updateDeal },
  { method: 'POST', path: '/deals/{id}/stage', role: 'member', handle: moveDeal },
  { method: 'POST', path: '/deals/{id}/delete', role: 'member', handle: deleteDeal },
  ...accountPages,
  { method: 'GET', path: '/leads', handle: leadList },
  { method: 'GET', path: '/leads/{id}', handle: leadDetail },
  { method: 'GET', path: '/leads/{id}/edit', role: 'member', handle: editLead },
  { method: 'POST', path: '/leads/{id}', role: 'member', handle: updateLead },
  ...leadSourcePages,
]
