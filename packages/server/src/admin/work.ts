import { validation } from '../api-error.ts'
import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { listEvents } from '../delivery/outbox.ts'
import { findMember } from '../modules/members/service.ts'
import { NewProject, ProjectPatch } from '../modules/projects/input.ts'
import * as projects from '../modules/projects/service.ts'
import { NewTaskIn, TaskPatch } from '../modules/tasks/input.ts'
import * as tasks from '../modules/tasks/service.ts'
import { NewTicketIn, TicketPatch } from '../modules/tickets/input.ts'
import * as tickets from '../modules/tickets/service.ts'
import { updateTicket } from '../modules/tickets/update-service.ts'
import { getWorkspace } from '../modules/workspaces/service.ts'
import { at, type Place } from './place.ts'

/** Projects, tickets and tasks, and the events that their changes emitted. */
export const workAdmin = (app: App) => ({
  projects: {
    create: async (input: NewProject) => projects.createProject(app, checkInput(NewProject, input)),
    list: (workspaceId: number) => projects.listProjects(app, workspaceId),
    update: async (place: Place, patch: ProjectPatch) =>
      projects.updateProject(app, at(place), checkInput(ProjectPatch, patch)),
  },
  tickets: {
    create: async (input: NewTicketIn) => {
      const { workspace_id, created_by, ...ticket } = checkInput(NewTicketIn, input)
      const author = await requireAuthor(app, workspace_id, created_by)
      return tickets.createTicket(app, { workspaceId: workspace_id, author, ticket })
    },
    list: (workspaceId: number) => tickets.listTickets(app, workspaceId),
    update: async (place: Place, patch: TicketPatch) => updateTicket(app, at(place), checkInput(TicketPatch, patch)),
  },
  tasks: {
    create: async (input: NewTaskIn) => {
      const { workspace_id, created_by, ...task } = checkInput(NewTaskIn, input)
      const author = await requireAuthor(app, workspace_id, created_by)
      return tasks.createTask(app, { workspaceId: workspace_id, author, task })
    },
    list: (workspaceId: number) => tasks.listTasks(app, workspaceId),
    update: async (place: Place, patch: TaskPatch) => tasks.updateTask(app, at(place), checkInput(TaskPatch, patch)),
  },
  events: {
    /** Every event of a workspace that was kept with its change, oldest first. */
    list: (workspaceId: number) => listEvents(app, workspaceId),
  },
})

async function requireAuthor(app: App, workspaceId: number, userId: number | null | undefined) {
  await getWorkspace(app, workspaceId)
  if (userId === null || userId === undefined) return null
  const member = await findMember(app, workspaceId, userId)
  if (member === undefined) throw validation({ created_by: ['The selected created_by is not in this workspace.'] })
  return member
}
