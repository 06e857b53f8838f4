import type { hrmsRoutes } from '@service/contract'
import type { hrmsAdminRoutes } from '@service/contract/admin/hrms'
import { paged } from '../../core/pagination.ts'
import type { AdminHandlers, ApiHandlers } from '../../route-handler.ts'
import * as corrections from './attendance/correction-service.ts'
import { listHours } from './attendance/hours-service.ts'
import * as attendance from './attendance/service.ts'
import { explainPunch } from './punch-webhook-service.ts'
import { refuseOtherTime } from './read-punch.ts'
import * as service from './service.ts'

export const hrmsHandlers = {
  'hrms.employees.list': async (app, { workspaceId }) => ({
    data: [...(await service.listEmployees(app, workspaceId))],
  }),
  'hrms.attendance.punch': {
    handle: (app, { workspaceId, body }) => attendance.recordPunch(app, { workspaceId, punch: body, via: 'api' }),
    checkUnknown: (app, json) =>
      refuseOtherTime(json, { now: app.clock.now(), remedy: 'Send it as timestamp, with a UTC offset.' }),
    // The reference lists this case under 422 (§7).
    status: (_app, result) => (result.recorded ? 200 : 422),
  },
} satisfies ApiHandlers<typeof hrmsRoutes>

export const hrmsAdminHandlers = {
  'employees.list': paged(service.listEmployees),
  'employees.create': (app, { workspaceId, body }) => service.hireEmployee(app, { workspace_id: workspaceId, ...body }),
  'employees.get': service.getEmployee,
  'employees.update': (app, { body, ...employee }) => service.updateEmployee(app, employee, body),
  'employees.delete': service.deleteEmployee,
  'devices.list': paged(service.listDevicesPage),
  'devices.create': (app, { workspaceId, body }) => service.createDevice(app, { workspace_id: workspaceId, ...body }),
  'devices.get': service.getDevice,
  'devices.update': (app, { body, ...device }) => service.updateDevice(app, device, body),
  'devices.delete': service.deleteDevice,
  'devices.rotateSecret': (app, device) => service.issueDeviceSecret(app, device),
  'punches.list': paged(attendance.listPunchesPage),
  'punches.create': (app, { workspaceId, body }) => corrections.addPunch(app, workspaceId, body),
  'punches.get': corrections.getPunch,
  'punches.update': (app, { body, ...punch }) => corrections.correctPunch(app, punch, body),
  'punches.delete': (app, { workspaceId, id, query }) => corrections.deletePunch(app, { workspaceId, id, ...query }),
  'attendance.sessions': paged(attendance.listSessionsPage),
  'attendance.hours': paged(listHours),
  'attendance.explain': explainPunch,
  'attendance.unmatched': paged(attendance.listUnmatchedPage),
  'attendance.replay': attendance.replayUnmatched,
} satisfies AdminHandlers<typeof hrmsAdminRoutes>
