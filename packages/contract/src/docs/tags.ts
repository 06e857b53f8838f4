/** The sections of the references, in their order. */
export const tags = {
  api: {
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
  },
  admin: {
    Workspaces: 'Each has its own people, tickets, tokens and integrations.',
    People: 'Who belongs to a workspace, and what they may do there.',
    'Sign-in': 'People of the instance, their sessions and personal access tokens, and the first set-up.',
    'Audit log': 'Who changed what.',
    'API tokens': 'What programs call the REST API with.',
    Work: 'Tickets, tasks and projects.',
    Messages: 'Channels and what is said in them.',
    Integrations: 'What third parties push in: switches and secrets.',
    Webhooks: 'Subscriptions to outbound events.',
    Deliveries: 'What was sent to subscribers, attempt by attempt.',
    Attendance: 'Employees, devices, punches, the sessions that they make, and punches that match nobody.',
    Intake: 'What third parties pushed in, and what was made of it.',
    CRM: 'Accounts, deals, leads and where leads come from.',
    Automation: 'Rules, what they did, and service levels.',
    Operations: 'Backups and the state of the whole instance.',
  },
  test: {
    State: 'Reset, snapshots and saved states.',
    Clock: 'The time of the server.',
    Data: 'Things that a test needs.',
    Faults: 'Requests that go wrong on purpose.',
    Journal: 'The requests that came, and what was expected.',
    Inboxes: 'Receivers of outbound events inside the server.',
    Settings: 'Limits, and which of two readings holds.',
  },
} as const

type Tags = typeof tags
export type Tag = { [Surface in keyof Tags]: keyof Tags[Surface] }[keyof Tags]
