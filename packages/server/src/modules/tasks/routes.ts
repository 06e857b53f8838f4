import { createTask } from '@service/contract'
import { answers } from '../../route-handler.ts'
import * as service from './service.ts'

export const taskRoutes = [
  answers(createTask, async (app, { workspaceId, caller, body }) => ({
    data: await service.createTask(app, { workspaceId, author: caller.user, task: body }),
  })),
]
