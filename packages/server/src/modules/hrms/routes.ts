import type { hrmsRoutes } from '@service/contract'
import type { ApiHandlers } from '../../route-handler.ts'
import * as attendance from './attendance/service.ts'
import * as service from './service.ts'

export const hrmsHandlers = {
  'hrms.employees.list': async (app, { workspaceId }) => ({ data: await service.listEmployees(app, workspaceId) }),
  'hrms.attendance.punch': {
    handle: (app, { workspaceId, body }) => attendance.recordPunch(app, { workspaceId, punch: body, via: 'api' }),
    // The reference heads this case 422 (§7); over REST there is no other reading.
    status: (_app, result) => (result.recorded ? 200 : 422),
  },
} satisfies ApiHandlers<typeof hrmsRoutes>
