import * as z from 'zod/mini'
import { day, instant, integerId, Named, orNull } from '../fields.ts'
import { Project } from '../projects.ts'
import type { AdminRoute } from '../route.ts'
import { Task } from '../tasks.ts'
import { CreatedTicket, Ticket } from '../tickets.ts'
import { Origin } from './origin.ts'
import { pageOf, SearchQuery, sortablePageOf } from './pages.ts'
import { create, list, listErrorStatuses, read, remove, update, workspace } from './route-kinds.ts'
import {
  ProjectInput,
  ProjectPatch,
  TaskInput,
  TaskPatch,
  TaskQuery,
  TicketCountQuery,
  TicketInput,
  TicketPatch,
  TicketQuery,
} from './work-input.ts'

/** A ticket as administration's list shows it. */
export const ListedTicket = z.extend(Ticket, {
  due_at: orNull(day),
  tags: z.array(z.string()),
  /** When the next unmet target is due. Null without one, and for resolved tickets. */
  sla_due_at: orNull(instant),
})

export type ListedTicket = z.infer<typeof ListedTicket>

/** One target of a service level. */
export const SlaClock = z.object({ due_at: instant, met_at: orNull(instant), breached_at: orNull(instant) })

export type SlaClock = z.output<typeof SlaClock>

/** Something that happened to a ticket. */
export const TicketTimelineEntry = z.object({
  at: instant,
  /** `created`, `changed`, `resolved`, `reopened`, `rule_ran`, `rule_refused`, `sla_breached` or `error_reported`. */
  kind: z.string(),
  /**
   * What caused it, if known: a `user`, a `rule`, an `error_report`, a `git_issue`, or a caller that is not a person:
   * `instance_token`, `command_line`, or `in_process`.
   */
  by: orNull(Origin),
  /** The change of each field. Null if no field of the ticket changed. */
  changes: orNull(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
  /** What a rule did, which service level was missed, or how many reports arrived that day. */
  detail: orNull(z.string()),
})

export type TicketTimelineEntry = z.output<typeof TicketTimelineEntry>

/** A ticket with all its details. */
export const TicketDetail = z.extend(Ticket, {
  description: orNull(z.string()),
  tags: z.array(z.string()),
  due_at: orNull(day),
  project_id: orNull(integerId),
  project: orNull(Named),
  resolved_at: orNull(instant),
  /** Null if there is no target. */
  sla: z.object({ first_response: orNull(SlaClock), resolution: orNull(SlaClock) }),
  /** The error whose reports are counted on it. */
  error_report: orNull(z.object({ id: integerId, count: z.int(), last_seen_at: instant })),
  /** The issue that it was created for. */
  git_issue: orNull(
    z.object({
      provider: z.string(),
      repository: orNull(z.string()),
      issue: orNull(z.int()),
      url: orNull(z.string()),
    }),
  ),
  /** What happened, oldest first: at most the newest 200 changes and the newest 200 runs of rules. */
  timeline: z.array(TicketTimelineEntry),
})

export type TicketDetail = z.infer<typeof TicketDetail>

const { id, title, status, priority, project_id, ticket_id, assigned_to, due_at, created_at } = Task.shape

/** A task as the list shows it. */
export const ListedTask = z.object({
  id,
  title,
  status,
  priority,
  project_id,
  ticket_id,
  assigned_to,
  due_at,
  created_at,
})

export type ListedTask = z.output<typeof ListedTask>

/** A task with all its details. */
export const TaskDetail = z.extend(Task, {
  creator: orNull(Named),
  /** Null if it has a creator, and for older tasks. */
  origin: orNull(Origin),
  description: orNull(z.string()),
  tags: z.array(z.string()),
  parent_id: orNull(integerId),
  subtask_ids: z.array(integerId),
  updated_at: instant,
})

export type TaskDetail = z.infer<typeof TaskDetail>

/** A project with how many tickets (neither resolved nor closed) and tasks (not done) are open. */
export const ProjectDetail = z.extend(Project, { open_tickets: z.int(), open_tasks: z.int() })

export type ProjectDetail = z.infer<typeof ProjectDetail>

const tickets = `${workspace}/tickets` as const
const ticket = `${tickets}/{id}` as const
const tasks = `${workspace}/tasks` as const
const task = `${tasks}/{id}` as const
const projects = `${workspace}/projects` as const
const project = `${projects}/{id}` as const

export const ticketAdminRoutes = [
  {
    ...list,
    operation: 'tickets.list',
    path: tickets,
    query: TicketQuery,
    responses: { 200: sortablePageOf(ListedTicket) },
  },
  {
    ...create,
    operation: 'tickets.create',
    path: tickets,
    body: TicketInput,
    responses: { 201: CreatedTicket },
    emits: 'ticket.created',
  },
  {
    ...read,
    operation: 'tickets.count',
    path: `${tickets}/count`,
    query: TicketCountQuery,
    /** If it is not exact, more tickets match, or may match. */
    responses: { 200: z.object({ count: z.int(), is_exact: z.boolean() }) },
    errorStatuses: listErrorStatuses,
  },
  { ...read, operation: 'tickets.get', path: ticket, responses: { 200: TicketDetail } },
  { ...update, operation: 'tickets.update', path: ticket, body: TicketPatch, responses: { 200: Ticket } },
] as const satisfies readonly AdminRoute[]

export const taskAdminRoutes = [
  { ...list, operation: 'tasks.list', path: tasks, query: TaskQuery, responses: { 200: sortablePageOf(ListedTask) } },
  {
    ...create,
    operation: 'tasks.create',
    path: tasks,
    body: TaskInput,
    responses: { 201: Task },
    emits: 'task.created',
  },
  { ...read, operation: 'tasks.get', path: task, responses: { 200: TaskDetail } },
  { ...update, operation: 'tasks.update', path: task, body: TaskPatch, responses: { 200: Task } },
  { ...remove, operation: 'tasks.delete', path: task },
] as const satisfies readonly AdminRoute[]

export const projectAdminRoutes = [
  { ...list, operation: 'projects.list', path: projects, query: SearchQuery, responses: { 200: pageOf(Project) } },
  { ...create, operation: 'projects.create', path: projects, body: ProjectInput, responses: { 201: Project } },
  { ...read, operation: 'projects.get', path: project, responses: { 200: ProjectDetail } },
  { ...update, operation: 'projects.update', path: project, body: ProjectPatch, responses: { 200: Project } },
] as const satisfies readonly AdminRoute[]

export const workAdminRoutes = [...ticketAdminRoutes, ...taskAdminRoutes, ...projectAdminRoutes] as const
