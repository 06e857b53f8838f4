import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import * as attendance from '../modules/hrms/attendance/service.ts'
import { EmployeePatch, NewDevice, NewEmployee } from '../modules/hrms/input.ts'
import * as hrms from '../modules/hrms/service.ts'
import { at, type Place } from './place.ts'

/** Employee profiles, attendance devices, and what became of punches. */
export const hrmsAdmin = (app: App) => ({
  employees: {
    create: (input: NewEmployee) => hrms.createEmployee(app, checkInput(NewEmployee, input)),
    list: (workspaceId: number) => hrms.listEmployees(app, workspaceId),
    update: (place: Place, patch: EmployeePatch) =>
      hrms.updateEmployee(app, at(place), checkInput(EmployeePatch, patch)),
  },
  devices: {
    register: (input: NewDevice) => hrms.registerDevice(app, checkInput(NewDevice, input)),
    list: (workspaceId: number) => hrms.listDevices(app, workspaceId),
    /** The secret is in this answer and nowhere else; an older one stops at once. */
    issueSecret: (place: Place) => hrms.issueDeviceSecret(app, at(place)),
  },
  attendance: {
    sessions: (workspaceId: number) => attendance.listSessions(app, workspaceId),
    /** Punches of unknown people or devices, kept until they are replayed. */
    unmatched: (workspaceId: number) => attendance.listUnmatched(app, workspaceId),
    replay: (place: Place) => attendance.replayUnmatched(app, at(place)),
  },
})
