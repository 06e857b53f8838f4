import type { CreatedTicket, Deal, Employee, Lead, Project, RecordedPunch, Task } from '@service/client'
import type {
  Account,
  Channel,
  DeviceWithSecret,
  Integration,
  LeadSourceWithSecret,
  Member,
  NewApiToken,
  PostedMessage,
  Rule,
  SlaPolicy,
  SubscriptionWithSecret,
  Workspace,
} from '@service/client/admin'
import type { ErrorReceipt } from '@service/client/inbound'
import type {
  AccountFields,
  ChannelFields,
  DealFields,
  DeviceFields,
  EmployeeFields,
  ErrorReportFields,
  IntegrationFields,
  LeadFields,
  LeadSourceFields,
  MemberFields,
  MessageFields,
  ProjectFields,
  PunchFields,
  RuleFields,
  SlaPolicyFields,
  SubscriptionFields,
  TaskFields,
  TicketFields,
  TokenFields,
  WorkspaceFields,
} from './factory-fields.ts'

interface FactoryType<Fields, Made> {
  fields: Fields
  made: Made
}

/** Everything that a factory makes: what may be given, and what comes back, secrets included. */
export interface FactoryTypes {
  workspace: FactoryType<WorkspaceFields, Workspace>
  member: FactoryType<MemberFields, Member>
  token: FactoryType<TokenFields, NewApiToken>
  slaPolicy: FactoryType<SlaPolicyFields, SlaPolicy>
  project: FactoryType<ProjectFields, Project>
  account: FactoryType<AccountFields, Account>
  channel: FactoryType<ChannelFields, Channel>
  ticket: FactoryType<TicketFields, CreatedTicket>
  task: FactoryType<TaskFields, Task>
  message: FactoryType<MessageFields, PostedMessage>
  deal: FactoryType<DealFields, Deal>
  leadSource: FactoryType<LeadSourceFields, LeadSourceWithSecret>
  lead: FactoryType<LeadFields, Lead>
  employee: FactoryType<EmployeeFields, Employee>
  device: FactoryType<DeviceFields, DeviceWithSecret>
  punch: FactoryType<PunchFields, RecordedPunch>
  integration: FactoryType<IntegrationFields, Integration & { secret?: string }>
  errorReport: FactoryType<ErrorReportFields, ErrorReceipt>
  rule: FactoryType<RuleFields, Rule>
  subscription: FactoryType<SubscriptionFields, SubscriptionWithSecret>
}

/** What the factory of a kind takes; everything may be left out. */
export type FieldsOf<K extends keyof FactoryTypes> = FactoryTypes[K]['fields']
/** What the factory of a kind gives back. */
export type MadeOf<K extends keyof FactoryTypes> = FactoryTypes[K]['made']
