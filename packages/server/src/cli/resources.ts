/** A sentence, and the words of the command that it refers to. */
interface NextStep {
  readonly sentence: string
  readonly words: string
}

/** A resource of the admin API on the command line. */
export interface CliResource {
  /** The first part of its operation names. */
  readonly resource: string
  readonly summary: string
  /** The columns of lists. `--json` prints all fields. */
  readonly columns: readonly string[]
  /** The columns of the lists of a verb, if it lists something else. */
  readonly columnsOf?: Readonly<Record<string, readonly string[]>>
  /** Help texts for fields whose types are not clear enough. */
  readonly hints?: Readonly<Record<string, string>>
  /** What to do next, printed after the answer of a verb. */
  readonly next?: Readonly<Record<string, (answer: object, workspace: string) => NextStep | undefined>>
  /** What to know about the answer of a verb, printed on stderr. */
  readonly note?: Readonly<Record<string, (answer: object) => string | undefined>>
}

/** The platform never prints the values of custom headers. */
function noteHiddenHeaders(answer: object): string | undefined {
  const names = [...JSON.stringify(answer).matchAll(/-H '([^':]+): <hidden>'/g)].map(([, name]) => name)
  return names.length === 0 ? undefined : `Replace <hidden> by the value of each custom header: ${names.join(', ')}.`
}

/** A dry run starts no job. */
const watchJob = (answer: object, workspace: string): NextStep | undefined =>
  'job_id' in answer
    ? {
        sentence: 'The server sends the deliveries in the background. The progress of the job is printed by',
        words: `webhook job ${answer.job_id} --workspace ${workspace}`,
      }
    : undefined

// Resource data of the command line. Verbs, flags, help, and examples come from the contract's routes.

export const cliResources = {
  workspace: {
    resource: 'workspaces',
    summary: 'Workspaces of the instance.',
    columns: ['id', 'name', 'time_zone', 'created_at'],
  },
  member: {
    resource: 'members',
    summary: 'People of a workspace.',
    columns: ['id', 'name', 'email', 'role'],
    next: {
      create: (answer, workspace) => ({
        sentence: 'A person without a password signs in with a link. It is printed by',
        words: `invitation create ${'id' in answer ? answer.id : '<id>'} --workspace ${workspace}`,
      }),
    },
  },
  user: {
    resource: 'users',
    summary: 'People of the instance.',
    columns: ['id', 'name', 'email', 'is_instance_admin', 'has_password', 'disabled_at'],
  },
  invitation: {
    resource: 'invitations',
    summary: 'Links for members without a password.',
    columns: ['link', 'expires_at'],
  },
  'setup-link': {
    resource: 'setupLinks',
    summary: 'Links for the initial set-up.',
    columns: ['link', 'expires_at'],
  },
  'audit-log': {
    resource: 'auditLog',
    summary: 'The audit log.',
    columns: ['id', 'at', 'actor', 'operation', 'workspace_id', 'resource', 'address'],
  },
  token: {
    resource: 'tokens',
    summary: 'API tokens of a workspace.',
    columns: ['id', 'name', 'user_id', 'hint', 'scopes', 'limited_by_role', 'expires_at', 'revoked_at', 'last_used_at'],
    hints: { user_id: 'who the token acts as (required with the admin token, which is not a person)' },
  },
  integration: {
    resource: 'integrations',
    summary: 'Inbound integrations of a workspace.',
    columns: ['integration', 'enabled', 'has_secret', 'open_tickets', 'updated_at'],
  },
  'lead-source': {
    resource: 'leadSources',
    summary: 'Lead sources of a workspace.',
    columns: ['source', 'enabled', 'has_secret'],
  },
  'inbound-delivery': {
    resource: 'inboundDeliveries',
    summary: 'Inbound deliveries and their results.',
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
  punch: {
    resource: 'punches',
    summary: 'Attendance punches of a workspace, and their corrections.',
    columns: ['id', 'employee_id', 'direction', 'at', 'action', 'corrected', 'voided_at', 'reason'],
  },
  webhook: {
    resource: 'webhooks',
    summary: 'Webhook subscriptions of a workspace.',
    columns: ['id', 'url', 'events', 'enabled', 'disabled_reason', 'last_success_at', 'last_failure_at'],
    next: { recover: watchJob, replayMissing: watchJob },
  },
  delivery: {
    resource: 'deliveries',
    summary: 'Webhook deliveries and their results.',
    columns: ['id', 'subscription_id', 'event', 'state', 'attempts', 'next_attempt_at', 'error', 'created_at'],
    note: { curl: noteHiddenHeaders },
    columnsOf: { attempts: ['number', 'started_at', 'outcome', 'status', 'duration_ms', 'error', 'response'] },
  },
} satisfies Record<string, CliResource>
