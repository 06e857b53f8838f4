import type { LeadSource, NewLead } from '@service/client'
import type {
  DealInput,
  DeviceInput,
  EmployeePatch,
  IntegrationName,
  Mapping,
  MemberRole,
  ProjectInput,
  RuleInput,
  Scope,
  SlaPolicyInput,
  SubscriptionSettings,
  TaskInput,
  TicketInput,
  TicketPatch,
  WorkspaceInput,
} from '@service/client/admin'

// Input types of factories and seeds, written out because types inferred from the schemas would load zod
// in the editor. `public-types.test.ts` fails to compile if the two differ.

/** A reference to an existing record: its id, an object with an id, or its name (for a member, the e-mail address). */
export type Ref = number | string | { readonly id: number }

/** All fields are optional. */
type Optional<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

/** Fields that refer to existing records. `project` and `project_id` are equivalent. */
type Refs<Field extends string> = { readonly [Each in Field]?: Ref | null | undefined }

/** A record in a workspace, by default the oldest one. Other relations are found, or created once per workspace. */
interface WorkspacePart extends Refs<'workspace' | 'workspace_id'> {
  /** Creation time as an instant with an offset; defaults to the server's time. Derived times follow it. */
  readonly created_at?: string | undefined
}

/** A record with an id. */
interface NumberedPart extends WorkspacePart {
  /** Fixes the id. Ids only increase; a taken id is a `conflict`. */
  readonly id?: number | undefined
}

/** A workspace. */
export interface WorkspaceFields extends Optional<WorkspaceInput>, Pick<NumberedPart, 'id' | 'created_at'> {}

/** A person in a workspace; the id is the user's. */
export interface MemberFields extends NumberedPart {
  name?: string | undefined
  email?: string | undefined
  /** Defaults to `member`. */
  role?: MemberRole | undefined
}

/** An API token that acts as `user`, a member; defaults to the oldest one. */
export interface TokenFields extends NumberedPart, Refs<'user' | 'user_id'> {
  name?: string | undefined
  /** Defaults to every live scope. */
  scopes?: Scope[] | undefined
  /** An instant with an offset; defaults to no expiry. */
  expires_at?: string | null | undefined
  /** Fixes the text: `service_test_` and 1–64 letters, digits, `_`, or `-`. */
  token?: string | undefined
}

/** The SLA targets of a priority, in minutes. An omitted target is not set. */
export interface SlaPolicyFields extends WorkspacePart, SlaPolicyInput {
  /** Defaults to `high`. */
  priority?: string | undefined
}

/** A project. Days are `YYYY-MM-DD`. */
export interface ProjectFields extends NumberedPart, Optional<ProjectInput> {}

/** A company that you make deals with. */
export interface AccountFields extends NumberedPart {
  name?: string | undefined
}

/** A channel for messages. */
export interface ChannelFields extends NumberedPart {
  /** The first one defaults to `general`. */
  name?: string | undefined
}

/** A ticket, with its number, SLA targets, and rules applied. Its author defaults to the oldest member. */
export interface TicketFields
  extends NumberedPart,
    Optional<Omit<TicketInput, 'assigned_to' | 'project_id' | 'created_by'>>,
    Pick<TicketPatch, 'status'>,
    Refs<'assigned_to' | 'project' | 'project_id' | 'created_by'> {
  /** When the status changed, if it is not `open`; an instant with an offset. */
  updated_at?: string | undefined
}

/** A task. `parent` makes it a subtask. Its author defaults to the oldest member. */
export interface TaskFields
  extends NumberedPart,
    Optional<Omit<TaskInput, 'project_id' | 'ticket_id' | 'parent_id' | 'assigned_to' | 'created_by'>>,
    Refs<'project' | 'project_id' | 'ticket' | 'ticket_id' | 'parent' | 'parent_id' | 'assigned_to' | 'created_by'> {}

/** A message in a channel. Its author defaults to the oldest member. */
export interface MessageFields extends NumberedPart, Refs<'channel' | 'channel_id' | 'author' | 'author_id'> {
  body?: string | undefined
}

/** A deal; its owner is a member. */
export interface DealFields
  extends NumberedPart,
    Optional<Omit<DealInput, 'account_id' | 'owner_id'>>,
    Refs<'account' | 'account_id' | 'owner' | 'owner_id'> {}

/** A lead source with a secret. */
export interface LeadSourceFields extends WorkspacePart {
  /** Defaults to `website`. */
  source?: LeadSource | undefined
  /** Whether it accepts leads; defaults to true. */
  active?: boolean | undefined
  /** Fixes the secret. */
  secret?: string | undefined
  /** How its bodies are read. */
  mapping?: Mapping | undefined
}

/** A lead. */
export interface LeadFields extends NumberedPart, Optional<NewLead> {
  /** Any status except `new` is a change after the creation. */
  status?: 'new' | 'contacted' | 'qualified' | 'converted' | 'lost' | (string & {}) | undefined
}

/** The profile of `user` (a member without one), or of a new member (`name` and `email`). */
export interface EmployeeFields extends NumberedPart, EmployeePatch, Refs<'user' | 'user_id'> {
  name?: string | null | undefined
  email?: string | null | undefined
}

/** An attendance device with its secret. */
export interface DeviceFields extends NumberedPart, Optional<DeviceInput> {
  /** Fixes the secret. */
  secret?: string | undefined
}

/** A punch of an employee at a device. */
export interface PunchFields extends NumberedPart, Refs<'employee' | 'employee_id' | 'device' | 'device_id'> {
  /** Defaults to `toggle`. */
  direction?: 'in' | 'out' | 'toggle' | null | undefined
  /** The time of the punch as an instant with an offset; defaults to the server's time. */
  timestamp?: string | null | undefined
}

/** An inbound integration with its secret. */
export interface IntegrationFields extends WorkspacePart {
  /** Defaults to `errors`. */
  kind?: IntegrationName | undefined
  /** Defaults to true. */
  enabled?: boolean | undefined
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets?: boolean | undefined
  /** Fixes the secret. A Git provider has none by default. */
  secret?: string | undefined
  /** Error reports and attendance: how their bodies are read. */
  mapping?: Mapping | undefined
}

/** An error report, which is counted on an existing ticket or opens one. */
export interface ErrorReportFields extends WorkspacePart {
  message?: string | null | undefined
  exception?: string | null | undefined
  file?: string | null | undefined
  line?: number | undefined
  url?: string | null | undefined
  app?: string | null | undefined
  environment?: string | null | undefined
  severity?: string | null | undefined
}

/** A rule. By default it tags every new ticket. */
export interface RuleFields extends NumberedPart, Optional<RuleInput> {}

/** A subscription to outbound events; all events by default. */
export interface SubscriptionFields extends NumberedPart, Optional<SubscriptionSettings> {
  /** Fixes the signing secret. */
  secret?: string | undefined
}
