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

/** A newly created task (§2). `due_at` is the given day at midnight UTC. */
export const Task = z.looseObject({
  id: integerId,
  title: z.string(),
  status: open<(typeof taskStatuses)[number]>(),
  priority: open<(typeof priorities)[number]>(),
  project_id: orNull(z.int()),
  ticket_id: orNull(z.int()),
  assigned_to: orNull(z.int()),
  created_by: orNull(z.int()),
  due_at: orNull(instant),
  created_at: instant,
  assignee: orNull(Named),
  project: orNull(Named),
  ticket: orNull(TicketReference),
})

export type Task = z.infer<typeof Task>

/** The body that creates a task (§4). Only `title` is required. */
export const NewTask = z.object({
  title: requiredText(maxTitleLength),
  description: text(maxTextLength),
  status: optionalOpen<(typeof taskStatuses)[number]>(),
  priority: optionalOpen<(typeof priorities)[number]>(),
  project_id: optionalId,
  ticket_id: optionalId,
  parent_id: optionalId,
  assigned_to: optionalId,
  due_at: optionalDate,
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
