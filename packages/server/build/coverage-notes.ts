import type { EventName } from '@service/contract'

/** Something that the platform's document leaves open, and what we do. */
export interface Decision {
  readonly open: string
  readonly decided: string
  /** The option that makes it otherwise. */
  readonly option?: string
}

/** What the contract does not say of an operation by itself. */
export interface Notes {
  readonly does: string
  /** Factories and administration that make what it needs or shows. */
  readonly madeBy: readonly string[]
  readonly decisions: readonly Decision[]
}

const openValues = (field: string, known: string): Decision => ({
  open: `Allowed values of ${field}`,
  decided: `Known: ${known}. Any other text of 1–64 characters is taken too.`,
  option: "validation: 'strict'",
})
const created: Decision = {
  open: 'Status of success: 201 in the description, 200 in the sample',
  decided: '201',
  option: 'createdStatus: 200',
}
const wrongSecret: Decision = {
  open: 'Status of a wrong or missing secret',
  decided: '401 `Invalid webhook secret.`; 404 where the integration is off or no secret was ever issued',
}
const paging: Decision = {
  open: 'Paging, filtering and sorting',
  decided: 'None. Query parameters are ignored, and the contract check reports them.',
}
const transitions: Decision = {
  open: 'What happens after creation (update, delete, transitions)',
  decided: 'Not in the API. `server.admin` updates, with the events that follow.',
}
const priorityValues = openValues('priority', 'low, medium (the default), high, urgent')

/** By operation, as the client calls it. */
export const operationNotes: Readonly<Record<string, Notes>> = {
  'tickets.list': {
    does: 'Reads the newest 50 tickets, newest first, with `updated_at` and without `project`.',
    madeBy: ['create.ticket'],
    decisions: [paging, { open: 'Fields that are not set', decided: '`null`, never missing' }],
  },
  'tickets.create': {
    does: 'Writes a ticket with its tags; counts `TKT-` numbers without gaps; sets service levels and runs rules in the same transaction.',
    madeBy: ['create.member', 'create.project', 'create.slaPolicy', 'create.rule'],
    decisions: [
      created,
      priorityValues,
      openValues('category', 'none'),
      openValues('status', 'open, in_progress, pending, resolved, closed'),
      { open: 'Width of the number', decided: '`TKT-` and at least 5 digits, counted per workspace' },
      { open: 'Ids of another workspace', decided: '422 on that field' },
      { open: 'Fields of the answer', decided: '`project` is there, `updated_at`, `description` and `tags` are not' },
      transitions,
    ],
  },
  'tasks.create': {
    does: 'Writes a task with its tags, below a project, a ticket or another task.',
    madeBy: ['create.project', 'create.ticket', 'create.member'],
    decisions: [
      created,
      openValues('status', 'todo (the default), in_progress, review, done'),
      priorityValues,
      transitions,
    ],
  },
  'projects.list': {
    does: 'Reads the newest 50 projects, newest first.',
    madeBy: ['create.project'],
    decisions: [paging, openValues('status', 'planning, active, on_hold, completed, archived')],
  },
  'hrms.employees.list': {
    does: 'Reads the newest 50 employee profiles, newest first.',
    madeBy: ['create.employee'],
    decisions: [paging, openValues('employment_type', 'full_time, part_time, contract, intern')],
  },
  'hrms.attendance.punch': {
    does: 'Writes a punch and pairs it into a session, by its own time and not by its arrival.',
    madeBy: ['create.employee', 'create.device'],
    decisions: [
      {
        open: 'Unknown employee or device',
        decided:
          '422 with `recorded: false`, `reason`, `hint` and `registered_devices`; kept for an administrator to replay',
      },
      { open: 'Values of action', decided: '`check_in` and `check_out`' },
      {
        open: 'What counts as a duplicate',
        decided: 'The same employee, direction and kind of device within 60 s, or the same instant',
      },
      { open: 'How old or early a punch may be', decided: '31 days back, 5 minutes ahead; else 422' },
    ],
  },
  'crm.deals.list': {
    does: 'Reads the newest 50 deals, newest first.',
    madeBy: ['create.deal', 'create.account'],
    decisions: [paging, openValues('stage', 'prospecting, qualification, proposal, negotiation, won, lost')],
  },
  'crm.leads.create': {
    does: 'Writes a lead.',
    madeBy: ['create.leadSource', 'create.lead'],
    decisions: [
      created,
      openValues('status', 'new, contacted, qualified (these three are open), converted, lost'),
      {
        open: 'What is the same e-mail',
        decided: 'Equal without surrounding spaces and in lower case; an open lead with it gives 409',
      },
      { open: 'Range of estimated_value', decided: '0 to 10^12, two decimals, half up' },
    ],
  },
  'errors.ping': {
    does: 'Says whether the webhook is configured. Needs no credential.',
    madeBy: ['create.integration'],
    decisions: [],
  },
  'errors.report': {
    does: 'Writes a ticket for a new error, or counts it on the open ticket that it has; reads several frameworks’ own formats.',
    madeBy: ['create.integration', 'create.errorReport'],
    decisions: [
      wrongSecret,
      { open: 'Scope of a bearer token here', decided: '`tickets:write` of that workspace' },
      {
        open: 'Status of the ticket',
        decided: '`open`; a ticket that was closed less than 14 days ago is opened again',
      },
      {
        open: 'What makes two reports the same',
        decided: 'Application, exception, message without ids and numbers, and file',
      },
    ],
  },
  'attendance.ping': {
    does: 'Says whether the webhook is configured, with an example of a body and the registered devices.',
    madeBy: ['create.device', 'create.integration'],
    decisions: [],
  },
  'attendance.punch': {
    does: 'As hrms.attendance.punch, with the secret of the workspace or of the device.',
    madeBy: ['create.employee', 'create.device', 'create.integration'],
    decisions: [
      wrongSecret,
      {
        open: 'Status for an unknown device: headed 422, its sample labelled 200',
        decided: '422',
        option: 'deviceNotFoundStatus: 200',
      },
    ],
  },
  'leads.ping': {
    does: 'Says whether the webhook is configured, with the supported sources. Answers a platform’s challenge.',
    madeBy: ['create.leadSource'],
    decisions: [
      {
        open: 'Names of the five other sources',
        decided: 'facebook, google_ads, linkedin, tiktok, whatsapp beside website',
      },
    ],
  },
  'leads.capture': {
    does: 'Writes a lead, or says why not; reads the platforms’ own formats.',
    madeBy: ['create.leadSource'],
    decisions: [
      wrongSecret,
      {
        open: 'When a lead is skipped',
        decided: 'Neither e-mail nor phone, or an inactive source: `skipped: true` with a reason',
      },
    ],
  },
  'git.ping': {
    does: 'Says whether the provider is configured.',
    madeBy: ['create.integration'],
    decisions: [{ open: 'Names of the three providers', decided: 'github, gitlab, bitbucket' }],
  },
  'git.send': {
    does: 'Writes activity entries, one per commit of a push and one for anything else; opens a ticket for an issue where the integration says so.',
    madeBy: ['create.integration'],
    decisions: [
      {
        open: 'How a request is verified',
        decided:
          'By the provider’s own scheme where the integration has a secret (401 otherwise); without one everything is taken',
      },
      { open: 'The same delivery again', decided: 'Stored once, by the provider’s delivery id' },
      { open: 'Unknown events', decided: '200 with one general entry' },
    ],
  },
}

