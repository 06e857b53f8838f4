import type { memberAdminRoutes } from '@service/contract/admin/people'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const memberAdminHandlers = {
  'members.list': paged(service.listMembers),
  'members.create': (app, { workspaceId, body, caller }) =>
    service.addMemberAs(app, caller, { workspace_id: workspaceId, ...body }),
  'members.get': service.getMember,
  'members.update': (app, { body, caller, ...at }) => service.updateMember(app, caller, { ...at, patch: body }),
  'members.delete': (app, { caller, ...at }) => service.deleteMember(app, caller, at),
} satisfies AdminHandlers<typeof memberAdminRoutes>
