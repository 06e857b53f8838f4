import type * as z from 'zod/mini'
import { validation } from './api-error.ts'
import type { App } from './context.ts'
import { listEvents } from './delivery/outbox.ts'
import { checkInput } from './check-input.ts'
import * as deals from './modules/crm/deals.ts'
import * as crmInput from './modules/crm/input.ts'
import * as crm from './modules/crm/service.ts'
import * as attendance from './modules/hrms/attendance/service.ts'
import * as hrmsInput from './modules/hrms/input.ts'
import * as hrms from './modules/hrms/service.ts'
import { MemberPatch, NewMember } from './modules/members/input.ts'
import * as members from './modules/members/service.ts'
import { NewProject, ProjectPatch } from './modules/projects/input.ts'
import * as projects from './modules/projects/service.ts'
import { NewTaskIn, TaskPatch } from './modules/tasks/input.ts'
import * as tasks from './modules/tasks/service.ts'
import { NewTicketIn, TicketPatch } from './modules/tickets/input.ts'
import * as tickets from './modules/tickets/service.ts'
import { updateTicket } from './modules/tickets/update.ts'
import { NewToken } from './modules/tokens/input.ts'
import * as tokens from './modules/tokens/service.ts'
import { NewWorkspace } from './modules/workspaces/input.ts'
import * as workspaces from './modules/workspaces/service.ts'

/** Where a thing stands: its workspace and its own id. */
export interface Place {
  readonly workspace_id: number
  readonly id: number
}

const at = ({ workspace_id, id }: Place) => ({ workspaceId: workspace_id, id })

/** Everything that administration can do, as typed functions. Bad input throws an `ApiError` with code `validation`. */
export type Admin = ReturnType<typeof createAdmin>

export function createAdmin(app: App) {
  const author = async (workspaceId: number, userId: number | null | undefined) => {
    if (userId === null || userId === undefined) return null
    const member = await members.findMember(app, workspaceId, userId)
    if (member === undefined) throw validation({ created_by: ['The selected created_by is not in this workspace.'] })
    return member
  }
  return {
    workspaces: {
      create: (input: z.input<typeof NewWorkspace>) => workspaces.createWorkspace(app, checkInput(NewWorkspace, input)),
      list: () => workspaces.listWorkspaces(app),
      get: (id: number) => workspaces.getWorkspace(app, id),
    },
    members: {
      add: (input: NewMember) => members.addMember(app, checkInput(NewMember, input)),
      list: (workspaceId: number) => members.listMembers(app, workspaceId),
      update: (place: Place, patch: MemberPatch) =>
        members.updateMember(app, { workspaceId: place.workspace_id, userId: place.id }, checkInput(MemberPatch, patch)),
    },
    tokens: {
      create: (input: NewToken) => tokens.createToken(app, checkInput(NewToken, input)),
      list: (workspaceId: number) => tokens.listTokens(app, workspaceId),
      revoke: (place: Place) => tokens.revokeToken(app, at(place)),
    },
    projects: {
      create: (input: NewProject) => projects.createProject(app, checkInput(NewProject, input)),
      list: (workspaceId: number) => projects.listProjects(app, workspaceId),
      update: (place: Place, patch: ProjectPatch) => projects.updateProject(app, at(place), checkInput(ProjectPatch, patch)),
    },
    tickets: {
      create: async (input: NewTicketIn) => {
        const { workspace_id, created_by, ...ticket } = checkInput(NewTicketIn, input)
        await workspaces.getWorkspace(app, workspace_id)
        return tickets.createTicket(app, { workspaceId: workspace_id, author: await author(workspace_id, created_by), ticket })
      },
      list: (workspaceId: number) => tickets.listTickets(app, workspaceId),
      update: (place: Place, patch: TicketPatch) => updateTicket(app, at(place), checkInput(TicketPatch, patch)),
    },
    tasks: {
      create: async (input: NewTaskIn) => {
        const { workspace_id, created_by, ...task } = checkInput(NewTaskIn, input)
        await workspaces.getWorkspace(app, workspace_id)
        return tasks.createTask(app, { workspaceId: workspace_id, author: await author(workspace_id, created_by), task })
      },
      list: (workspaceId: number) => tasks.listTasks(app, workspaceId),
      update: (place: Place, patch: TaskPatch) => tasks.updateTask(app, at(place), checkInput(TaskPatch, patch)),
    },
    employees: {
      create: (input: hrmsInput.NewEmployee) => hrms.createEmployee(app, checkInput(hrmsInput.NewEmployee, input)),
      list: (workspaceId: number) => hrms.listEmployees(app, workspaceId),
      update: (place: Place, patch: hrmsInput.EmployeePatch) =>
        hrms.updateEmployee(app, at(place), checkInput(hrmsInput.EmployeePatch, patch)),
    },
    devices: {
      register: (input: hrmsInput.NewDevice) => hrms.registerDevice(app, checkInput(hrmsInput.NewDevice, input)),
      list: (workspaceId: number) => hrms.listDevices(app, workspaceId),
    },
    attendance: {
      sessions: (workspaceId: number) => attendance.listSessions(app, workspaceId),
      unmatched: (workspaceId: number) => attendance.listUnmatched(app, workspaceId),
      replay: (place: Place) => attendance.replayUnmatched(app, at(place)),
    },
    accounts: {
      create: (input: crmInput.NewAccount) => deals.createAccount(app, checkInput(crmInput.NewAccount, input)),
      list: (workspaceId: number) => deals.listAccounts(app, workspaceId),
    },
    deals: {
      create: (input: crmInput.NewDeal) => deals.createDeal(app, checkInput(crmInput.NewDeal, input)),
      list: (workspaceId: number) => deals.listDeals(app, workspaceId),
      update: (place: Place, patch: crmInput.DealPatch) => deals.updateDeal(app, at(place), checkInput(crmInput.DealPatch, patch)),
    },
    leadSources: {
      set: (input: crmInput.LeadSourceSwitch) => crm.switchLeadSource(app, checkInput(crmInput.LeadSourceSwitch, input)),
      list: (workspaceId: number) => crm.listLeadSources(app, workspaceId),
    },
    leads: {
      list: (workspaceId: number) => crm.listLeads(app, workspaceId),
      update: (place: Place, patch: crmInput.LeadPatch) => crm.updateLead(app, at(place), checkInput(crmInput.LeadPatch, patch)),
    },
    events: {
      /** Every event of a workspace that was kept with its change, oldest first. */
      list: (workspaceId: number) => listEvents(app, workspaceId),
    },
  }
}
