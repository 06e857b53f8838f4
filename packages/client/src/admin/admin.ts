import type { AuditLog } from './audit.ts'
import type { Rules, SlaPolicies } from './automation.ts'
import type { Accounts, AdminDeals, AdminLeads, LeadEnquiries, LeadSources } from './crm.ts'
import type { AdminAttendance, AdminEmployees, Devices } from './hrms.ts'
import type { Activities, ErrorReports, InboundDeliveries, Integrations } from './integrations.ts'
import type { Channels, Messages } from './messages.ts'
import type { Backups, EncryptionKeys, SystemState } from './operations.ts'
import type { Overviews } from './overview.ts'
import type { Members, Tokens, Workspaces } from './people.ts'
import type { OwnAccount, PasswordResets, PersonalTokens, Sessions, Setup, SetupLinks, Users } from './users.ts'
import type { Deliveries, Events, Webhooks } from './webhooks.ts'
import type { AdminProjects, AdminTasks, AdminTickets } from './work.ts'

/**
 * Everything that administration can do, the same over HTTP, in process and from the command line. A method's first
 * argument says where (`{workspace, id}`), its second what. Bad input is a ValidationError, an id that is not in the
 * workspace a NotFoundError.
 */
export interface Admin {
  readonly setup: Setup
  readonly setupLinks: SetupLinks
  readonly sessions: Sessions
  readonly passwordResets: PasswordResets
  readonly account: OwnAccount
  readonly personalTokens: PersonalTokens
  readonly users: Users
  readonly workspaces: Workspaces
  readonly members: Members
  readonly tokens: Tokens
  readonly overview: Overviews
  readonly auditLog: AuditLog
  readonly tickets: AdminTickets
  readonly tasks: AdminTasks
  readonly projects: AdminProjects
  readonly channels: Channels
  readonly messages: Messages
  readonly employees: AdminEmployees
  readonly devices: Devices
  readonly attendance: AdminAttendance
  readonly accounts: Accounts
  readonly deals: AdminDeals
  readonly leads: AdminLeads
  readonly leadEnquiries: LeadEnquiries
  readonly leadSources: LeadSources
  readonly integrations: Integrations
  readonly activities: Activities
  readonly errorReports: ErrorReports
  readonly inboundDeliveries: InboundDeliveries
  readonly rules: Rules
  readonly slaPolicies: SlaPolicies
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries
  readonly events: Events
  readonly backups: Backups
  readonly system: SystemState
  readonly encryptionKey: EncryptionKeys
}
