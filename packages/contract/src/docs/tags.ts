import type { Route } from '../route.ts'

interface Section {
  readonly about: string
  /** Its resources, or single operations. */
  readonly of: readonly string[]
}

/** The sections of the references, in their order. */
export const tags = {
  api: {
    Tickets: { about: 'Requests for help and reports of faults.', of: ['tickets'] },
    Tasks: { about: 'Work to do, separately or as part of a project or ticket.', of: ['tasks'] },
    Projects: { about: 'Projects group tickets and tasks.', of: ['projects'] },
    HRMS: { about: 'Employee profiles and attendance.', of: ['hrms'] },
    CRM: { about: 'Deals and leads.', of: ['crm'] },
    'Error reports': { about: 'Application errors come in and open tickets.', of: ['errors'] },
    'Attendance devices': { about: 'Punches come in from devices and their agents.', of: ['attendance'] },
    'Lead capture': { about: 'Leads come in from forms, advertising and messaging platforms.', of: ['leads'] },
    'Git events': { about: 'Activity comes in from GitHub, GitLab and Bitbucket.', of: ['git'] },
    'Outbound events': { about: 'What the platform sends to the URLs that subscribe to it.', of: [] },
  },
  admin: {
    Workspaces: { about: 'Each has its own people, tickets, tokens and integrations.', of: ['workspaces', 'overview'] },
    People: { about: 'Who belongs to a workspace, and what they may do there.', of: ['members'] },
    'Sign-in': {
      about: 'People of the instance, their sessions and personal access tokens, and the first set-up.',
      of: ['setup', 'setupLinks', 'sessions', 'passwordResets', 'account', 'personalTokens', 'users'],
    },
    'Audit log': { about: 'Who changed what.', of: ['auditLog'] },
    'API tokens': { about: 'Tokens with which programs call the REST API.', of: ['tokens'] },
    Work: { about: 'Tickets, tasks and projects.', of: ['tickets', 'tasks', 'projects'] },
    Messages: { about: 'Channels and their messages.', of: ['channels', 'messages'] },
    Integrations: { about: 'Inbound integrations: whether they are enabled, and their secrets.', of: ['integrations'] },
    Webhooks: { about: 'Subscriptions to outbound events.', of: ['webhooks', 'events.trigger'] },
    Deliveries: { about: 'What was sent to subscribers, attempt by attempt.', of: ['deliveries', 'events'] },
    Attendance: {
      about: 'Employees, devices, punches, attendance sessions, and unmatched punches.',
      of: ['employees', 'devices', 'attendance'],
    },
    Intake: {
      about: 'What third parties sent, and its results.',
      of: ['activities', 'errorReports', 'inboundDeliveries'],
    },
    CRM: {
      about: 'Accounts, deals, leads and where leads come from.',
      of: ['accounts', 'deals', 'leads', 'leadEnquiries', 'leadSources'],
    },
    Automation: { about: 'Rules, what they did, and service levels.', of: ['rules', 'slaPolicies'] },
    Operations: { about: 'Backups and the state of the whole instance.', of: ['backups', 'system', 'encryptionKey'] },
  },
  test: {
    State: { about: 'Reset, snapshots and saved states.', of: ['state', 'states', 'forks'] },
    Clock: { about: 'The time of the server.', of: ['clock'] },
    Data: { about: 'Test data.', of: ['seeded', 'factories', 'tokens'] },
    Faults: { about: 'Injected failures of requests.', of: ['faults'] },
    Journal: { about: 'Recorded requests, and expectations about them.', of: ['journal'] },
    Inboxes: { about: 'Receivers of outbound events inside the server.', of: ['inboxes', 'deliveryFaults', 'events'] },
    Settings: { about: 'Limits, and choices where the specification is ambiguous.', of: ['quirks', 'limits'] },
  },
} as const satisfies Record<string, Record<string, Section>>

/** The section of the reference that lists an operation. */
export function tagOf({ surface, operation }: Route): string {
  const sections: Readonly<Record<string, Section>> = tags[surface === 'inbound' ? 'api' : surface]
  const found = Object.entries(sections).find(([, { of }]) => of.some((each) => `${operation}.`.startsWith(`${each}.`)))
  if (found === undefined) throw new TypeError(`docs/tags.ts has no section for ${operation}.`)
  return found[0]
}
