export type {
  DealStage,
  EmploymentType,
  LeadSource,
  LeadStatus,
  Open,
  Priority,
  ProjectStatus,
  PunchAction,
  PunchDirection,
  TaskStatus,
  TicketStatus,
} from '@service/contract/values'
export type { Call, CallMeta, FailureMeta, SafeResult, WithMeta } from './call.ts'
export type { CallOptions, CreateOptions, QueryValue } from './call-options.ts'
export type { ClientOptions, Fetch } from './client-options.ts'
export { type Client, createClient } from './create-client.ts'
// Not from `errors.ts`, the entry: bundlers would split an empty file off for it.
export * from './errors/details.ts'
export * from './errors/family.ts'
export { ServiceError } from './errors/service-error.ts'
export type { ClientEvent, OnEvent } from './events.ts'
export type { ClientHooks } from './hooks.ts'
export type { Crm, Deal, Deals, Lead, Leads, NewLead } from './resources/crm.ts'
export type {
  Attendance,
  Device,
  Employee,
  Employees,
  Hrms,
  NewPunch,
  PunchResult,
  RecordedPunch,
  UnmatchedPunch,
} from './resources/hrms.ts'
export type { Named } from './resources/named.ts'
export type { Project, Projects } from './resources/projects.ts'
export type { NewTask, Task, Tasks } from './resources/tasks.ts'
export type { CreatedTicket, NewTicket, Ticket, Tickets } from './resources/tickets.ts'
export type { Token } from './token-source.ts'
export type { AppInfo } from './user-agent.ts'
