import type { automationAdminRoutes } from '@service/contract/admin/automation'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { dryRunRule, dryRunStored } from './dry-run-service.ts'
import * as service from './service.ts'

export const automationAdminHandlers = {
  'rules.list': paged(service.listRules),
  'rules.create': (app, { workspaceId, body }) => service.createRule(app, { workspace_id: workspaceId, ...body }),
  'rules.get': service.getRule,
  'rules.update': (app, { body, ...at }) => service.updateRule(app, at, body),
  'rules.delete': service.deleteRule,
  'rules.dryRun': (app, { workspaceId, body: { last, ...rule } }) => dryRunRule(app, { workspaceId, rule, last }),
  'rules.dryRunStored': (app, { workspaceId, id, body: { last } }) => dryRunStored(app, { workspaceId, id, last }),
  'rules.runs': paged(service.listRuns),
  'slaPolicies.list': async (app, { workspaceId }) => ({ data: await service.listSlaPolicies(app, workspaceId) }),
  'slaPolicies.get': service.getSlaPolicy,
  'slaPolicies.update': (app, { workspaceId, priority, body }) =>
    service.setSlaPolicy(app, { workspace_id: workspaceId, priority, ...body }),
} satisfies AdminHandlers<typeof automationAdminRoutes>
