import type { taskRoutes } from '@service/contract'
import type { taskAdminRoutes } from '@service/contract/admin/work'
import { actorOf, toAuthorId } from '../../core/admin-caller.ts'
import type { AdminHandlers, ApiHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const taskHandlers = {
  'tasks.create': async (app, { workspaceId, caller, body }) => ({
    data: await service.createTask(app, { workspaceId, author: caller.user, task: body }),
  }),
} satisfies ApiHandlers<typeof taskRoutes>

export const taskAdminHandlers = {
  'tasks.list': (app, { workspaceId, query }) => service.listTasks(app, workspaceId, query),
  'tasks.create': (app, { caller, workspaceId, body: { created_by: id, ...task } }) => {
    const created_by = toAuthorId(caller, { field: 'created_by', id })
    return service.createTaskBy({ ...app, actor: actorOf(caller) }, { workspaceId, created_by, task })
  },
  'tasks.get': service.getTaskDetail,
  'tasks.update': (app, { body, ...at }) => service.updateTask(app, at, body),
  'tasks.delete': service.deleteTask,
} satisfies AdminHandlers<typeof taskAdminRoutes>
