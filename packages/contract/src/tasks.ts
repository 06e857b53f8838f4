import * as z from 'zod/mini'
import {
  dataOf,
  instant,
  integerId,
  maxTextLength,
  maxTitleLength,
  Named,
  open,
  optionalDate,
  optionalId,
  optionalOpen,
  optionalTags,
  orNull,
  requiredText,
  text,
} from './fields.ts'
import { type ApiRoute, apiWrite } from './route.ts'
import type { priorities, taskStatuses } from './values.ts'

export const TicketReference = z.looseObject({ id: z.int(), ticket_number: z.string(), title: z.string() })

export type TicketReference = z.infer<typeof TicketReference>

/** A newly created task (§2). */
export const Task = z.looseObject({
  id: integerId,
  title: z.string(),
  status: open<(typeof taskStatuses)[number]>(),
  priority: open<(typeof priorities)[number]>(),
  project_id: orNull(z.int()),
  ticket_id: orNull(z.int()),
  /** A user's id. */
  assigned_to: orNull(z.int()),
  created_by: orNull(z.int()),
  /** The given day at midnight UTC. */
  due_at: orNull(instant),
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: instant,
  assignee: orNull(Named),
  project: orNull(Named),
  ticket: orNull(TicketReference),
})

export type Task = z.infer<typeof Task>

/** The fields of a new task (§4). Only `title` is required. Null is the same as omitting a field. */
export const NewTask = z.object({
  title: requiredText(maxTitleLength),
  description: text(maxTextLength),
  status: optionalOpen<(typeof taskStatuses)[number]>(),
  priority: optionalOpen<(typeof priorities)[number]>(),
  project_id: optionalId,
  ticket_id: optionalId,
  /** The task that this one is a part of. */
  parent_id: optionalId,
  /** A user's id. */
  assigned_to: optionalId,
  /** A day, `YYYY-MM-DD`. */
  due_at: optionalDate,
  /** At most 50, each of 1 to 64 characters. */
  tags: optionalTags,
})

export type NewTask = z.input<typeof NewTask>

export const createTask = {
  ...apiWrite,
  operation: 'tasks.create',
  path: '/workspaces/{workspace}/tasks',
  scope: 'tasks:write',
  body: NewTask,
  responses: { 201: dataOf(Task) },
  emits: 'task.created',
} as const satisfies ApiRoute

export const taskRoutes = [createTask] as const satisfies readonly ApiRoute[]
