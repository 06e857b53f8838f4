import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import * as lists from '../modules/hrms/attendance/lists.ts'
import * as attendance from '../modules/hrms/attendance/service.ts'
import { EmployeePatch, NewDevice, NewEmployee } from '../modules/hrms/input.ts'
import * as hrms from '../modules/hrms/service.ts'
import { defaultPage, type Page } from '../page.ts'
import { at, type Place } from './place.ts'

/** Employee profiles, attendance devices, and what became of punches. */
export const hrmsAdmin = (app: App) => ({
  employees: {
    create: async (input: NewEmployee) => hrms.createEmployee(app, checkInput(NewEmployee, input)),
    list: (workspaceId: number) => hrms.listEmployees(app, workspaceId),
    update: async (place: Place, patch: EmployeePatch) =>
      hrms.updateEmployee(app, at(place), checkInput(EmployeePatch, patch)),
  },
  devices: {
    register: async (input: NewDevice) => hrms.registerDevice(app, checkInput(NewDevice, input)),
    list: (workspaceId: number) => hrms.listDevices(app, workspaceId),
    /** The secret is in this answer and nowhere else; an older one stops at once. */
    issueSecret: (place: Place) => hrms.issueDeviceSecret(app, at(place)),
  },
  attendance: {
    sessions: (workspaceId: number, page: Page = defaultPage) => lists.listSessionsPage(app, workspaceId, page),
    punches: (workspaceId: number, page: Page = defaultPage) => lists.listPunchesPage(app, workspaceId, page),
    /** Punches of unknown people or devices, kept until they are replayed. */
    unmatched: (workspaceId: number, page: Page = defaultPage) => lists.listUnmatchedPage(app, workspaceId, page),
    replay: (place: Place) => attendance.replayUnmatched(app, at(place)),
  },
})
