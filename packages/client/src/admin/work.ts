import type { Priority, ProjectStatus, TaskStatus, TicketStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Project } from '../resources/projects.ts'
import type { NewTask, Task } from '../resources/tasks.ts'
import type { CreatedTicket, NewTicket, Ticket } from '../resources/tickets.ts'
import type { ById, Changed, InWorkspace, Page, PageQuery } from './page.ts'

/** A ticket by any member of the workspace, or by nobody. */
export interface TicketInput extends NewTicket {
  /** A user's id. */
  created_by?: number | null | undefined
}

/** What may change of a ticket. A field left out stays; null empties it. */
export interface TicketPatch {
  title?: string | undefined
  description?: string | null | undefined
  status?: TicketStatus | null | undefined
  priority?: Priority | null | undefined
  category?: string | null | undefined
  /** A user's id. */
  assigned_to?: number | null | undefined
  project_id?: number | null | undefined
  /** A day, `YYYY-MM-DD`. */
  due_at?: string | null | undefined
  /** All of them; at most 50, each of 1 to 64 characters. */
  tags?: string[] | null | undefined
}

/** Which tickets: those that pass all of these. */
export interface TicketQuery extends PageQuery {
  status?: TicketStatus | undefined
  priority?: Priority | undefined
  /** A user's id. */
  assigned_to?: number | undefined
  project_id?: number | undefined
  tag?: string | undefined
  /** Whole words of the number, the title or the description, without case and accents; all of them must be there. */
  search?: string | undefined
}

/** A ticket as the list shows it. */
export interface ListedTicket extends Ticket {
  /** A day, `YYYY-MM-DD`. */
  due_at: string | null
  tags: string[]
}

/** How many tickets there are, each number 100 at most. */
export interface TicketCounts {
  all: number
  /** By known status. */
  statuses: Record<string, number>
}

/** One promise of a service level. */
export interface SlaClock {
  due_at: string
  met_at: string | null
  breached_at: string | null
}

/** Something that happened to a ticket. */
export interface TicketTimelineEntry {
  at: string
  /** `created`, `changed`, `resolved`, `reopened`, `rule_ran`, `rule_refused`, `sla_breached` or `error_reported`. */
  kind: string
  /** Who or what did it, where that is known: a `user`, a `rule`, or an `error_report`. */
  by: { kind: string; id: number | null; name: string | null } | null
  /** Per field; null where nothing of the ticket's own changed. */
  changes: Record<string, { from: unknown; to: unknown }> | null
  /** What a rule did, which promise was broken, or how many reports came that day. */
  detail: string | null
}

/** A ticket with everything that is known of it. */
export interface TicketDetail extends ListedTicket {
  description: string | null
  project_id: number | null
  project: { id: number; name: string } | null
  resolved_at: string | null
  /** Null where no promise was made. */
  sla: { first_response: SlaClock | null; resolution: SlaClock | null }
  /** The error whose reports are counted on it. */
  error_report: { id: number; count: number; last_seen_at: string } | null
  /** The issue that it was made for. */
  git_issue: { provider: string; repository: string | null; issue: number | null; url: string | null } | null
  /** What happened, the oldest first; of changes and of rules the newest 200 each. */
  timeline: TicketTimelineEntry[]
}

/** The tickets of a workspace. */
export interface AdminTickets {
  /** Newest first. */
  list(at: InWorkspace, query?: TicketQuery, options?: CallOptions): Call<Page<ListedTicket>>
  count(at: InWorkspace, options?: CallOptions): Call<TicketCounts>
  create(at: InWorkspace, ticket: TicketInput, options?: CreateOptions): Call<CreatedTicket>
  get(at: ById, options?: CallOptions): Call<TicketDetail>
  /** A move to `resolved` or `closed` emits `ticket.resolved` once; each change emits `ticket.updated`. */
  update(at: ById, patch: TicketPatch, options?: CallOptions): Call<Ticket>
}

/** A task by any member of the workspace, or by nobody. */
export interface TaskInput extends NewTask {
  /** A user's id. */
  created_by?: number | null | undefined
}

/** What may change of a task. A field left out stays; null empties it. */
export interface TaskPatch {
  title?: string | undefined
  description?: string | null | undefined
  status?: TaskStatus | null | undefined
  priority?: Priority | null | undefined
  project_id?: number | null | undefined
  ticket_id?: number | null | undefined
  /** A user's id. */
  assigned_to?: number | null | undefined
  /** A day, `YYYY-MM-DD`. */
  due_at?: string | null | undefined
}

/** A task as the list shows it. */
export interface ListedTask {
  id: number
  title: string
  status: TaskStatus
  priority: Priority
  project_id: number | null
  ticket_id: number | null
  assigned_to: number | null
  created_at: string
}

/** Which tasks: those that pass all of these. */
export interface TaskQuery extends PageQuery {
  status?: TaskStatus | undefined
  /** A user's id. */
  assigned_to?: number | undefined
  project_id?: number | undefined
  ticket_id?: number | undefined
}

/** A task with everything that is known of it. */
export interface TaskDetail extends Task {
  description: string | null
  tags: string[]
  parent_id: number | null
  subtask_ids: number[]
  updated_at: string
}

/** The tasks of a workspace. */
export interface AdminTasks {
  /** Newest first. */
  list(at: InWorkspace, query?: TaskQuery, options?: CallOptions): Call<Page<ListedTask>>
  create(at: InWorkspace, task: TaskInput, options?: CreateOptions): Call<Task>
  get(at: ById, options?: CallOptions): Call<TaskDetail>
  /** @throws ConflictError for a task with subtasks. */
  delete(at: ById, options?: CallOptions): Call<Changed>
  /** Each change emits `task.updated`. */
  update(at: ById, patch: TaskPatch, options?: CallOptions): Call<Task>
}

/** A project. Days are `YYYY-MM-DD`. */
export interface ProjectInput {
  name: string
  /** `active` when not given. */
  status?: ProjectStatus | null | undefined
  /** `#rrggbb` */
  color?: string | null | undefined
  starts_at?: string | null | undefined
  due_at?: string | null | undefined
}

/** A project with how many tickets (neither resolved nor closed) and tasks (not done) are open. */
export interface ProjectDetail extends Project {
  open_tickets: number
  open_tasks: number
}

/** The projects of a workspace. */
export interface AdminProjects {
  /** Newest first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Project>>
  create(at: InWorkspace, project: ProjectInput, options?: CreateOptions): Call<Project>
  get(at: ById, options?: CallOptions): Call<ProjectDetail>
  /** Each change emits `project.updated`. */
  update(at: ById, patch: Partial<ProjectInput>, options?: CallOptions): Call<Project>
}
