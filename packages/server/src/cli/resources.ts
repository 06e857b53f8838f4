/** A kind of thing that administration has, as the command line names it. */
export interface CliResource {
  /** The first half of its operations. */
  readonly resource: string
  readonly summary: string
  /** What a list shows of each; `--json` has all. */
  readonly columns: readonly string[]
  /** What the help says of a field, where its type says too little. */
  readonly hints?: Readonly<Record<string, string>>
}

// All that the command line knows of these: their verbs, flags, help and examples come from the routes of the contract.

export const cliResources = {
  workspace: {
    resource: 'workspaces',
    summary: 'Workspaces of the instance.',
    columns: ['id', 'name', 'time_zone', 'created_at'],
  },
  member: { resource: 'members', summary: 'People of a workspace.', columns: ['id', 'name', 'email', 'role'] },
  user: {
    resource: 'users',
    summary: 'People of the instance.',
    columns: ['id', 'name', 'email', 'is_instance_admin', 'has_password', 'disabled_at'],
  },
  'setup-link': {
    resource: 'setupLinks',
    summary: 'Links for the first set-up.',
    columns: ['link', 'expires_at'],
  },
  'audit-log': {
    resource: 'auditLog',
    summary: 'Who changed what.',
    columns: ['id', 'at', 'actor', 'operation', 'workspace_id', 'resource', 'address'],
  },
  token: {
    resource: 'tokens',
    summary: 'API tokens of a workspace.',
    columns: ['id', 'name', 'user_id', 'hint', 'scopes', 'expires_at', 'revoked_at', 'last_used_at'],
    hints: { user_id: 'who the token acts as (required with the admin token, which is not a person)' },
  },
  integration: {
    resource: 'integrations',
    summary: 'What third parties push into a workspace.',
    columns: ['integration', 'enabled', 'has_secret', 'open_tickets', 'updated_at'],
  },
  'lead-source': {
    resource: 'leadSources',
    summary: 'Where the leads of a workspace come from.',
    columns: ['source', 'name', 'active', 'is_active', 'has_secret', 'updated_at'],
  },
  'inbound-delivery': {
    resource: 'inboundDeliveries',
    summary: 'What third parties have pushed in, and what became of it.',
    columns: ['id', 'integration', 'source', 'status', 'summary', 'has_body', 'received_at'],
  },
  employee: {
    resource: 'employees',
    summary: 'Employee profiles of a workspace.',
    columns: ['id', 'user_id', 'employee_code', 'attendance_uid', 'department', 'job_title'],
  },
  device: {
    resource: 'devices',
    summary: 'Attendance devices of a workspace.',
    columns: ['id', 'source_type', 'external_device_id', 'device_name'],
  },
  webhook: {
    resource: 'webhooks',
    summary: 'Subscriptions to the events of a workspace.',
    columns: ['id', 'url', 'events', 'enabled', 'disabled_reason', 'last_success_at', 'last_failure_at'],
  },
  delivery: {
    resource: 'deliveries',
    summary: 'What was sent to subscribers, and what became of it.',
    columns: ['id', 'subscription_id', 'event', 'state', 'attempts', 'next_attempt_at', 'error', 'created_at'],
  },
} as const satisfies Record<string, CliResource>
