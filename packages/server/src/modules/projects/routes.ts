import { listProjects } from '@service/contract'
import { answers } from '../../route-handler.ts'
import * as service from './service.ts'

export const projectRoutes = [
  answers(listProjects, async (app, { workspaceId }) => ({ data: await service.listProjects(app, workspaceId) })),
]
