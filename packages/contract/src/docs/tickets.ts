import type { DocsOf } from '../route-docs.ts'
import type { ticketRoutes } from '../tickets.ts'
import { createdStatus, openValues, paging, priorityValues, transitions } from './decisions.ts'
import { ada, mateo, relaunch, titleMissing } from './example-values.ts'

/** Documentation of the ticket routes. */
export const ticketDocs: DocsOf<typeof ticketRoutes> = {
  'tickets.list': {
    summary: 'List tickets',
    description: 'The newest 50 tickets of the workspace, newest first.',
    answers: {
      tickets: {
        data: [
          {
            id: 42,
            ticket_number: 'TKT-00042',
            title: 'Checkout fails with a coupon',
            status: 'open',
            priority: 'high',
            category: 'billing',
            assigned_to: ada.id,
            created_by: mateo.id,
            created_at: '2026-11-20T18:51:53.123456Z',
            updated_at: '2026-11-20T19:02:10.000417Z',
            assignee: ada,
            creator: mateo,
          },
        ],
      },
    },
    notes: {
      does: 'Reads the newest 50 tickets, newest first, with `updated_at` and without `project`.',
      madeBy: ['create.ticket'],
      decisions: [paging, { open: 'Fields that are not set', decided: '`null`, never missing' }],
    },
  },
  'tickets.create': {
    summary: 'Create a ticket',
    description: 'Only `title` is required. A new ticket is `open`; its priority is `medium` unless given.',
    bodies: {
      'title-only': { title: 'Checkout fails with a coupon' },
      full: {
        title: 'Checkout fails with a coupon',
        description: 'The total becomes negative when a coupon exceeds the price.',
        priority: 'high',
        category: 'billing',
        assigned_to: ada.id,
        project_id: relaunch.id,
        due_at: '2026-12-01',
        tags: ['checkout', 'regression'],
      },
    },
    answers: {
      created: {
        data: {
          id: 42,
          ticket_number: 'TKT-00042',
          title: 'Checkout fails with a coupon',
          status: 'open',
          priority: 'high',
          category: 'billing',
          assigned_to: ada.id,
          created_by: mateo.id,
          created_at: '2026-11-20T18:51:53.123456Z',
          assignee: ada,
          creator: mateo,
          project: relaunch,
        },
      },
    },
    refusals: {
      422: {
        ...titleMissing,
        'unknown-project': {
          message: 'The selected project_id is not in this workspace.',
          errors: { project_id: ['The selected project_id is not in this workspace.'] },
        },
      },
    },
    notes: {
      does: 'Writes a ticket with its tags; counts `TKT-` numbers without gaps; sets service levels and runs rules in the same transaction.',
      madeBy: ['create.member', 'create.project', 'create.slaPolicy', 'create.rule'],
      decisions: [
        createdStatus,
        priorityValues,
        openValues('category', 'none'),
        openValues('status', 'open, in_progress, pending, resolved, closed'),
        { open: 'Width of the number', decided: '`TKT-` and at least 5 digits, counted per workspace' },
        { open: 'Ids of another workspace', decided: '422 on that field' },
        { open: 'Fields of the answer', decided: '`project` is there, `updated_at`, `description` and `tags` are not' },
        transitions,
      ],
    },
  },
}
