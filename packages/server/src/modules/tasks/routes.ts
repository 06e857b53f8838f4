import type { taskRoutes } from '@service/contract'
import type { ApiHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const taskHandlers = {
  'tasks.create': async (app, { workspaceId, caller, body }) => ({
    data: await service.createTask(app, { workspaceId, author: caller.user, task: body }),
  }),
} satisfies ApiHandlers<typeof taskRoutes>
