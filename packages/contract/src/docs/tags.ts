import type { Route, Surface } from '../route.ts'

interface Section {
  readonly about: string
  /** Its resources, or single operations. */
  readonly resources: readonly string[]
}

/** The sections of the references, in their order. */
export const tags = {
  api: {
    Tickets: { about: 'Requests for help and reports of faults.', resources: ['tickets'] },
    Tasks: { about: 'Work to do, separately or as part of a project or ticket.', resources: ['tasks'] },
    Projects: { about: 'Projects group tickets and tasks.', resources: ['projects'] },
    HRMS: { about: 'Employee profiles and attendance.', resources: ['hrms'] },
    CRM: { about: 'Deals and leads.', resources: ['crm'] },
    'Error reports': { about: 'Application errors come in and open tickets.', resources: ['errors'] },
    'Attendance devices': { about: 'Punches come in from devices and their agents.', resources: ['attendance'] },
    'Lead capture': { about: 'Leads come in from forms, advertising and messaging platforms.', resources: ['leads'] },
    'Git events': { about: 'Activity comes in from GitHub, GitLab and Bitbucket.', resources: ['git'] },
    'Outbound events': { about: 'What the platform sends to the URLs that subscribe to it.', resources: [] },
  },
  admin: {
    Workspaces: {
      about: 'Each has its own people, tickets, tokens and integrations.',
      resources: ['workspaces', 'overview'],
    },
    People: {
      about: 'Who belongs to a workspace, and what they may do there.',
      resources: ['members', 'invitations', 'views', 'sharedViews'],
    },
    'Sign-in': {
      about: 'People of the instance, their sessions and personal access tokens, and the first set-up.',
      resources: ['setup', 'setupLinks', 'sessions', 'passwordResets', 'account', 'personalTokens', 'users'],
    },
    'Audit log': { about: 'Who changed what.', resources: ['auditLog'] },
    'API tokens': { about: 'Tokens with which programs call the REST API.', resources: ['tokens'] },
    Work: { about: 'Tickets, tasks and projects.', resources: ['tickets', 'tasks', 'projects'] },
    Messages: { about: 'Channels, their messages, and mentions.', resources: ['channels', 'messages', 'mentions'] },
    Integrations: {
      about: 'Inbound integrations: whether they are enabled, and their secrets.',
      resources: ['integrations'],
    },
    Webhooks: { about: 'Subscriptions to outbound events.', resources: ['webhooks', 'events.trigger'] },
    Deliveries: { about: 'What was sent to subscribers, attempt by attempt.', resources: ['deliveries', 'events'] },
    Attendance: {
      about: 'Employees, devices, punches, attendance sessions, and unmatched punches.',
      resources: ['employees', 'devices', 'punches', 'attendance'],
    },
    Intake: {
      about: 'What third parties sent, and its results.',
      resources: ['activities', 'errorReports', 'inboundDeliveries'],
    },
    CRM: {
      about: 'Accounts, deals, leads and where leads come from.',
      resources: ['accounts', 'deals', 'leads', 'leadEnquiries', 'leadSources'],
    },
    Automation: { about: 'Rules, what they did, and service levels.', resources: ['rules', 'slaPolicies'] },
    Operations: {
      about: 'Backups and the state of the whole instance.',
      resources: ['backups', 'system', 'encryptionKey'],
    },
  },
  test: {
    State: { about: 'Reset, snapshots and saved states.', resources: ['state', 'states', 'forks'] },
    Clock: { about: 'The time of the server.', resources: ['clock'] },
    Data: { about: 'Test data.', resources: ['seeded', 'factories', 'tokens'] },
    Faults: { about: 'Injected failures of requests.', resources: ['faults'] },
    Journal: { about: 'Recorded requests, and expectations about them.', resources: ['journal'] },
    Inboxes: {
      about: 'Receivers of outbound events inside the server.',
      resources: ['inboxes', 'deliveryFaults', 'events'],
    },
    Settings: { about: 'Limits, and choices where the specification is ambiguous.', resources: ['quirks', 'limits'] },
  },
} as const satisfies Record<string, Record<string, Section>>

/** The section of a resource or an operation. Parts of a resource are not found by their resource. */
function findSection(surface: Surface, name: string): [string, Section] | undefined {
  const sections: Readonly<Record<string, Section>> = tags[surface === 'inbound' ? 'api' : surface]
  return Object.entries(sections).find(([, { resources }]) =>
    resources.some((each) => `${name}.`.startsWith(`${each}.`)),
  )
}

/** The section of the reference that lists an operation. */
export function tagOf({ surface, operation }: Route): string {
  const found = findSection(surface, operation)
  if (found === undefined) throw new TypeError(`docs/tags.ts has no section for ${operation}.`)
  return found[0]
}

/** Parts of a resource, whose sections describe more than the part. */
const parts: Readonly<Record<string, string>> = {
  'hrms.employees': 'Employee profiles.',
  'hrms.attendance': 'Attendance punches.',
  'crm.deals': 'Deals.',
  'crm.leads': 'Leads.',
}

/** A sentence about a resource, such as `tickets`, or a part of one, such as `crm.leads`. */
export function describeResource(surface: Surface, resource: string): string {
  const found = parts[resource] ?? findSection(surface, resource)?.[1].about
  if (found === undefined) throw new TypeError(`docs/tags.ts does not describe ${resource}.`)
  return found
}
