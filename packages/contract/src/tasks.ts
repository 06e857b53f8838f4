import * as z from 'zod/mini'
import { createdStatus, openValues, priorityValues, transitions } from './docs/decisions.ts'
import { ada, mateo, relaunch, titleMissing } from './docs/example-values.ts'
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
import { type ApiRoute, apiWriteRefusals } from './route.ts'
import type { DocsOf } from './route-docs.ts'
import type { priorities, taskStatuses } from './values.ts'

export const TicketReference = z.looseObject({ id: z.int(), ticket_number: z.string(), title: z.string() })
export type TicketReference = z.infer<typeof TicketReference>

/** A task as its creation answers it (§2). `due_at` is the given day at midnight UTC. */
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
  operation: 'tasks.create',
  method: 'POST',
  surface: 'api',
  path: '/workspaces/{workspace}/tasks',
  scope: 'tasks:write',
  body: NewTask,
  answers: { 201: dataOf(Task) },
  refusals: apiWriteRefusals,
  emits: 'task.created',
} as const satisfies ApiRoute

export const taskRoutes = [createTask] as const satisfies readonly ApiRoute[]

/** Documentation of the task routes. */
export const taskDocs = (): DocsOf<typeof taskRoutes> => ({
  'tasks.create': {
    tag: 'Tasks',
    summary: 'Create a task',
    description: 'Only `title` is required. `due_at` is a day; the answer shows it at midnight UTC.',
    bodies: {
      'title-only': { title: 'Write a failing test for coupons' },
      full: {
        title: 'Write a failing test for coupons',
        description: 'Cover a coupon that exceeds the price.',
        status: 'todo',
        priority: 'medium',
        project_id: relaunch.id,
        ticket_id: 42,
        parent_id: 6,
        assigned_to: ada.id,
        due_at: '2026-11-27',
        tags: ['testing'],
      },
    },
    answers: {
      created: {
        data: {
          id: 7,
          title: 'Write a failing test for coupons',
          status: 'todo',
          priority: 'medium',
          project_id: relaunch.id,
          ticket_id: 42,
          assigned_to: ada.id,
          created_by: mateo.id,
          due_at: '2026-11-27T00:00:00.000000Z',
          created_at: '2026-11-20T18:55:20.004210Z',
          assignee: ada,
          project: relaunch,
          ticket: { id: 42, ticket_number: 'TKT-00042', title: 'Checkout fails with a coupon' },
        },
      },
    },
    refusals: { 422: titleMissing },
    notes: {
      does: 'Writes a task with its tags, below a project, a ticket or another task.',
      madeBy: ['create.project', 'create.ticket', 'create.member'],
      decisions: [
        createdStatus,
        openValues('status', 'todo (the default), in_progress, review, done'),
        priorityValues,
        transitions,
      ],
    },
  },
})