const payload: Decision = {
  open: 'Shape of the payload',
  decided: 'Like that of ticket.created, with `changes: {field: {from, to}}` on *.updated',
}

/** By event. */
export const eventNotes: Readonly<Record<EventName, readonly Decision[]>> = {
  'ticket.created': [],
  'ticket.updated': [payload],
  'ticket.resolved': [
    payload,
    { open: 'How often', decided: 'Once per move to resolved or closed, beside ticket.updated' },
  ],
  'task.created': [payload],
  'task.updated': [payload],
  'message.created': [
    payload,
    { open: 'Where messages come from', decided: 'Channels and messages of `server.admin`' },
  ],
  'project.updated': [payload],
}

/** What is so for every operation. */
export const everywhere: readonly Decision[] = [
  { open: 'Body of an error', decided: '`{"message": string, "errors"?: {field: string[]}}`, with dotted fields' },
  { open: 'Order of the checks', decided: 'Route, rate limit, 401, 403 for the workspace, 403 for the scope, body' },
  {
    open: 'A workspace that does not exist: 404 in the list of statuses, 403 for a mismatch',
    decided: '403, so that nobody learns which workspaces there are',
    option: 'unknownWorkspaceStatus: 404',
  },
  { open: 'Other statuses', decided: '405 with Allow, 413 above 1 MiB (Git 25 MiB), 415; malformed JSON is 422' },
  {
    open: 'Headers of the rate limit',
    decided:
      '`X-RateLimit-Limit` and `-Remaining` always; on 429 `Retry-After` and `X-RateLimit-Reset`; windows of 60 s',
    option: "rateLimit: 'off' | number",
  },
  { open: 'Lengths', decided: 'Titles and names 255, texts 65,535 characters, 50 tags of 64' },
  { open: 'Unknown keys', decided: 'Ignored by the platform, reported by the contract check' },
  { open: 'Idempotency-Key', decided: 'Honoured on every POST for 24 hours' },
  { open: 'Expiry and revocation of tokens', decided: 'Both at once: the next request gets 401' },
]

/** What is so for every outbound webhook. */
export const everyDelivery: readonly Decision[] = [
  { open: 'Encoding of the signature', decided: 'Lower-case hex; per subscription also `sha256=` and hex, or base64' },
  {
    open: 'Retries',
    decided: '10 attempts within 75.6 hours; 2xx is success, redirects are failures, 410 disables at once',
  },
  {
    open: 'A receiver that keeps failing',
    decided: 'Disabled after 5 days without success; its events are held and can be replayed',
  },
  {
    open: 'Other headers',
    decided: '`X-Service-Delivery`, `-Attempt`, `-Sequence`; on request the three of Standard Webhooks',
  },
]
