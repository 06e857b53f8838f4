import type { projectRoutes } from '@service/contract'
import type { ApiHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const projectHandlers = {
  'projects.list': async (app, { workspaceId }) => ({ data: await service.listProjects(app, workspaceId) }),
} satisfies ApiHandlers<typeof projectRoutes>
