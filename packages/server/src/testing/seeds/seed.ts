import type { Admin } from '@service/client/admin'
import type { Kind } from '../factories/define-factory.ts'
import type { Factories } from '../factories/factories.ts'
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
} from '../factories/factory-fields.ts'

/** States that the server brings along. */
type Scenario = 'empty' | 'demo' | 'company' | 'large' | 'edge'

/**
 * What a server begins with: a scenario, data, the path of a YAML or JSON file (or of a module that exports data or a
 * function), or a function that makes everything itself.
 */
export type Seed = Scenario | (string & {}) | SeedData | ((admin: Admin, factories: Factories) => unknown)

/** What a workspace may hold, in the order in which it is made: who subscribes comes last and is told nothing of a seed. */
export const sections = {
  members: 'member',
  sla_policies: 'slaPolicy',
  projects: 'project',
  accounts: 'account',
  channels: 'channel',
  tickets: 'ticket',
  tasks: 'task',
  messages: 'message',
  deals: 'deal',
  lead_sources: 'leadSource',
  leads: 'lead',
  employees: 'employee',
  devices: 'device',
  punches: 'punch',
  error_reports: 'errorReport',
  integrations: 'integration',
  rules: 'rule',
  subscriptions: 'subscription',
  tokens: 'token',
} as const satisfies {
  readonly [Section in Exclude<keyof SeedWorkspace, keyof WorkspaceFields | keyof SeedKey>]-?: Kind
}

/** A name by which other parts of the seed refer to this one. */
export interface SeedKey {
  readonly key?: string
}

type Keyed<Fields> = readonly (Fields & SeedKey)[]

/** A workspace and everything in it. References are ids, keys, or names (of members: e-mail addresses). */
export interface SeedWorkspace extends WorkspaceFields, SeedKey {
  readonly members?: Keyed<MemberFields>
  readonly sla_policies?: Keyed<SlaPolicyFields>
  readonly projects?: Keyed<ProjectFields>
  readonly accounts?: Keyed<AccountFields>
  readonly channels?: Keyed<ChannelFields>
  readonly tickets?: Keyed<TicketFields>
  readonly tasks?: Keyed<TaskFields>
  readonly messages?: Keyed<MessageFields>
  readonly deals?: Keyed<DealFields>
  readonly lead_sources?: Keyed<LeadSourceFields>
  readonly leads?: Keyed<LeadFields>
  readonly employees?: Keyed<EmployeeFields>
  readonly devices?: Keyed<DeviceFields>
  readonly punches?: Keyed<PunchFields>
  readonly error_reports?: Keyed<ErrorReportFields>
  readonly integrations?: Keyed<IntegrationFields>
  readonly rules?: Keyed<RuleFields>
  readonly subscriptions?: Keyed<SubscriptionFields>
  readonly tokens?: Keyed<TokenFields>
}

/** Data that a server begins with. */
export interface SeedData {
  readonly workspaces?: readonly SeedWorkspace[]
}

/** All that is wrong with a seed, at once; in a file with line and column. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`The seed has ${count}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
