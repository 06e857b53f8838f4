import * as z from 'zod/mini'
import { createdStatus, openValues, paging, priorityValues, transitions } from './docs/decisions.ts'
import { ada, mateo, relaunch, titleMissing } from './docs/example-values.ts'
import {
  dataOf,
  instant,
  integerId,
  listOf,
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
import { type ApiRoute, apiReadRefusals, apiWriteRefusals } from './route.ts'
import type { DocsOf } from './route-docs.ts'
import type { priorities, ticketStatuses } from './values.ts'

const ticketCore = {
  id: integerId,
  /** `TKT-` and a zero-padded number, counted per workspace. */
  ticket_number: z.string(),
  title: z.string(),
  status: open<(typeof ticketStatuses)[number]>(),
  priority: open<(typeof priorities)[number]>(),
  category: orNull(z.string()),
  assigned_to: orNull(z.int()),
  created_by: orNull(z.int()),
  created_at: instant,
}
const ticketPeople = { assignee: orNull(Named), creator: orNull(Named) }

/** A ticket as the list shows it: with `updated_at`, without `project` (§2). */
export const Ticket = z.looseObject({ ...ticketCore, updated_at: instant, ...ticketPeople })
export type Ticket = z.infer<typeof Ticket>

/** A ticket as its creation answers it: with `project`, without `updated_at` (§2). */
export const CreatedTicket = z.looseObject({ ...ticketCore, ...ticketPeople, project: orNull(Named) })
export type CreatedTicket = z.infer<typeof CreatedTicket>

/** The body that creates a ticket (§4). Only `title` is required. */
export const NewTicket = z.object({
  title: requiredText(maxTitleLength),
  description: text(maxTextLength),
  priority: optionalOpen<(typeof priorities)[number]>(),
  category: optionalOpen<never>(),
  assigned_to: optionalId,
  project_id: optionalId,
  due_at: optionalDate,
  tags: optionalTags,
})
export type NewTicket = z.input<typeof NewTicket>

export const listTickets = {
  operation: 'tickets.list',
  method: 'GET',
  surface: 'api',
  path: '/workspaces/{workspace}/tickets',
  scope: 'tickets:read',
  answers: { 200: listOf(Ticket) },
  refusals: apiReadRefusals,
} as const satisfies ApiRoute

export const createTicket = {
  operation: 'tickets.create',
  method: 'POST',
  surface: 'api',
  path: '/workspaces/{workspace}/tickets',
  scope: 'tickets:write',
  body: NewTicket,
  answers: { 201: dataOf(CreatedTicket) },
  refusals: apiWriteRefusals,
  emits: 'ticket.created',
} as const satisfies ApiRoute

export const ticketRoutes = [listTickets, createTicket] as const satisfies readonly ApiRoute[]

/** Documentation of the ticket routes. */
export const ticketDocs = (): DocsOf<typeof ticketRoutes> => ({
  'tickets.list': {
    tag: 'Tickets',
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
    tag: 'Tickets',
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
})
