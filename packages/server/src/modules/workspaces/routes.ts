import type { workspaceAdminRoutes } from '@service/contract/admin/people'
import { pagedInstance } from '../../core/pagination.ts'
import type { AdminHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const workspaceAdminHandlers = {
  'workspaces.list': pagedInstance(service.listWorkspacesPage),
  'workspaces.create': (app, { body }) => service.createWorkspace(app, body),
  'workspaces.get': (app, { workspaceId }) => service.getWorkspace(app, workspaceId),
  'workspaces.update': (app, { workspaceId, body, caller }) =>
    service.updateWorkspace(app, caller, { ...body, id: workspaceId }),
} satisfies AdminHandlers<typeof workspaceAdminRoutes>
