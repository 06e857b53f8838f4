import type { DocsOf } from '../route-docs.ts'
import type { taskRoutes } from '../tasks.ts'
import { createdStatus, openValues, priorityValues, transitions } from './decisions.ts'
import { ada, mateo, relaunch, titleMissing } from './example-values.ts'

/** Documentation of the task routes. */
export const taskDocs: DocsOf<typeof taskRoutes> = {
  'tasks.create': {
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
}
