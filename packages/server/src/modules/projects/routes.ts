import type { projectRoutes } from '@service/contract'
import type { projectAdminRoutes } from '@service/contract/admin/work'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers, ApiHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const projectHandlers = {
  'projects.list': async (app, { workspaceId }) => ({ data: [...(await service.listProjects(app, workspaceId))] }),
} satisfies ApiHandlers<typeof projectRoutes>

export const projectAdminHandlers = {
  'projects.list': paged(service.listProjects),
  'projects.create': (app, { workspaceId, body }) => service.createProject(app, { workspace_id: workspaceId, ...body }),
  'projects.update': (app, { body, ...at }) => service.updateProject(app, at, body),
} satisfies Omit<AdminHandlers<typeof projectAdminRoutes>, 'projects.get'>
