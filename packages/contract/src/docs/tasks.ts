import type { DocsOf } from '../route-docs.ts'
import type { taskRoutes } from '../tasks.ts'
import { createdStatus, openValues, priorityValues, transitions } from './decisions.ts'
import { ada, relaunch, task, titleMissing } from './example-values.ts'

/** Documentation of the task routes. */
export const taskDocs: DocsOf<typeof taskRoutes> = {
  'tasks.create': {
    summary: 'Create a task',
    description: 'Only `title` is required. `due_at` is a day; the answer shows it at midnight UTC.',
    bodies: {
      'title-only': { title: task.title },
      full: {
        title: task.title,
        description: 'Cover a coupon that exceeds the price.',
        status: 'todo',
        priority: 'medium',
        project_id: relaunch.id,
        ticket_id: task.ticket_id,
        parent_id: 6,
        assigned_to: ada.id,
        due_at: '2026-11-27',
        tags: ['testing'],
      },
    },
    responses: { created: { data: task } },
    errors: { 422: titleMissing },
    notes: {
      does: 'Creates a task with its tags, optionally in a project, ticket, or other task.',
      createdWith: ['create.project', 'create.ticket', 'create.member'],
      decisions: [
        createdStatus,
        openValues('status', 'todo (the default), in_progress, review, done'),
        priorityValues,
        transitions,
      ],
    },
  },
}
