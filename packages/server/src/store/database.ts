import type { Kysely } from 'kysely'
import type { EventsTable } from '../delivery/table.ts'
import type { IdempotencyKeysTable } from '../http/idempotency-table.ts'
import type { AccountsTable, DealsTable, LeadSourcesTable, LeadsTable } from '../modules/crm/table.ts'
import type {
  AttendanceSessionsTable,
  DevicesTable,
  EmployeesTable,
  PunchesTable,
  UnmatchedPunchesTable,
} from '../modules/hrms/table.ts'
import type { IntegrationsTable } from '../modules/integrations/table.ts'
import type { MembersTable, UsersTable } from '../modules/members/table.ts'
import type { ProjectsTable } from '../modules/projects/table.ts'
import type { TasksTable, TaskTagsTable } from '../modules/tasks/table.ts'
import type { TicketCountersTable, TicketsTable, TicketTagsTable } from '../modules/tickets/table.ts'
import type { ApiTokensTable } from '../modules/tokens/table.ts'
import type { WorkspacesTable } from '../modules/workspaces/table.ts'

/** Every table, one line each; the rows' types stand with their modules. */
export interface Database {
  accounts: AccountsTable
  api_tokens: ApiTokensTable
  attendance_sessions: AttendanceSessionsTable
  deals: DealsTable
  devices: DevicesTable
  employees: EmployeesTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  integrations: IntegrationsTable
  lead_sources: LeadSourcesTable
  leads: LeadsTable
  members: MembersTable
  projects: ProjectsTable
  punches: PunchesTable
  task_tags: TaskTagsTable
  tasks: TasksTable
  ticket_counters: TicketCountersTable
  ticket_tags: TicketTagsTable
  tickets: TicketsTable
  unmatched_punches: UnmatchedPunchesTable
  users: UsersTable
  workspaces: WorkspacesTable
}

export type Db = Kysely<Database>
