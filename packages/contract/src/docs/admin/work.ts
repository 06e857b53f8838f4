import type { workAdminRoutes } from '../../admin/work.ts'
import type { DocsOf } from '../../route-docs.ts'
import {
  ada,
  createdTicket,
  listedTask,
  mateo,
  page,
  project,
  sortablePage,
  task,
  ticket,
  ticketDescription,
} from '../example-values.ts'

/** The fields that a ticket has only in its details. */
const exampleDetail = {
  description: ticketDescription,
  tags: ['checkout', 'regression'],
  due_at: '2026-12-01',
  project_id: null,
  project: null,
  resolved_at: null,
  sla: {
    first_response: {
      due_at: '2026-11-20T19:51:53.123456Z',
      met_at: '2026-11-20T19:02:10.000417Z',
      breached_at: null,
    },
    resolution: null,
  },
  error_report: { id: 5, count: 3, last_seen_at: '2026-11-20T19:02:10.000417Z' },
  git_issue: null,
  timeline: [
    {
      at: '2026-11-20T18:51:53.123456Z',
      kind: 'created',
      by: { kind: 'user', ...mateo },
      changes: null,
      detail: null,
    },
    {
      at: '2026-11-20T19:02:10.000417Z',
      kind: 'changed',
      by: { kind: 'rule', id: 3, name: 'Escalate checkout faults' },
      changes: { priority: { from: 'medium', to: 'high' } },
      detail: null,
    },
  ],
}

/** Documentation of the administration of tickets, tasks and projects. */
export const workAdminDocs: DocsOf<typeof workAdminRoutes> = {
  'tickets.list': {
    summary: 'List tickets',
    description:
      'Tickets of the workspace that match all filters, newest first or in the order of `sort`: most urgent first, SLA target or due date earliest first, or last updated first. `priority` lists unresolved tickets before resolved ones. In `sla` and `due`, resolved tickets and those without a target or a date come last, oldest first. `search` matches words of the number, the title and the description, or their beginnings, ignoring case and accents. All of them must occur. `email` lists the tickets whose title or description has an e-mail address, and not only its words or a longer address. One page reads the texts of 100 tickets with these words, so it can have fewer than `limit`.',
    responses: {
      tickets: sortablePage({
        ...ticket,
        due_at: '2026-12-01',
        tags: ['checkout', 'regression'],
        sla_due_at: '2026-11-20T19:51:53.123456Z',
      }),
    },
  },
  'tickets.count': {
    summary: 'Count tickets',
    description:
      'The number of tickets that match all filters. With a filter, counting stops at `up_to` (100 by default) and where a page of the list would stop to read. `is_exact` is false if more tickets may match.',
    responses: { count: { count: 12, is_exact: true } },
  },
  'tickets.create': {
    summary: 'Create a ticket',
    description:
      'As on the REST API. The caller is the author unless `created_by` names a member, or is null; people with the role member may name only themselves. An administrator of the instance who is not a member is named like “Ada Obi (instance)”.',
    bodies: { 'title-only': { title: ticket.title } },
    responses: { created: { ...createdTicket, project: null } },
  },
  'tickets.get': {
    summary: 'Get a ticket',
    description: 'With its description, tags, service levels, origin, and timeline.',
    responses: { ticket: { ...ticket, ...exampleDetail } },
  },
  'tickets.update': {
    summary: 'Change a ticket',
    description:
      'Omitted fields keep their values, and null clears a field. A change to `resolved` or `closed` emits `ticket.resolved` once. Each change emits `ticket.updated`.',
    bodies: { resolve: { status: 'resolved' }, assign: { assigned_to: ada.id, priority: 'urgent' } },
    responses: { ticket: { ...ticket, status: 'resolved' } },
  },
  'tasks.list': {
    summary: 'List tasks',
    description:
      'Tasks of the workspace that match all filters, newest first or in the order of `sort`: most urgent first, or due date earliest first. `priority` lists open tasks before done ones. In `due`, done tasks and those without a date come last, oldest first.',
    responses: { tasks: sortablePage(listedTask) },
  },
  'tasks.create': {
    summary: 'Create a task',
    description:
      'As on the REST API. The caller is the author unless `created_by` names a member, or is null; people with the role member may name only themselves. An administrator of the instance who is not a member is named like “Ada Obi (instance)”.',
    bodies: { 'title-only': { title: task.title } },
    responses: { created: task },
  },
  'tasks.get': {
    summary: 'Get a task',
    responses: {
      task: {
        ...task,
        description: 'Cover a coupon that exceeds the price.',
        tags: ['testing'],
        parent_id: null,
        subtask_ids: [8],
        creator: mateo,
        origin: null,
        updated_at: task.created_at,
      },
    },
  },
  'tasks.delete': { summary: 'Delete a task', description: 'Answers 409 if the task has subtasks.' },
  'tasks.update': {
    summary: 'Change a task',
    description: 'Omitted fields keep their values, and null clears a field. Each change emits `task.updated`.',
    bodies: { done: { status: 'done' } },
    responses: { task: { ...task, status: 'done' } },
  },
  'projects.list': {
    summary: 'List projects',
    description: 'Projects of the workspace, newest first.',
    responses: { projects: page(project) },
  },
  'projects.create': {
    summary: 'Create a project',
    bodies: { 'name-only': { name: project.name } },
    responses: { created: project },
  },
  'projects.get': {
    summary: 'Get a project',
    description: 'With the number of its open tickets and tasks.',
    responses: { project: { ...project, open_tickets: 4, open_tasks: 9 } },
  },
  'projects.update': {
    summary: 'Change a project',
    description: 'Omitted fields keep their values, and null clears a field. Each change emits `project.updated`.',
    bodies: { 'on-hold': { status: 'on_hold' } },
    responses: { project: { ...project, status: 'on_hold' } },
  },
}
