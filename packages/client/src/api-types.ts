import type { apiRoutes } from '@service/contract/api-routes'
import type { Methods } from './methods.ts'

// The build replaces this file with `build/published-types.ts` before it writes the declarations.

export type { Deal, Lead, NewLead } from '@service/contract/crm'
export type { Named } from '@service/contract/fields'
export type { Device, Employee, NewPunch, PunchResult, RecordedPunch, UnmatchedPunch } from '@service/contract/hrms'
export type { Project } from '@service/contract/projects'
export type { NewTask, Task } from '@service/contract/tasks'
export type { CreatedTicket, NewTicket, Ticket } from '@service/contract/tickets'
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

/** The methods of the API. */
export type Api = Methods<(typeof apiRoutes)[number]>
