/** What the reference says of one route in words. */
export interface Prose {
  readonly tag: string
  readonly summary: string
  readonly description: string
}

/** The sections of the reference, in their order. */
export const tags = {
  Tickets: 'Requests for help and reports of faults.',
  Tasks: 'Work to do, on its own or as a part of a project or ticket.',
  Projects: 'What tickets and tasks belong to.',
  HRMS: 'Employee profiles and attendance.',
  CRM: 'Deals and leads.',
  'Error reports': 'Application errors come in and open tickets.',
  'Attendance devices': 'Punches come in from devices and their agents.',
  'Lead capture': 'Leads come in from forms, advertising and messaging platforms.',
  'Git events': 'Activity comes in from GitHub, GitLab and Bitbucket.',
  'Outbound events': 'What the platform sends to the URLs that subscribe to it.',
} as const

type Tag = keyof typeof tags

const ping = 'Says whether the webhook is configured and how to use it. Needs no credentials.'

const routes: Readonly<Record<string, Prose & { tag: Tag }>> = {
  'tickets.list': {
    tag: 'Tickets',
    summary: 'List tickets',
    description: 'The newest 50 tickets of the workspace, newest first.',
  },
  'tickets.create': {
    tag: 'Tickets',
    summary: 'Create a ticket',
    description: 'Only `title` is required. A new ticket is `open`; its priority is `medium` unless given.',
  },
  'tasks.create': {
    tag: 'Tasks',
    summary: 'Create a task',
    description: 'Only `title` is required. `due_at` is a day; the answer shows it at midnight UTC.',
  },
  'projects.list': {
    tag: 'Projects',
    summary: 'List projects',
    description: 'The newest 50 projects of the workspace, newest first.',
  },
  'hrms.employees.list': {
    tag: 'HRMS',
    summary: 'List employee profiles',
    description: 'The newest 50 employee profiles of the workspace, newest first.',
  },
  'hrms.attendance.punch': {
    tag: 'HRMS',
    summary: 'Record an attendance punch',
    description:
      'The body must identify an employee (`employee_code`, `attendance_uid`, `user_id` or `email`) and a device (`device_id`, or `external_device_id` with or without `source_type`). Identifiers that are given together must agree. The order of punches is that of their own times, not of their arrival; the same punch again is answered with `duplicate: true`.',
  },
  'crm.deals.list': {
    tag: 'CRM',
    summary: 'List deals',
    description: 'The newest 50 deals of the workspace, newest first.',
  },
  'crm.leads.create': {
    tag: 'CRM',
    summary: 'Create a lead',
    description:
      '`name` and `source` are required; `source` is the key of an active lead source. While a lead with the same e-mail address is open, the answer is 409.',
  },
  'errors.ping': { tag: 'Error reports', summary: 'Check the error webhook', description: ping },
  'errors.report': {
    tag: 'Error reports',
    summary: 'Report an error',
    description:
      'Opens a ticket, or counts the error on the open ticket of the same error. Every field is optional, and the formats of several frameworks are read too. A bearer token needs the scope `tickets:write`.',
  },
  'attendance.ping': {
    tag: 'Attendance devices',
    summary: 'Check the attendance webhook',
    description: `${ping} Shows an example of a body and the registered devices.`,
  },
  'attendance.punch': {
    tag: 'Attendance devices',
    summary: 'Send a punch',
    description:
      "The rules are those of recording a punch over the REST API. A device's own secret also says which device it is.",
  },
  'leads.ping': {
    tag: 'Lead capture',
    summary: 'Check the lead webhook',
    description: `${ping} Lists the supported sources.`,
  },
  'leads.capture': {
    tag: 'Lead capture',
    summary: 'Send a lead',
    description:
      'A lead that was not created is answered with 200 too: `duplicate` and `skipped` say that, and `reason` says why. The bodies of the supported platforms are read as they are.',
  },
  'git.ping': { tag: 'Git events', summary: "Check a Git provider's webhook", description: ping },
  'git.send': {
    tag: 'Git events',
    summary: 'Send a Git event',
    description:
      "The body is the provider's own. When a secret is set for the provider, the request must carry the provider's own signature or token. Every event is kept as activity; an opened issue may open a ticket.",
  },
}

export function proseOf(operation: string): Prose {
  const prose = routes[operation]
  if (prose === undefined) throw new TypeError(`Describe ${operation} in openapi/prose.ts.`)
  return prose
}

/** The first page of the reference. */
export const introduction = `Tickets, tasks, projects, HR and CRM of a workspace, with webhooks in both directions.

The REST API stands under \`/api/v1\` and takes a bearer token. The inbound webhooks stand under \`/api\` and take the secrets that are named with each of them. Every path here is written in full.

- **Format.** JSON in UTF-8 both ways. Date-times of answers are UTC with microseconds (\`2026-11-20T18:51:53.123456Z\`), days are \`YYYY-MM-DD\`, money is a string with two decimals. A field that is not set is \`null\`. Text must not contain U+0000. Unknown fields and query parameters are ignored.
- **Lists** hold at most 50 records, newest first.
- **Refusals** have a \`message\`, and \`errors\` with sentences per field when the body is at fault.
- **Rate.** 120 requests per minute for each token, or for each address where no token is used.
- **Repeating safely.** Send an \`Idempotency-Key\` with a POST, and repeat it as often as you need.
- **Open lists.** Where known values are named (a status, a priority), others may come.
`
