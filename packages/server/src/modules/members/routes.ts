import type { memberAdminRoutes } from '@service/contract/admin/people'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import { listSavedViews, setSavedViews } from './saved-view-service.ts'
import * as service from './service.ts'
import * as sharedViews from './shared-view-service.ts'

export const memberAdminHandlers = {
  'members.list': paged(service.listMembers),
  'members.create': (app, { workspaceId, body, caller }) =>
    service.addMemberAs(app, caller, { workspace_id: workspaceId, ...body }),
  'members.get': service.getMember,
  'members.update': (app, { body, caller, ...at }) => service.updateMember(app, caller, { ...at, patch: body }),
  'members.delete': (app, { caller, ...at }) => service.deleteMember(app, caller, at),
  'views.list': listSavedViews,
  'views.update': (app, { body, ...ref }) => setSavedViews(app, ref, body.data),
  'sharedViews.list': sharedViews.listSharedViews,
  'sharedViews.create': (app, { body, workspaceId, caller }) =>
    sharedViews.shareView(app, { ...body, workspaceId, caller }),
  'sharedViews.get': sharedViews.getSharedView,
  'sharedViews.update': (app, { body, ...ref }) => sharedViews.renameSharedView(app, ref, body.name),
  'sharedViews.delete': sharedViews.deleteSharedView,
} satisfies AdminHandlers<typeof memberAdminRoutes>
