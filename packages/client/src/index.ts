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
export type { ClientOptions } from './client-options.ts'
export * from './common-exports.ts'
export { type Client, createClient } from './create-client.ts'
export type { ClientEvent, OnEvent } from './events.ts'
export type { ClientHooks } from './hooks.ts'
export type { Logger } from './logger.ts'
export type { SendRequest } from './request.ts'
export type { RequestInput, ResponseSchema } from './request-input.ts'
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
