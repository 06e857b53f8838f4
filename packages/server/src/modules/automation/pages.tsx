import type { WorkspacePages } from '../../ui/page-types.ts'
import { buildNewRule, changeRule, deleteRule, newRule, openRule } from './builder-pages.tsx'
import { ruleList, runList, switchRule } from './list-pages.tsx'
import { changePolicies, slaPolicies } from './sla-pages.tsx'

const role = 'admin'

export const automationPages: WorkspacePages = [
  { method: 'GET', path: '/automation', handle: ruleList },
  { method: 'GET', path: '/automation/runs', handle: runList },
  { method: 'GET', path: '/automation/sla', handle: slaPolicies },
  { method: 'POST', path: '/automation/sla', role, handle: changePolicies },
  { method: 'GET', path: '/automation/new', role, handle: newRule },
  { method: 'POST', path: '/automation/new', role, handle: buildNewRule },
  { method: 'GET', path: '/automation/{id}', role, handle: openRule },
  { method: 'POST', path: '/automation/{id}', role, handle: changeRule },
  { method: 'POST', path: '/automation/{id}/switch', role, handle: switchRule },
  { method: 'POST', path: '/automation/{id}/delete', role, handle: deleteRule },
]
