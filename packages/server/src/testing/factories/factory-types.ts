import type * as client from '@service/client'
import type * as admin from '@service/client/admin'
import type { ErrorReceipt } from '@service/client/inbound'
import type * as fields from './factory-fields.ts'

interface FactoryType<Fields, Created> {
  fields: Fields
  record: Created
}

/** The input and output of each factory. Outputs include secrets. */
export interface FactoryTypes {
  workspace: FactoryType<fields.WorkspaceFields, admin.Workspace>
  member: FactoryType<fields.MemberFields, admin.Member>
  token: FactoryType<fields.TokenFields, admin.NewApiToken>
  slaPolicy: FactoryType<fields.SlaPolicyFields, admin.SlaPolicy>
  project: FactoryType<fields.ProjectFields, client.Project>
  account: FactoryType<fields.AccountFields, admin.Account>
  channel: FactoryType<fields.ChannelFields, admin.Channel>
  ticket: FactoryType<fields.TicketFields, client.CreatedTicket>
  task: FactoryType<fields.TaskFields, client.Task>
  message: FactoryType<fields.MessageFields, admin.PostedMessage>
  deal: FactoryType<fields.DealFields, client.Deal>
  leadSource: FactoryType<fields.LeadSourceFields, admin.LeadSourceWithSecret>
  lead: FactoryType<fields.LeadFields, client.Lead>
  employee: FactoryType<fields.EmployeeFields, client.Employee>
  device: FactoryType<fields.DeviceFields, admin.DeviceWithSecret>
  punch: FactoryType<fields.PunchFields, client.RecordedPunch>
  integration: FactoryType<fields.IntegrationFields, admin.Integration & { secret?: string }>
  errorReport: FactoryType<fields.ErrorReportFields, ErrorReceipt>
  rule: FactoryType<fields.RuleFields, admin.Rule>
  subscription: FactoryType<fields.SubscriptionFields, admin.SubscriptionWithSecret>
}

/** The input of a factory; all fields are optional. */
export type FieldsOf<K extends keyof FactoryTypes> = FactoryTypes[K]['fields']
/** The output of a factory. */
export type RecordOf<K extends keyof FactoryTypes> = FactoryTypes[K]['record']
