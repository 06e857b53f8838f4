import { listEmployees, recordPunch } from '@service/contract'
import { answers } from '../../route-handler.ts'
import * as attendance from './attendance/service.ts'
import * as service from './service.ts'

export const hrmsRoutes = [
  answers(listEmployees, async (app, { workspaceId }) => ({ data: await service.listEmployees(app, workspaceId) })),
  answers(
    recordPunch,
    (app, { workspaceId, body }) => attendance.recordPunch(app, { workspaceId, punch: body, via: 'api' }),
    // The reference heads this case 422 (§7); over REST there is no other reading.
    (_app, result) => (result.recorded ? 200 : 422),
  ),
]
