import type { DocsOf } from '../route-docs.ts'
import type { ticketRoutes } from '../tickets.ts'
import { createdStatus, openValues, paging, priorityValues, transitions } from './decisions.ts'
import {
  ada,
  createdTicket,
  relaunch,
  ticket,
  ticketDescription,
  ticketReference,
  titleMissing,
} from './example-values.ts'

/** Documentation of the ticket routes. */
export const ticketDocs: DocsOf<typeof ticketRoutes> = {
  'tickets.list': {
    summary: 'List tickets',
    description: 'The newest 50 tickets of the workspace, newest first.',
    responses: { tickets: { data: [ticket] } },
    notes: {
      does: 'Reads the newest 50 tickets, newest first, with `updated_at` and without `project`.',
      createdWith: ['create.ticket'],
      decisions: [paging, { question: 'Fields without a value', answer: '`null`, never missing' }],
    },
  },
  'tickets.create': {
    summary: 'Create a ticket',
    description: 'Only `title` is required. A new ticket is `open`; its priority is `medium` unless given.',
    bodies: {
      'title-only': { title: ticketReference.title },
      full: {
        title: ticketReference.title,
        description: ticketDescription,
        priority: 'high',
        category: 'billing',
        assigned_to: ada.id,
        project_id: relaunch.id,
        due_at: '2026-12-01',
        tags: ['checkout', 'regression'],
      },
    },
    responses: { created: { data: createdTicket } },
    errors: {
      422: {
        ...titleMissing,
        'unknown-project': {
          message: 'The selected project_id is not in this workspace.',
          errors: { project_id: ['The selected project_id is not in this workspace.'] },
        },
      },
    },
    notes: {
      does: 'Creates a ticket with its tags and the next `TKT-` number, without gaps; sets service levels and runs rules in the same transaction.',
      createdWith: ['create.member', 'create.project', 'create.slaPolicy', 'create.rule'],
      decisions: [
        createdStatus,
        priorityValues,
        openValues('category', 'none'),
        openValues('status', 'open, in_progress, pending, resolved, closed'),
        { question: 'Digits of the number', answer: '`TKT-` and at least 5 digits, numbered per workspace' },
        { question: 'Ids of another workspace', answer: '422 on that field' },
        {
          question: 'Fields of the response',
          answer: 'Includes `project`, but not `updated_at`, `description`, and `tags`',
        },
        transitions,
      ],
    },
  },
}
