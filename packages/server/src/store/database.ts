import type { Kysely } from 'kysely'
import type {
  DeliveriesTable,
  DeliveryAttemptsTable,
  DeliveryCountsTable,
  DeliveryJobsTable,
  DeliveryQueuesTable,
  EventsTable,
  UnroutedEventsTable,
} from '../delivery/table.ts'
import type { AuditLogTable, AuditRetentionTable } from '../modules/audit-log/table.ts'
import type { AutomationRulesTable, AutomationRunsTable, SlaPoliciesTable } from '../modules/automation/table.ts'
import type { OperationMarksTable } from '../modules/backups/table.ts'
import type {
  AccountsTable,
  DealsTable,
  LeadEnquiriesTable,
  LeadSourcesTable,
  LeadsTable,
} from '../modules/crm/table.ts'
import type {
  ErrorGroupDaysTable,
  ErrorGroupsTable,
  ErrorSamplesTable,
  ErrorTicketBudgetsTable,
} from '../modules/error-reports/table.ts'
import type { ActivitiesTable, GitDeliveriesTable, GitIssueTicketsTable } from '../modules/git/table.ts'
import type {
  AttendanceSessionsTable,
  DevicesTable,
  EmployeesTable,
  PunchesTable,
  UnmatchedPunchesTable,
} from '../modules/hrms/table.ts'
import type { InboundDeliveriesTable } from '../modules/inbound-deliveries/table.ts'
import type { IntegrationsTable } from '../modules/integrations/table.ts'
import type { MemberNamesTable, MembersTable, SharedViewsTable } from '../modules/members/table.ts'
import type { ChannelsTable, MentionsTable, MessagesTable } from '../modules/messages/table.ts'
import type { ProjectsTable } from '../modules/projects/table.ts'
import type { TasksTable } from '../modules/tasks/table.ts'
import type {
  ResolvedCountsTable,
  TicketCountersTable,
  TicketHistoryTable,
  TicketSearchTable,
  TicketsTable,
} from '../modules/tickets/table.ts'
import type { ApiTokensTable, RateLimitWindowsTable } from '../modules/tokens/table.ts'
import type { OneTimeLinksTable, PersonalTokensTable, SessionsTable, UsersTable } from '../modules/users/table.ts'
import type { SubscriptionEventsTable, SubscriptionsTable } from '../modules/webhooks/table.ts'
import type { WorkspacesTable } from '../modules/workspaces/table.ts'

/** Every table. The row types are defined in their modules. */
export interface Database {
  accounts: AccountsTable
  activities: ActivitiesTable
  api_tokens: ApiTokensTable
  audit_log: AuditLogTable
  audit_retention: AuditRetentionTable
  automation_rules: AutomationRulesTable
  automation_runs: AutomationRunsTable
  attendance_sessions: AttendanceSessionsTable
  channels: ChannelsTable
  deals: DealsTable
  deliveries: DeliveriesTable
  unrouted_events: UnroutedEventsTable
  delivery_counts: DeliveryCountsTable
  delivery_attempts: DeliveryAttemptsTable
  delivery_jobs: DeliveryJobsTable
  delivery_queues: DeliveryQueuesTable
  devices: DevicesTable
  employees: EmployeesTable
  encryption_key: EncryptionKeyTable
  error_group_days: ErrorGroupDaysTable
  error_groups: ErrorGroupsTable
  error_samples: ErrorSamplesTable
  error_ticket_budgets: ErrorTicketBudgetsTable
  events: EventsTable
  git_deliveries: GitDeliveriesTable
  git_issue_tickets: GitIssueTicketsTable
  idempotency_keys: IdempotencyKeysTable
  inbound_deliveries: InboundDeliveriesTable
  integrations: IntegrationsTable
  lead_enquiries: LeadEnquiriesTable
  lead_sources: LeadSourcesTable
  leads: LeadsTable
  member_names: MemberNamesTable
  members: MembersTable
  mentions: MentionsTable
  messages: MessagesTable
  operation_marks: OperationMarksTable
  one_time_links: OneTimeLinksTable
  personal_tokens: PersonalTokensTable
  projects: ProjectsTable
  punches: PunchesTable
  /** PostgreSQL only. */
  rate_limit_windows: RateLimitWindowsTable
  resolved_counts: ResolvedCountsTable
  sessions: SessionsTable
  shared_views: SharedViewsTable
  sla_policies: SlaPoliciesTable
  subscription_events: SubscriptionEventsTable
  subscriptions: SubscriptionsTable
  tasks: TasksTable
  ticket_counters: TicketCountersTable
  ticket_history: TicketHistoryTable
  ticket_search: TicketSearchTable
  tickets: TicketsTable
  unmatched_punches: UnmatchedPunchesTable
  users: UsersTable
  workspaces: WorkspacesTable
}

export type Db = Kysely<Database>

interface EncryptionKeyTable {
  id: number
  fingerprint: string
  created_at: number
}

/** Responses stored for 24 h under the caller's `Idempotency-Key`. */
interface IdempotencyKeysTable {
  /** 0 for a request about the instance. */
  workspace_id: number
  /** The caller that sent the key. Two callers may use the same key. */
  scope: string
  key: string
  request_hash: string
  status: number | null
  answer: string | null
  expires_at: number
}
